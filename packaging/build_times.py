#!/usr/bin/env python3
"""Where the time of a build went, by room: build_times.py BUILD (build/release), after a build from nothing without the compiler
cache (CCACHE_DISABLE=1). Seconds are of the clock from the start to the end of each command, as ninja has logged them: of
processors only where no more commands run at once than there are cores, and nothing else does."""

import collections
import re
import signal
import sys

ROOM = re.compile(r"^(core|views|app)/(?:CMakeFiles/altiscope_view_)?(\w+)")


def times(build):
    """Room to (seconds, commands); what a room's tests take is with tests."""
    last = {}
    with open(f"{build}/.ninja_log", encoding="utf-8") as log:
        for line in log:
            fields = line.rstrip("\n").split("\t")
            if len(fields) == 5:
                start, end, _, output, command = fields
                # A command with several outputs has a line of each.
                last[output] = (command, int(end) - int(start))
    rooms = collections.defaultdict(lambda: [0.0, 0])
    for output, (command, milliseconds) in {entry[0]: (output, entry) for output, entry in last.items()}.values():
        match = ROOM.match(output)
        room = rooms[f"{match[1]}/{re.sub('_full$', '', match[2])}" if match else output.split("/", 1)[0]]
        room[0] += milliseconds / 1000
        room[1] += 1
    return rooms


def main(build="build/release"):
    rooms = times(build)
    for room, (seconds, commands) in sorted(rooms.items(), key=lambda entry: -entry[1][0]):
        print(f"{seconds:8.1f} s  {commands:4} commands  {room}")
    print(f"{sum(seconds for seconds, _ in rooms.values()):8.1f} s  in all")


if __name__ == "__main__":
    signal.signal(signal.SIGPIPE, signal.SIG_DFL)  # `| head` ends it quietly
    main(*sys.argv[1:])
