"""Which client a device's question goes to, and in which stream, when several calls are under way."""

from client.bridge import Bridge, http_bridge
from client.check import Suite, check, until
from client.mcp import LEGACY, PING, events, http_bytes, legacy, modern, numbered
from client.wire import Client
from device import FIXTURE, Networked, Puppet

suite = Suite()

CAN = {"elicitation": {"form": {}}, "sampling": {}}
TAKEN = {"protocolVersion": LEGACY, "capabilities": {"tools": {}}, "serverInfo": {"name": "d", "version": "1"}}


def hello(name):
    return legacy("initialize", protocolVersion=LEGACY, capabilities=CAN, clientInfo={"name": name, "version": "1"})


def call(name, **arguments):
    return legacy("tools/call", name=name, arguments=arguments)


def text_of(response):
    return response["result"]["content"][0]["text"]


def text(words):
    return {"content": [{"type": "text", "text": words}]}


def welcome(device, name):
    """The device gets the handshake of this client, and takes it."""
    request = device.next("initialize")
    check(request["params"]["clientInfo"]["name"] == name, f"{request} instead of the handshake of {name}")
    device.respond(request, TAKEN)


def elicitation(id, message):
    params = {"message": message, "requestedSchema": {"type": "object", "properties": {}}}
    return numbered(id, {"method": "elicitation/create", "params": params})


class Visitor(Client):
    """A client over HTTP that has said who it is; its calls are answered in streams."""

    def __init__(self, port, name):
        super().__init__(port)
        self.name, self.session = name, None
        self.send(http_bytes(numbered(0, hello(name))))

    def enter(self):
        _, headers, body = self.http()
        self.session = headers["mcp-session-id"]
        check(b'"result"' in body, f"{body}")
        return self

    def call(self, name):
        self.send(http_bytes(numbered(1, call(name)), session=self.session))

    def stream(self):
        """What comes to the call is a stream of events."""
        return self.open_stream(b"")

    def event(self):
        """The next that has a message in it; the first of a stream has only an id."""
        for message in events(self.take_until(b"\n\n")):
            return message
        return self.event()

    def reply(self, port, client_request, **outcome):
        with Client(port) as other:
            other.send(http_bytes(numbered(client_request["id"], outcome), session=self.session))
            check(other.http()[0] == 202, "a reply is taken")


def settle(port):
    """Whatever was sent to the bridge before has been read by it, and passed on as far as it may be: it answers ping itself."""
    with Client(port) as other:
        for _ in range(2):
            other.exchange_http(PING)


@suite
def handshake_under_way_lets_no_other_client_speak_in_its_name(p):
    """A client calls a tool while the handshake of another is on the line. The device would take the call for the other one's, and of
    two calls under way the first would be asked what the second has caused."""
    device = Puppet()
    with http_bridge(p, device.url, "--no-cache", "--no-changes") as b:
        port = b.ports[0]
        ada = Visitor(port, "ada")
        welcome(device, "ada")
        ada.enter()
        bob = Visitor(port, "bob")
        late = device.next("initialize")
        ada.call("elicit_ada")
        settle(port)
        device.respond(late, TAKEN)
        bob.enter()
        bob.call("elicit_bob")
        settle(port)
        for visitor in ada, bob:
            welcome(device, visitor.name)
            request = device.next("tools/call")
            check(request["params"]["name"] == f"elicit_{visitor.name}", f"{request}")
            device.send(elicitation(7, f"for {visitor.name}"))
            asked = visitor.stream().event()
            check(asked["params"]["message"] == f"for {visitor.name}", f"{visitor.name} is asked {asked}")
            visitor.reply(port, asked, result={"action": "accept", "content": {"by": visitor.name}})
            reply = device.next()
            check(reply["id"] == 7 and reply["result"]["content"] == {"by": visitor.name}, f"{reply}")
            device.respond(request, text(visitor.name))
            check(text_of(visitor.event()) == visitor.name, "its own answer")


@suite
def initialize_that_nobody_waits_for_still_counts(p):
    """Its client is gone when the device answers; but the device has seen it."""
    device = Puppet()
    with http_bridge(p, device.url, "--no-cache", "--no-changes") as b:
        ada = Visitor(b.ports[0], "ada")
        welcome(device, "ada")
        ada.enter()
        bob = Visitor(b.ports[0], "bob")
        late = device.next("initialize")
        bob.vanish()
        settle(b.ports[0])
        device.respond(late, TAKEN)
        ada.call("any")
        welcome(device, "ada")
        device.respond(device.next("tools/call"), text("done"))
        check(b"done" in ada.http()[2], "it is served")


@suite
def question_outlives_a_call_that_has_not_asked_it(p):
    """On a line nothing says which of a client's calls asks. The question is put to the oldest; when that is answered, the question
    was another's, and the reply still reaches the device."""
    device = Puppet()
    with Bridge(p, device.url, "--no-cache", "--no-changes") as b:
        b.send(hello("ada"))
        welcome(device, "ada")
        b.receive()
        b.send(call("works"))
        works = device.next("tools/call")
        b.send(call("asks"))
        elicits = device.next("tools/call")
        device.send(elicitation(7, "well?"))
        device.send(elicitation(8, "really?"))
        asked = [b.client_request(), b.client_request()]
        device.respond(works, text("worked"))
        check(text_of(b.receive()[1]) == "worked", "the one that asks nothing")
        for i, word in enumerate(("yes", "no")):
            b.reply(asked[i], result={"action": "accept", "content": {"word": word}})
            b.send(modern("prompts/list"))  # so that something comes if the reply does not
            reply = device.next()
            check(reply["id"] == 7 + i and reply["result"]["content"] == {"word": word}, f"{reply}")
            device.respond(device.next("prompts/list"), {"prompts": []})
            check(b.receive()[1]["result"]["prompts"] == [], "the list")
        device.respond(elicits, text("asked"))
        check(text_of(b.receive()[1]) == "asked" and b.client_requests.empty(), "the one that asks, once")


@suite
def question_comes_in_the_stream_of_the_call_that_asks(p):
    """Over HTTP the device says which that is: two calls of one client ask simultaneously."""
    device = Networked(program=FIXTURE[0], image=FIXTURE[1])
    with http_bridge(p, device.http, "--no-cache") as b:
        port = b.ports[0]
        first, second = Visitor(port, "ada").enter(), Visitor(port, "ada").enter()
        second.session = first.session
        first.call("test_input_required_result_elicitation")
        one = first.stream().event()
        check(one["params"]["message"] == "What is your name?", f"{one}")
        second.call("test_elicitation_sep1330_enums")
        until(lambda: first.is_readable() or second.is_readable(), "another question comes")
        check(not first.is_readable(), "not in the stream of the other call")
        other = second.stream().event()
        check(other["params"]["message"] != one["params"]["message"], f"{other}")
        second.reply(port, other, result={"action": "decline"})
        check("result" in second.event(), "the second is answered")
        first.reply(port, one, result={"action": "accept", "content": {"name": "Ada"}})
        check(text_of(first.event()) == "Hello, Ada!", "and the first")


@suite
def client_whose_handshake_was_refused_does_not_speak_in_the_name_of_another(p):
    """The bridge cannot repeat an initialize of this length, so it takes nothing that counts on it."""
    device = Puppet()
    with http_bridge(p, device.url, "--no-cache", "--no-changes") as b:
        ada = Visitor(b.ports[0], "ada")
        welcome(device, "ada")
        ada.enter()
        long = Visitor(b.ports[0], "x" * 5000)
        _, headers, body = long.http()
        check(b"BRIDGE_HANDSHAKE_MAX" in body, f"{body}")
        long.session = headers.get("mcp-session-id")
        long.call("any")
        settle(b.ports[0])
        ada.call("hers")
        request = device.next("tools/call")
        check(request["params"]["name"] == "hers", f"{request}")
        device.respond(request, text("done"))
        check(b"done" in ada.http()[2], "she is served")
        check(b'"error"' in long.http()[2], "the other is told")
