"""Who is let in: tokens and addresses; and sessions that survive the end of the process."""

import hashlib
import os
import resource
import signal
import stat
import subprocess

from client.check import Suite, check
from client.child import Child, Server
from client.mcp import INITIALIZE, http_bytes, legacy, numbered
from client.programs import SKILLROM, scratch_folder, write
from client.wire import Client
from test_call import check_refused

suite = Suite()
HTTP = ("--http", "127.0.0.1:0")
FIRST = numbered(0, INITIALIZE)


def status_of(port, message, session=None, token=None):
    with Client(port) as client:
        client.send(http_bytes(message, session=session, extra=f"Authorization: Bearer {token}\r\n" if token else ""))
        return client.http()[0]


def new_session(port):
    with Client(port) as client:
        return client.new_session()


def list_in(port, session):
    return status_of(port, numbered(1, legacy("tools/list")), session)


# ---- Addresses ----


@suite
def an_address_that_others_reach_needs_tokens_or_a_word(program, image):
    for wire in ("--http", "--tcp"):
        for address in ("0.0.0.0:0", "[::]:0", "192.0.2.1:7700"):
            check_refused(program, 2, "--allow-anyone", image, wire, address)
    check_refused(program, 2, "--token-file", image, "--http", "0.0.0.0:0")
    with Server(program, image, "--http", "0.0.0.0:0", "--allow-anyone") as server:
        with Client(server.ports[0]) as client:
            client.discover(1)


def grant(name, token):
    return f"{name} operate {hashlib.sha256(token.encode()).hexdigest()}\n"


@suite
def hangup_reads_the_tokens_again_and_ends_nothing(program, image):
    """defect 80: SIGHUP ended the server without a word. A token that is gone opens nothing more, not even on a connection that it
    has opened."""
    def exchange(client, token):
        client.send(http_bytes(FIRST, extra=f"Authorization: Bearer {token}\r\n"))
        return client.http()[0]

    with scratch_folder() as folder:
        tokens = os.path.join(folder, "tokens")
        write(tokens, grant("ann", "a" * 32) + grant("bob", "b" * 32))
        with Server(program, image, *HTTP, "--token-file", tokens) as server:
            port = server.ports[0]
            with Client(port) as ann, Client(port) as bob:
                check((exchange(ann, "a" * 32), exchange(bob, "b" * 32)) == (200, 200), "both are let in")
                write(tokens, "nonsense\n")
                server.signal(signal.SIGHUP)
                server.wait_for("the previous tokens still count")
                check((exchange(ann, "a" * 32), exchange(bob, "b" * 32)) == (200, 200), "a bad file changes nothing")
                write(tokens, grant("cleo", "c" * 32) + grant("ann", "a" * 32))
                server.signal(signal.SIGHUP)
                server.wait_for("read again; 2 tokens")
                check((exchange(ann, "a" * 32), exchange(bob, "b" * 32)) == (200, 401), "on connections that were kept")
            check([status_of(port, FIRST, token=t * 32) for t in "abc"] == [200, 401, 200], "as the file says now")
        with Server(program, image, *HTTP) as server:
            server.signal(signal.SIGHUP)
            server.wait_for("SIGHUP: nothing to read again")
            check(status_of(server.ports[0], FIRST) == 200, "it goes on")


@suite
def tokens_do_for_http_and_not_for_lines(program, image):
    with scratch_folder() as folder:
        tokens = os.path.join(folder, "tokens")
        write(tokens, f"alice operate {'0' * 64}\n")
        check_refused(program, 2, "lines have no tokens", image, "--tcp", "0.0.0.0:0", *HTTP, "--token-file", tokens)
        check_refused(program, 2, "--token-file is for HTTP", image, "--token-file", tokens)
        check_refused(program, 2, "--announce is for HTTP; add --http or remove it", image, "--announce", "pump")
        with Server(program, image, "--http", "0.0.0.0:0", "--token-file", tokens) as server:
            check(status_of(server.ports[0], FIRST) == 401, "let in without a token")


# ---- Token files ----


@suite
def a_token_that_skillrom_made_opens_and_another_does_not(program, image):
    with scratch_folder() as folder:
        tokens = os.path.join(folder, "tokens")
        made = [
            subprocess.run([SKILLROM, "token", *words, "-o", tokens], check=True, capture_output=True, text=True).stdout
            for words in (("alice",), ("bob", "--read-only"))
        ]
        check(stat.S_IMODE(os.stat(tokens).st_mode) == 0o600, "others may read the file")
        again = subprocess.run([SKILLROM, "token", "bob", "-o", tokens], capture_output=True, text=True)
        check(again.returncode == 1 and "bob" in again.stderr and not again.stdout, f"{again}")
        with open(tokens) as file:
            kept = file.read()
        check(not any(token.strip() in kept for token in made), "the token itself is in the file")
        with Server(program, image, *HTTP, "--token-file", tokens) as server:
            for token in made:
                status = status_of(server.ports[0], FIRST, token=token.strip())
                check(status == 200, f"{status} for {token}")
            check(status_of(server.ports[0], FIRST, token="x") == 401, "a wrong one was let in")
            said = server.wait_for("has no token of this server")
            check("Bearer" not in said, said)


@suite
def a_token_is_added_behind_a_line_that_an_editor_left_without_its_end(program, image):
    with scratch_folder() as folder:
        tokens = os.path.join(folder, "tokens")
        write(tokens, f"alice operate {'0' * 64}")
        made = subprocess.run([SKILLROM, "token", "bob", "-o", tokens], check=True, capture_output=True, text=True)
        with open(tokens) as file:
            check([line.split()[0] for line in file.read().splitlines()] == ["alice", "bob"], "not two lines")
        with Server(program, image, *HTTP, "--token-file", tokens) as server:
            check(status_of(server.ports[0], FIRST, token=made.stdout.strip()) == 200, "the new token was refused")


@suite
def a_file_that_is_not_one_of_tokens_is_refused_with_its_line(program, image):
    digest = "0" * 64
    cases = {
        "": "contains no token",
        "# nobody\n\n": "contains no token",
        "alice\n": ":1: the name must",
        f"# a\nalice all {digest}\n": ":2: the name must",
        f"alice read {digest[1:]}\n": ":1: the rights must",
        f"alice read {digest[1:]}G\n": ":1: the rights must",
        f"alice read {digest} x\n": ":1: patterns of devices are for `skillrom fleet`",
        f"alice read {digest}\n" * 65: ":65: at most 64",
        f"alice read {digest}\0\n": "NUL",
        "x" * 20000: "too long",
    }
    with scratch_folder() as folder:
        tokens = os.path.join(folder, "tokens")
        for text, why in cases.items():
            write(tokens, text)
            check_refused(program, 1, why, image, *HTTP, "--token-file", tokens)
        write(tokens, f"alice read {digest}\n")
        os.chmod(tokens, 0o666)
        check_refused(program, 1, "others may write", image, *HTTP, "--token-file", tokens)
        check_refused(program, 1, "not a file", image, *HTTP, "--token-file", folder)
        check_refused(program, 1, "No such file", image, *HTTP, "--token-file", tokens + "x")


# ---- An authorization server ----

# Any point of the curve: this is its generator.
KEY = (
    '{"kty":"EC","crv":"P-256","kid":"a","x":"axfR8uEsQkf4vOblY6RA8ncDfYEt6zOg9KE5RdiYwpY",'
    '"y":"T-NC4v4af5uO5-tKfA-eFivOM1drMV7Oy7ZAaDe_UfU"}'
)
ISSUER = ("--oauth-issuer", "https://login.example")
RESOURCE = ("--oauth-resource", "https://pump.example/mcp")


@suite
def the_options_of_an_authorization_server_belong_together(program, image):
    with scratch_folder() as folder:
        keys = ("--oauth-keys", os.path.join(folder, "jwks.json"))
        write(keys[1], f'{{"keys":[{KEY}]}}')
        for words in ((*ISSUER, *keys), (*ISSUER, *RESOURCE), (*keys, *RESOURCE), ("--oauth-scopes", "a,b")):
            check_refused(program, 2, "belong together", image, *HTTP, *words)
        check_refused(program, 2, "is for HTTP", image, *ISSUER, *keys, *RESOURCE)
        for scopes in ("one", "a,b,c,d", "a,b,", "a,b,c d", ",b", "a,", "a b,c", "s" * 33 + ",b", "s" * 99):
            check_refused(program, 1, "give two or three scopes", image, *HTTP, *ISSUER, *keys, *RESOURCE, "--oauth-scopes", scopes)
        for url in ("pump.example", "https://pump.example/mcp?a=b", "https://" + "x" * 120):
            check_refused(program, 1, "give URLs", image, *HTTP, *ISSUER, *keys, "--oauth-resource", url)
            check_refused(program, 1, "give URLs", image, *HTTP, *RESOURCE, *keys, "--oauth-issuer", url)
        with Server(program, image, "--http", "0.0.0.0:0", *ISSUER, *keys, *RESOURCE, "--oauth-scopes", "p:r,p:o") as server:
            check(status_of(server.ports[0], FIRST) == 401, "let in without a token")
            check(status_of(server.ports[0], FIRST, token="e30.e30.e30") == 401, "let in with a wrong token")
            with Client(server.ports[0]) as client:
                client.send(b"GET /.well-known/oauth-protected-resource/mcp HTTP/1.1\r\nHost: localhost\r\n\r\n")
                status, _, body = client.http()
                check(status == 200 and b'["p:r","p:o"]' in bytes(body), f"{status} {body}")


@suite
def keys_that_cannot_be_used_are_refused_with_a_remedy(program, image):
    rsa = '{"kty":"RSA","n":"AQAB","e":"AQAB"}'
    cases = {
        "": "not a JSON Web Key Set",
        KEY: "not a JSON Web Key Set",
        '{"keys":[]}': "no key for ES256",
        f'{{"keys":[{rsa}]}}': "sign access tokens with ES256",
        f'{{"keys":[{KEY},{KEY}]}}': "used twice",
        f'{{"keys":[{KEY.replace("axfR", "bxfR")}]}}': "a key is damaged",
        f'{{"keys":[{KEY[:-1]},"d":"AQAB"}}]}}': "a private key",
        '{"keys":[' + ",".join(KEY.replace('"a"', f'"{i}"') for i in range(9)) + "]}": "more than 8 keys",
        " " * 70000: "too long",
    }
    with scratch_folder() as folder:
        keys = os.path.join(folder, "jwks.json")
        words = (image, *HTTP, *ISSUER, *RESOURCE, "--oauth-keys", keys)
        check_refused(program, 1, "No such file", *words)
        for text, why in cases.items():
            write(keys, text)
            check_refused(program, 1, why, *words)
        write(keys, f'{{"keys":[{KEY}]}}')
        os.chmod(keys, 0o666)
        check_refused(program, 1, "could add a key", *words)


@suite
def tokens_of_a_file_are_served_beside_those_of_an_authorization_server(program, image):
    with scratch_folder() as folder:
        keys, tokens = os.path.join(folder, "jwks.json"), os.path.join(folder, "tokens")
        write(keys, f'{{"keys":[{KEY}]}}')
        made = subprocess.run([SKILLROM, "token", "alice", "-o", tokens], check=True, capture_output=True, text=True)
        words = (*HTTP, *ISSUER, *RESOURCE, "--oauth-keys", keys, "--token-file", tokens)
        with Server(program, image, *words) as server:
            check(status_of(server.ports[0], FIRST, token=made.stdout.strip()) == 200, "the file's token was refused")
            check(status_of(server.ports[0], FIRST, token="x.y.z") == 401, "a wrong one was let in")
            server.wait_for("its token is refused: not a signed token")


# ---- Sessions ----


@suite
def a_session_survives_kill_9(program, image):
    with scratch_folder() as folder:
        state = ("--state", os.path.join(folder, "a", "b"))
        with Server(program, image, *HTTP, *state) as server:
            session = new_session(server.ports[0])
            server.signal(signal.SIGKILL)
            server.exit_code()
        key = os.path.join(folder, "a", "b", "session.key")
        check(stat.S_IMODE(os.stat(key).st_mode) == 0o600, "others may read the key")
        check(os.listdir(os.path.dirname(key)) == ["session.key"], "something is left beside the key")
        with Server(program, image, *HTTP, *state) as server:
            check(list_in(server.ports[0], session) == 200, "the session is gone")
        with Server(program, image, *HTTP, "--state", os.path.join(folder, "other")) as server:
            check(list_in(server.ports[0], session) == 404, "a session of another key was taken")
        with Server(program, image, *HTTP, *state, "--no-sessions") as server:
            with Client(server.ports[0]) as client:
                client.send(http_bytes(FIRST))
                check("mcp-session-id" not in client.http()[1], "a session was given")


@suite
def a_key_that_is_none_is_refused_and_one_that_cannot_be_kept_is_told(program, image):
    with scratch_folder() as folder:
        key = os.path.join(folder, "session.key")
        state = ("--state", folder)
        for text in ("", "0123", "g" * 32 + "\n", "0" * 34):
            write(key, text)
            os.chmod(key, 0o600)
            check_refused(program, 1, "damaged", image, *HTTP, *state)
        write(key, "0" * 32 + "\n")
        os.chmod(key, 0o644)
        check_refused(program, 1, "chmod 600", image, *HTTP, *state)
        os.remove(key)
        os.mkdir(key)
        check_refused(program, 1, "session.key", image, *HTTP, *state)
        check_refused(program, 1, "not a folder", image, *HTTP, "--state", image)
        usual = os.environ["XDG_STATE_HOME"]
        os.environ["XDG_STATE_HOME"] = image
        try:
            with Server(program, image, *HTTP) as server:
                check("sessions will end with this process" in server.said[0], f"{server.said}")
                check(list_in(server.ports[0], new_session(server.ports[0])) == 200, "no sessions at all")
        finally:
            os.environ["XDG_STATE_HOME"] = usual


@suite
def servers_that_start_together_share_one_key(program, image):
    """The first makes it; half a file of one that is just being made, or was, is nobody else's to touch."""
    with scratch_folder() as folder:
        state = os.path.join(folder, "state")
        os.mkdir(state, 0o700)
        half = 'echo half >"$1/session.key.$$"; d=$1; shift; exec "$@" --state "$d"'
        servers = [Server("/bin/sh", "-c", half, "sh", state, program, image, *HTTP) for _ in range(6)]
        for one in servers:
            session = new_session(one.ports[0])
            for other in servers:
                check(list_in(other.ports[0], session) == 200, "not the same key")
        left = {"session.key", *(f"session.key.{server.process.pid}" for server in servers)}
        check(set(os.listdir(state)) == left, f"{os.listdir(state)}")


@suite
def links_and_folders_of_others_are_no_place_for_a_key(program, image):
    with scratch_folder() as folder:
        state, key = os.path.join(folder, "state"), os.path.join(folder, "state", "session.key")
        os.mkdir(state, 0o700)
        write(os.path.join(folder, "elsewhere"), "0" * 32 + "\n")
        os.chmod(os.path.join(folder, "elsewhere"), 0o600)
        os.symlink(os.path.join(folder, "elsewhere"), key)
        check_refused(program, 1, "session.key", image, *HTTP, "--state", state)
        os.remove(key)
        os.mkfifo(key, 0o600)
        check_refused(program, 1, "not a file", image, *HTTP, "--state", state)
        os.remove(key)
        os.symlink(state, os.path.join(folder, "link"))
        check_refused(program, 1, "only a link", image, *HTTP, "--state", os.path.join(folder, "link/"))
        os.chmod(state, 0o777)
        check_refused(program, 1, "others may write", image, *HTTP, "--state", state)
        check(os.listdir(state) == [], "a key was written where others may write")


def nothing_can_be_written():
    """For a new process: every write to a file fails, as on a full disk."""
    signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_FSIZE, (0, 0))


@suite
def a_key_that_cannot_be_written_leaves_nothing_behind(program, image):
    with scratch_folder() as folder:
        state = os.path.join(folder, "state")
        child = Child(program, image, *HTTP, "--state", state, before=nothing_can_be_written)
        check(child.exit_code() == 1 and child.has_said("File too large"), f"{child.said}")
        check(os.listdir(state) == [], f"{os.listdir(state)}")
        usual = os.environ["XDG_STATE_HOME"]
        os.environ["XDG_STATE_HOME"] = folder
        try:
            with Server(program, image, *HTTP, before=nothing_can_be_written) as server:
                check(server.has_said("sessions will end with this process"), f"{server.said}")
                check(list_in(server.ports[0], new_session(server.ports[0])) == 200, "no sessions at all")
        finally:
            os.environ["XDG_STATE_HOME"] = usual
