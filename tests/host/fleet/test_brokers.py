"""Two brokers joined by a bridge, devices on both: everything is seen from either; and one of them is killed."""

import threading

from client.check import Suite, check, until
from fleet import Agent, Broker, Fleet, Swarm

suite = Suite()
EACH = 40


def joined(folder):
    """North, and south, which keeps the connection to it."""
    north = Broker(folder)
    south = Broker(folder, "connection north", f"address 127.0.0.1:{north.port}", "bridge_protocol_version mqttv50",
                   "cleansession true", "restart_timeout 1", "notifications true", "topic $mcp-server/# both 1",
                   "topic $mcp-client/# both 1", "topic $mcp-rpc/# both 1")
    return north, south


class Load:
    """A client that calls devices all the time, and counts what becomes of it."""

    def __init__(self, fleet, pattern):
        self.counts, self.ended, self.agent = {}, threading.Event(), Agent(fleet.ports[0])
        self.rounds, self.pattern, self.trouble = 0, pattern, None
        self.thread = threading.Thread(target=self.run, daemon=True)
        self.thread.start()

    def run(self):
        try:
            while not self.ended.is_set():
                for one in self.agent.call_all([self.pattern], "purge", arguments={"volume_ml": 50}).values():
                    self.counts[one["outcome"]] = self.counts.get(one["outcome"], 0) + 1
                self.rounds += 1
        except Exception as error:  # its caller shall not learn of it from a timeout
            self.trouble = error

    def more(self):
        """Until it has been all around again. A call whose response is lost takes a minute."""
        rounds = self.rounds + 2
        until(lambda: self.rounds >= rounds or self.trouble, f"calls to {self.pattern} go on: {self.counts}")
        check(not self.trouble, f"calls to {self.pattern} end: {self.trouble!r}")

    def end(self):
        self.ended.set()
        self.thread.join()
        check(not self.trouble, f"calls to {self.pattern} ended: {self.trouble!r}")
        return self.counts


def until_responds(fleet, device):
    """A device that has been announced may still be slower to answer than the fleet waits, or behind a connection that is being
    made: it is then silent, and asked again."""
    until(lambda: fleet.agent.call(device, "pump_status")[0].startswith(f"{device}:"), f"{device} answers")


@suite
def everything_is_seen_from_either_of_two_brokers_and_one_may_die(folder):
    north, south = joined(folder)
    swarms = {"north": Swarm(north, EACH, "--prefix", "north"), "south": Swarm(south, EACH, "--prefix", "south")}
    fleets = {"north": Fleet(north, folder), "south": Fleet(south, folder)}
    for fleet in fleets.values():
        fleet.until_present(2 * EACH)
        until_responds(fleet, "north-00000")
        until_responds(fleet, "south-00000")
    before = {name: swarm.calls() for name, swarm in swarms.items()}
    loads = {name: Load(fleets["north"], f"{name}-*") for name in swarms}
    loads["north"].more()
    loads["south"].more()
    south.kill()
    silent = lambda name: fleets["north"].agent.devices(name=name, presence="silent", limit=1)[1]["total"]
    until(lambda: silent("south-*") == EACH, "all devices on it are silent")
    check(silent("north-*") == 0, "and so are others")
    loads["north"].more()
    south.start()
    fleets["north"].until_present(2 * EACH)
    fleets["south"].until_present(2 * EACH)
    loads["south"].more()
    counts = {name: load.end() for name, load in loads.items()}
    check(set(counts["north"]) == {"done"}, f"calls to others failed: {counts}")
    check(set(counts["south"]) <= {"done", "unknown", "silent", "away"} and counts["south"]["done"] > 0, counts)
    for name, swarm in swarms.items():
        ran, responded = swarm.calls() - before[name], counts[name].get("done", 0)
        check(responded <= ran <= responded + counts[name].get("unknown", 0), f"{name}: {ran} calls were run, {counts[name]}")
    for fleet in fleets.values():
        until_responds(fleet, "south-00000")


@suite
def two_devices_with_one_id_on_two_brokers_are_refused(folder):
    north, south = joined(folder)
    fleet = Fleet(north, folder)
    swarms = [Swarm(north, 1, "--prefix", "twin")]
    fleet.until_present(1)
    swarms.append(Swarm(south, 1, "--prefix", "twin"))
    until(lambda: fleet.agent.device("twin-00000")["presence"] == "refused", "both are refused")
    said, failed = fleet.agent.call("twin-00000", "purge", volume_ml=50)
    check(failed and "two devices have this name" in said, said)
    check([swarm.calls() for swarm in swarms] == [0, 0])
