#!/usr/bin/env python3
"""Which rank is slow, and how one sees it: from the finding to the pinned streams, in both languages and themes.

    walk_slow_rank.py [--keep FOLDER]

On the page Findings the slow rank's finding is opened by the keyboard: its text stands above the timeline, and what lies below changes.
Back on the findings the text still stands there. Takes ALTI_GUI and ALTI_CLI.
"""

import sys

from walk_support import generated, rows, run_walks

# At the walks' size: the line of the finding above the tabs, the canvas below the ruler, right of the names.
BAR, CANVAS = (322, 50, 1270, 130), (560, 150, 1262, 560)
ERRORS = {"light": (0xB3, 0x26, 0x1E), "dark": (0xFF, 0x8A, 0x80)}
RANKS, SLOW = 4, 2


def stands_above(picture, theme):
    """Whether the sign of high severity stands in the line above the tabs."""
    left, top, right, bottom = BAR
    return any(picture.at(x, y) == ERRORS[theme] for y in range(top, bottom) for x in range(left, left + 40))


def walk_in(stage, capture):
    theme = stage.theme
    with stage.window("--view", "findings", capture) as step:
        findings = step.shot("findings")
        assert not stands_above(findings, theme)
        step.click(600, 176)  # the first row, in both languages
        step.key("Home", "Return")
        step.until("the text above the timeline", lambda: stands_above(step.picture(), theme))
        shown = step.shot("evidence")
        assert shown.part(CANVAS) != findings.part(CANVAS)
        step.key("alt+Left")
        step.until("the findings again", lambda: step.picture().part(CANVAS) != shown.part(CANVAS))
        assert stands_above(step.shot("findings_again"), theme), "the text stays until it is closed"


def prepare(keep):
    capture = generated(keep, "--ranks", str(RANKS), "--steps", "2", "--layers", "2", "--plant", f"slow-rank={SLOW}:60",
                        "--clock-offset-us", "300")
    first = rows(capture, "SELECT rule, rank_id FROM finding")[0]
    assert first == {"rule": "slow_rank", "rank_id": SLOW}, first
    return (capture,)


if __name__ == "__main__":
    sys.exit(run_walks(__doc__, walk_in, prepare))
