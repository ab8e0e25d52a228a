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
    """Somebody who calls devices all the time, and counts what becomes of it."""

    def __init__(self, fleet, pattern):
        self.counts, self.ended, self.agent = {}, threading.Event(), Agent(fleet.ports[0])
        self.rounds, self.thread = 0, threading.Thread(target=self.run, args=(pattern,), daemon=True)
        self.thread.start()

    def run(self, pattern):
        while not self.ended.is_set():
            for one in self.agent.call_all([pattern], "purge", arguments={"volume_ml": 50}).values():
                self.counts[one["outcome"]] = self.counts.get(one["outcome"], 0) + 1
            self.rounds += 1

    def more(self):
        """Until it has been all around again."""
        rounds = self.rounds + 2
        until(lambda: self.rounds >= rounds, "calls go on")

    def end(self):
        self.ended.set()
        self.thread.join()
        return self.counts


@suite
def everything_is_seen_from_either_of_two_brokers_and_one_may_die(folder):
    north, south = joined(folder)
    swarms = {"north": Swarm(north, EACH, "--prefix", "north"), "south": Swarm(south, EACH, "--prefix", "south")}
    fleets = {"north": Fleet(north, folder), "south": Fleet(south, folder)}
    for fleet in fleets.values():
        fleet.until_present(2 * EACH)
        check(fleet.agent.call("north-00000", "pump_status")[0].startswith("north-00000:"))
        check(fleet.agent.call("south-00000", "pump_status")[0].startswith("south-00000:"))
    before = {name: swarm.calls() for name, swarm in swarms.items()}
    loads = {name: Load(fleets["north"], f"{name}-*") for name in swarms}
    loads["north"].more()
    loads["south"].more()
    south.kill()
    fleets["north"].until_present(EACH)
    check(fleets["north"].agent.devices(name="south-*", presence="silent", limit=1)[1]["total"] == EACH, "not all are silent")
    loads["north"].more()
    south.start()
    fleets["north"].until_present(2 * EACH)
    fleets["south"].until_present(2 * EACH)
    loads["south"].more()
    counts = {name: load.end() for name, load in loads.items()}
    check(set(counts["north"]) == {"done"}, f"calls to others failed: {counts}")
    check(set(counts["south"]) <= {"done", "unknown", "silent", "away"} and counts["south"]["done"] > 0, counts)
    for name, swarm in swarms.items():
        ran, answered = swarm.calls() - before[name], counts[name].get("done", 0)
        check(answered <= ran <= answered + counts[name].get("unknown", 0), f"{name}: {ran} calls were run, {counts[name]}")
    for fleet in fleets.values():
        check(fleet.agent.call("south-00000", "pump_status")[0].startswith("south-00000:"))


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
