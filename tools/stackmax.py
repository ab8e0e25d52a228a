#!/usr/bin/env python3
"""stackmax.py - worst-case stack and recursion, from gcc's -fcallgraph-info=su files.

usage: stackmax.py [options] FILE.ci...

Walks the call graph from every root and prints the deepest path with the frame of each function. A call
through a pointer is looked up by the pointer's name in the source line (a->render(a): "render") in the
--calls file, whose lines read

    render: list_* core/tools.c:*_body   # what it may hold: patterns of names, or of file:name for static functions
    core/wire/http.c->handle: on_*            # only for the calls in this file

A figure is worthless if the graph has gaps, so each of these is a line of output and exit status 1: recursion,
a frame whose size is not fixed, a pointer missing from the calls file, and a function that nothing calls and no
pointer may hold (unless --public headers declare it, or --unused-ok says that features were left out).
"""
import argparse
import fnmatch
import re
import sys

NODE = re.compile(r'node: \{ title: "([^"]+)" label: "([^"]*)"')
EDGE = re.compile(r'edge: \{ sourcename: "([^"]+)" targetname: "([^"]+)"(?: label: "([^"]*)")?')
FRAME = re.compile(r"(\d+) bytes \(([\w,]+)\)")
INDIRECT = "__indirect_call"


def short(title):
    """Static functions are titled file:name; some names have a suffix (core/skr_layout.h)."""
    return title.rsplit(":", 1)[-1].split("_of_another_configuration_")[0]


class Graph:
    def __init__(self, paths):
        self.frame = {}  # title -> bytes
        self.kind = {}  # title -> static, dynamic, ...
        self.callees = {}  # title -> set of titles
        self.pointer_calls = []  # (caller, "file:line:column")
        for path in paths:
            with open(path) as f:
                self.read(f.read())

    def read(self, text):
        for title, label in NODE.findall(text):
            found = FRAME.search(label)
            if found:
                self.frame[title] = int(found.group(1))
                self.kind[title] = found.group(2)
        for caller, callee, where in EDGE.findall(text):
            if callee == INDIRECT:
                self.pointer_calls.append((caller, where))
            else:
                self.callees.setdefault(caller, set()).add(callee)

    def matching(self, patterns):
        return {t for t in self.frame for p in patterns if fnmatch.fnmatchcase(t if ":" in p else short(t), p)}


def read_calls(path):
    """The --calls file: pointer name -> patterns of function names."""
    calls = {}
    if path:
        with open(path) as f:
            for line in f:
                pointer, colon, targets = line.split("#")[0].partition(":")
                if colon:
                    calls.setdefault(pointer.strip(), []).extend(targets.split())
    return calls


def pointer_name(where):
    """The name before the parenthesis of a call through a pointer, from the source itself."""
    path, line, _ = where.rsplit(":", 2)
    with open(path) as f:
        text = f.read().split("\n")[int(line) - 1]
    names = re.findall(r"(?:->|\.)(\w+)\)?\(", text) or re.findall(r"(\w+)\)?\(", text)
    return names[0] if len(set(names)) == 1 else text.strip()


def add_pointer_calls(graph, calls):
    """Turns calls through pointers into edges. Returns what may be called that way, and complaints."""
    targets, complaints = set(), []
    for caller, where in graph.pointer_calls:
        pointer = pointer_name(where)
        in_file = f"{where.split(':')[0]}->{pointer}"
        pointer = in_file if in_file in calls else pointer
        if pointer not in calls:
            complaints.append(f"{where}: call through '{pointer}', which the calls file does not name")
            continue
        found = graph.matching(calls[pointer])
        graph.callees.setdefault(caller, set()).update(found)
        targets |= found
    return targets, complaints


def find_cycles(graph):
    """Every function that can reach itself, as one path each."""
    cycles = set()
    done = set()
    for start in sorted(graph.frame):
        stack = [(start, iter(sorted(graph.callees.get(start, ()))))]
        path = [start]
        while stack:
            title, rest = stack[-1]
            callee = next(rest, None)
            if callee is None:
                stack.pop()
                done.add(path.pop())
            elif callee in path:
                cycle = path[path.index(callee):]
                at = cycle.index(min(cycle))
                cycles.add(tuple(cycle[at:] + cycle[:at]))
            elif callee not in done:
                stack.append((callee, iter(sorted(graph.callees.get(callee, ())))))
                path.append(callee)
    return sorted(cycles)


def deepest(graph, title, library, memo):
    """(bytes, path) of the deepest chain of calls. The graph has no cycles."""
    if title not in memo:
        best = (0, ())
        for callee in sorted(graph.callees.get(title, ())):
            best = max(best, deepest(graph, callee, library, memo), key=lambda chain: chain[0])
        memo[title] = (graph.frame.get(title, library) + best[0], (title,) + best[1])
    return memo[title]


def uncalled(graph, targets, headers, roots):
    """Functions outside the graph: neither called, nor behind a pointer, nor public."""
    reached = set().union(*graph.callees.values()) | targets if graph.callees else targets
    public = set(roots)
    for path in headers:
        with open(path) as f:
            public.update(re.findall(r"\b(\w+)\(", f.read()))
    return sorted(t for t in graph.frame if t not in reached and short(t) not in public)


def main():
    parser = argparse.ArgumentParser(description="Worst-case stack and recursion, from gcc's .ci files.")
    parser.add_argument("--calls", help="what function pointers may hold")
    parser.add_argument("--public", action="append", default=[], metavar="HEADER", help="declares what others call")
    parser.add_argument("--unused-ok", action="store_true", help="functions that nothing calls are all right")
    parser.add_argument("--root", action="append", default=[], help="print the deepest path from this function")
    parser.add_argument("--library", type=int, default=0, metavar="BYTES",
                        help="frame to assume for functions of the C library")
    parser.add_argument("--max", type=int, metavar="BYTES", help="fail when a root needs more")
    parser.add_argument("--total-only", action="store_true", help="one line per root, without the path")
    parser.add_argument("ci", nargs="+")
    args = parser.parse_args()

    graph = Graph(args.ci)
    targets, complaints = add_pointer_calls(graph, read_calls(args.calls))
    if not args.unused_ok:
        complaints += [f"{short(t)}: nothing calls it and no pointer in the calls file holds it; is it left over?"
                       for t in uncalled(graph, targets, args.public, args.root)]
    complaints += [f"{short(t)}: its frame is '{k}', not a fixed size"
                   for t, k in sorted(graph.kind.items()) if k not in ("static", "dynamic,bounded")]
    cycles = find_cycles(graph)
    complaints += ["recursion: " + " -> ".join(short(t) for t in c + c[:1]) for c in cycles]

    if not cycles:
        memo = {}
        for root in args.root:
            titles = [t for t in graph.frame if short(t) == root]
            if not titles:
                complaints.append(f"{root}: no such function")
                continue
            total, path = deepest(graph, titles[0], args.library, memo)
            limit = f" (at most {args.max})" if args.max else ""
            print(f"{root}: {total} bytes{limit}")
            if not args.total_only:
                for t in path:
                    print(f"{graph.frame.get(t, args.library):8d}  {short(t)}{'' if t in graph.frame else ' (library)'}")
            if args.max and total > args.max:
                complaints.append(f"{root}: {total} bytes of stack, {total - args.max} more than allowed")
    for complaint in complaints:
        print(f"stackmax: {complaint}")
    if not args.root:
        print(f"{len(graph.frame)} functions, {len(complaints)} complaints")
    return 1 if complaints else 0


if __name__ == "__main__":
    sys.exit(main())
