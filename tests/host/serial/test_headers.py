"""HTTP headers that repeat arguments of a tool, compared by the bridge (HDR-10 to HDR-14). The device is the fixture of
tests/wire/conformance, three items on a page of its lists."""

import concurrent.futures

from bridge import Device
from client.bridge import Bridge, http_bridge
from client.check import Suite, check, until
from client.mcp import modern
from client.programs import CONFORMANCE_DEVICE
from client.wire import HttpClient
from line import Line

suite = Suite()


def fixture(p, line, image="build/conformance.rom"):
    return Device(p, line, image, CONFORMANCE_DEVICE, ["--page", "3"])


def call(client, prefix="", **headers):
    """Status and response of a call whose arguments are region "eu" and count 7."""
    request = modern("tools/call", name=prefix + "test_x_mcp_header", arguments={"region": "eu", "limits": {"count": 7}})
    repeated = {"Mcp-Param-" + name: value for name, value in headers.items()}
    response, body = client.post(request, repeated)
    return response.status, body


def judge(client, prefix=""):
    status, body = call(client, prefix)
    check(status == 400 and body["error"]["code"] == -32020, f"without headers: {status} {body}")
    check("test_x_mcp_header" in body["error"]["message"], f"which tool: {body}")
    status, body = call(client, prefix, Region="eu", Count="8")
    check(status == 400 and body["error"]["code"] == -32020, f"another count: {status} {body}")
    status, body = call(client, prefix, Region="=?base64?ZXU=?=", Count="7")
    check(status == 200 and "result" in body, f"the right ones: {status} {body}")


@suite
def headers_are_compared_before_anybody_has_listed_the_tools(p):
    modes = ("--no-cache",), ("--no-cache", "--plain"), ("--cache", p.folder + "/headers-cache")
    for number, mode in enumerate(modes):
        line = Line(p.folder, f"headers-{number}")
        for _ in range(2):  # the second time a cache has the list
            with fixture(p, line), http_bridge(p, line.host, *mode) as b:
                judge(HttpClient(b.ports[0]))


@suite
def headers_are_compared_by_the_list_of_the_right_device(p):
    one, two = Line(p.folder, "headers-one"), Line(p.folder, "headers-two")
    with Device(p, one), fixture(p, two), http_bridge(p, f"a={one.host}", f"b={two.host}", "--no-cache") as b:
        b.wait_for("headers-one.host: device found")
        b.wait_for("headers-two.host: device found")
        client = HttpClient(b.ports[0])
        judge(client, "b_")
        request = modern("tools/call", name="a_line_status", arguments={"line": 1})
        response, body = client.post(request)
        check(response.status == 200 and "line 1" in body["result"]["content"][0]["text"], f"{body}")


@suite
def headers_are_compared_when_the_list_of_tools_has_changed(p):
    line = Line(p.folder, "headers-changed")
    with fixture(p, line), http_bridge(p, line.host, "--no-cache") as b:
        client, listener = HttpClient(b.ports[0]), HttpClient(b.ports[0])
        judge(client)
        wanted = modern("subscriptions/listen", notifications={"toolsListChanged": True})
        stream = listener.open(wanted)
        for _ in range(3):
            request = modern("tools/call", name="test_trigger_tool_change", arguments={})
            client.post(request)
            while b"list_changed" not in stream.readline():
                pass  # a timeout ends it
            judge(client)


@suite
def headers_are_compared_whatever_went_wrong_while_the_tools_were_listed(p):
    line = Line(p.folder, "headers-shared")
    with fixture(p, line), Bridge(p, line.host, "--no-cache", "--wait", "300ms") as owner:
        owner.exchange(modern("server/discover"))
        with http_bridge(p, line.host, "--no-cache") as b:
            b.wait_for("sharing its connection")
            line.pull(line.host)
            owner.wait_for("gone")
            client = HttpClient(b.ports[0])
            status, body = call(client)
            check("list of tools" in body["error"]["message"], f"{status} {body}")
            line.plug(line.host)
            until(lambda: sum("device found" in words for words in owner.said) > 1, "it is back")
            judge(client)


class Kept(Line):
    """Keeps back what follows the first cursor."""

    kept = False

    def damage(self, data):
        self.kept = self.kept or b'"cursor"' in data
        return b"" if self.kept else data


@suite
def headers_are_compared_when_the_image_is_replaced_while_the_tools_are_listed(p):
    image = p.other_image("other-fixture", "tests/wire/conformance/device")
    line = Kept(p.folder, "headers-replaced")
    with http_bridge(p, line.host, "--no-cache") as b, concurrent.futures.ThreadPoolExecutor(1) as pool:
        with fixture(p, line):
            b.wait_for("device found")
            first = pool.submit(call, HttpClient(b.ports[0]))
            until(lambda: line.kept, "the second page is asked for")
        line.damage = lambda data: data
        line.plug(line.device)
        with fixture(p, line, image):
            status, body = first.result()
            check(status == 400 and body["error"]["code"] == -32020, f"{status} {body}")
            judge(HttpClient(b.ports[0]))


@suite
def headers_of_a_device_that_is_not_there_are_no_reason_to_wait_for_ever(p):
    line = Line(p.folder, "headers-away")
    with http_bridge(p, line.host, "--no-cache", "--wait", "3000ms") as b:  # which a device on a busy machine keeps, too
        client = HttpClient(b.ports[0])
        for _ in range(2):
            status, body = call(client, Region="eu", Count="7")
            check("missing" in body["error"]["message"], f"{status} {body}")
            check(body["error"]["data"]["retry"] is True, f"nothing was done: {body}")
        with fixture(p, line):
            b.wait_for("device found")
            judge(client)
