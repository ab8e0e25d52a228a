"""The broker's side: killed and returned, TLS, users, certificates, access rules; and command lines that are wrong."""

import os
import subprocess
import sys

sys.path.append(os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "wire", "tls"))

from certs import Folder
from client import programs
from client.broker import Broker
from client.check import Suite, check, until
from peer import Device, Peer, Publisher

suite = Suite()
NAME = "tidewater-dp4"


@suite
def a_broker_that_is_killed_and_returns_is_found_again(p):
    broker, device = Broker(p.folder), Device(p)
    publisher = Publisher(p, device, broker)
    publisher.wait()
    peer = Peer(broker, "pump-17", NAME)
    check(peer.call("line_status", line=1), "it answers")
    broker.kill()
    until(lambda: peer.first("closed"), "the client notices")
    publisher.wait_for("trying again")
    broker.start()
    publisher.wait(2)
    again = Peer(broker, "pump-17", NAME)
    again.do("discover")
    again.wait_online("pump-17")
    check(again.call("line_status", line=4).startswith("line 4"), "it answers again")


@suite
def a_publisher_waits_for_a_device_and_for_a_broker(p):
    broker, device = Broker(p.folder), Device(p)
    broker.kill()
    device.kill()
    publisher = Publisher(p, device, broker)
    Device(p, None, device.ports[0])
    publisher.wait_for("Connection refused; trying again")
    broker.start()
    publisher.wait()
    check(Peer(broker, "pump-17", NAME).call("line_status", line=2), "it answers")


@suite
def a_message_left_by_a_broker_that_keeps_them_is_replaced(p):
    """The broker restores what was retained, though its publisher has gone meanwhile."""
    folder = f"{p.folder}/kept"
    os.mkdir(folder)
    broker, device = Broker(p.folder, "persistence true", f"persistence_location {folder}/", "autosave_interval 1",
                            "autosave_on_changes true"), Device(p)
    publisher = Publisher(p, device, broker)
    publisher.wait()
    seeker = Peer(broker)
    seeker.do("discover")
    seeker.wait_online("pump-17")
    until(lambda: os.path.exists(f"{folder}/mosquitto.db"), "the broker has written it")
    broker.kill()
    device.kill()
    publisher.wait_for("trying again")
    broker.start()
    publisher.wait(2)
    late = Peer(broker)
    late.do("discover")
    until(lambda: late.presence("pump-17") in (None, "offline"), "a device that is away is not listed")


class Secured(Broker):
    """A broker with TLS; `lines` configure who may connect."""

    def __init__(self, p, name, *lines, anonymous=True):
        folder = f"{p.folder}/{name}"
        os.mkdir(folder)
        self.certs = Folder(folder)
        path = self.certs.path
        super().__init__(p.folder, f"cafile {path('ca.pem')}", f"certfile {path('device.pem')}", f"keyfile {path('device.key')}", *lines,
                         anonymous=anonymous)
        self.url = f"mqtts://localhost:{self.port}"


@suite
def tls_with_a_user_and_a_password(p):
    words = f"{p.folder}/passwords"
    subprocess.run(["mosquitto_passwd", "-b", "-c", words, "plant", "s3cret"], check=True, capture_output=True)
    os.chmod(words, 0o600)
    broker = Secured(p, "tls-user", f"password_file {words}", anonymous=False)
    ca, device = broker.certs.path("ca.pem"), Device(p)
    secret = f"{p.folder}/secret"
    programs.write(secret, "s3cret\n")
    os.chmod(secret, 0o644)
    user = f"mqtts://plant@localhost:{broker.port}"
    careless = Publisher(p, device, broker, "pump-17", "--mqtt-ca-file", ca, "--mqtt-password-file", secret, url=user)
    check(careless.exit_code() == 1 and careless.has_said("other users can read this password"), careless.said)
    os.chmod(secret, 0o600)
    Publisher(p, device, broker, "pump-17", "--mqtt-ca-file", ca, "--mqtt-password-file", secret, url=user).wait()
    Publisher(p, device, broker, "pump-18", "--mqtt-ca-file", ca, url=user,
              env={**os.environ, "SKILLROM_MQTT_PASSWORD": "s3cret"}).wait()
    Publisher(p, device, broker, "pump-19", "--mqtt-ca-file", ca, url=f"mqtts://plant:s3cret@localhost:{broker.port}").wait()
    wrong = Publisher(p, device, broker, "pump-20", "--mqtt-ca-file", ca, url=f"mqtts://plant:no@localhost:{broker.port}")
    wrong.wait_for("Not authorized")
    strange = Publisher(p, device, broker, "pump-21", url=user)  # the system does not trust the authority of the tests
    strange.wait_for("trying again")
    peer = Peer(broker, "pump-18", NAME, ca=ca, username="plant", password="s3cret")
    check(peer.call("line_status", line=1), "it answers")
    check(Peer(broker, ca=ca, username="plant", password="guess").refused, "a wrong password is let in")


@suite
def tls_with_a_client_certificate(p):
    broker = Secured(p, "tls-cert", "require_certificate true")
    path, device = broker.certs.path, Device(p)
    broker.certs.certificate("client", "ca", extensions="extendedKeyUsage=clientAuth\n")
    ours = ("--mqtt-ca-file", path("ca.pem"), "--mqtt-cert", path("client.pem"), "--mqtt-key", path("client.key"))
    Publisher(p, device, broker, "pump-17", *ours).wait()
    Publisher(p, device, broker, "pump-18", *ours[:2]).wait_for("trying again")
    peer = Peer(broker, "pump-17", NAME, ca=path("ca.pem"), cert=path("client.pem"), key=path("client.key"))
    check(peer.call("line_status", line=1), "it answers")


@suite
def a_forged_presence_is_refused_by_the_access_rules(p):
    """The rules that docs/guides/mqtt.md shows."""
    readme = (programs.ROOT / "docs/guides/mqtt.md").read_text()
    rules = readme.split("```acl\n")[1].split("```")[0]
    words, acl = f"{p.folder}/acl-passwords", f"{p.folder}/rules"
    for at, user in enumerate(("pump-17", "pump-18", "agent", "mallory")):
        subprocess.run(["mosquitto_passwd", "-b", *([] if at else ["-c"]), words, user, "x"], check=True, capture_output=True)
    programs.write(acl, rules)
    os.chmod(words, 0o600)
    os.chmod(acl, 0o600)
    broker = Broker(p.folder, f"password_file {words}", f"acl_file {acl}", anonymous=False)
    device = Device(p)
    Publisher(p, device, broker, url=f"mqtt://pump-17:x@127.0.0.1:{broker.port}").wait()
    agent = Peer(broker, "pump-17", NAME, username="agent", password="x")
    agent.do("discover")
    agent.wait_online("pump-17")
    fake = '{"jsonrpc":"2.0","method":"notifications/server/online","params":{"server_name":"x","description":""}}'
    for user in "mallory", "agent", "pump-18":
        forger = Peer(broker, username=user, password="x", clientId=f"forger-{user}")
        for topic in f"$mcp-server/presence/pump-17/{NAME}", "$mcp-server/presence/pump-99/x":
            response = forger.results[forger.start_and_wait("publish", topic=topic, text=fake, retain=True)]
            check("Not authorized" in response.get("failed", ""), user, response)
            check("Not authorized" in forger.results[forger.start_and_wait("publish", topic=topic, text="", retain=True)].get("failed", ""), user)
    check(agent.call("line_status", line=1), "the device is reached under these rules")
    check(len(agent.presences("pump-17")) == 1 and not agent.presences("pump-99"), agent.events)
    banned = Publisher(p, device, broker, "pump-30", url=f"mqtt://mallory:x@127.0.0.1:{broker.port}")
    banned.wait_for("the broker refuses messages or subscriptions of pump-30")


@suite
def wrong_command_lines_say_what_is_wrong(p):
    for words, said in (
        (["--mqtt", "mqtt://b"], "--mqtt needs the device's id"),
        (["--mqtt", "mqtt://b", "--id", "a/b"], "without / + #"),
        (["--mqtt", "mqtt://b", "--id", "presence"], "needs the device's id"),
        (["--mqtt", "mqtt://b", "--id", "x" * 129], "1 to 128 bytes"),
        (["--mqtt", "mqtt://b", "--id", "a", "--mqtt-name", "a//b"], "none of them empty"),
        (["--mqtt", "mqtt://b", "--id", "a", "--mqtt-name", "a/+"], "without + and #"),
        (["--mqtt", "http://b", "--id", "a"], "give mqtt://HOST"),
        (["--mqtt", "mqtt://", "--id", "a"], "not a broker"),
        (["--mqtt", "mqtt://b:0", "--id", "a"], "1 to 65535"),
        (["--mqtt", "mqtt://b:65536", "--id", "a"], "1 to 65535"),
        (["--mqtt", "mqtt://b/path", "--id", "a"], "no path"),
        (["--mqtt", "mqtt://u%zz@b", "--id", "a"], "two hex digits"),
        (["--mqtt", "mqtt://:secret@b/", "--id", "a"], "needs a user"),
        (["--mqtt", "mqtt://b", "--id", "a", "--mqtt-ca-file", "x"], "need mqtts://"),
        (["--mqtt", "mqtts://b", "--id", "a", "--mqtt-cert", "x"], "only valid together"),
        (["--mqtt", "mqtt://b", "--id", "a", "--mqtt-password-file", "x"], "no user"),
        (["--id", "a"], "need --mqtt"),
    ):
        done = subprocess.run([p.skillrom, "bridge", "tcp://127.0.0.1:1", *words], capture_output=True, text=True)
        check(done.returncode == 2 and said in done.stderr, words, done.returncode, done.stderr)
        check("secret" not in done.stderr, "a password is shown")
    for words in (["mqtts://b", "--mqtt-ca-file", "/none"], ["mqtt://u@b", "--mqtt-password-file", "/none"]):
        done = subprocess.run([p.skillrom, "bridge", "tcp://127.0.0.1:1", "--id", "a", "--mqtt", *words], capture_output=True, text=True)
        check(done.returncode == 1 and "/none: No such file" in done.stderr, done.returncode, done.stderr)


@suite
def a_program_made_without_libmosquitto_says_so(p):
    done = subprocess.run([programs.ROOT / "build/without-mqtt/skillrom", "bridge", "tcp://127.0.0.1:1", "--mqtt", "mqtt://b", "--id", "a"],
                          capture_output=True, text=True)
    check(done.returncode == 1 and "built without libmosquitto" in done.stderr and done.stderr.count("\n") == 1, done.stderr)


def joined(p):
    """Two brokers, the second of which carries everything to and from the first."""
    first = Broker(p.folder)
    topics = [f"topic $mcp-{kind}/# both 1" for kind in ("server", "client", "rpc")]
    second = Broker(p.folder, "connection first", f"address 127.0.0.1:{first.port}", "bridge_protocol_version mqttv50",
                    "restart_timeout 1", *topics)
    return first, second


@suite
def a_device_is_reached_through_a_second_broker_that_is_joined_to_its_own(p):
    first, second = joined(p)
    device = Device(p)
    Publisher(p, device, first).wait()
    seeker = Peer(second)
    seeker.do("discover")
    seeker.wait_online("pump-17")
    peer = Peer(second, "pump-17", NAME)
    check(peer.call("line_status", line=2).startswith("line 2"), "it answers")
    rpc = f"$mcp-rpc/{peer.client_id}/pump-17/{NAME}"
    check(all(e["topic"] == rpc for e in peer.messages()) and len(peer.messages()) == 2, "nothing comes twice", peer.messages())


@suite
def two_publishers_with_one_id_on_joined_brokers_name_each_other(p):
    first, second = joined(p)
    device = Device(p)
    publishers = [Publisher(p, device, broker) for broker in (first, second)]
    for publisher in publishers:
        publisher.wait_for("another publisher has the id pump-17")
    seeker = Peer(first)
    seeker.do("discover")
    announced = seeker.wait_online("pump-17", lambda params: params["meta"]["skillrom"]["rivals"])["meta"]["skillrom"]
    check(announced["instance"] not in announced["rivals"] and len(announced["rivals"][0]) == 16, announced)
    publishers[1].kill()
    seeker.wait_online("pump-17", lambda params: not params["meta"]["skillrom"]["rivals"])
