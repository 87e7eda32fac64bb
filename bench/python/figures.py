# SPDX-License-Identifier: BSD-3-Clause
"""What the Python benchmarks share: the interval of a ratio, and the list of figures that scripts/bench collects."""

import json
import random
import statistics


def interval(ours, peer):
    """95 % of the ratios of medians of resampled rounds."""
    source = random.Random(1)
    ratios = sorted(statistics.median(source.choices(peer, k=len(peer))) / statistics.median(source.choices(ours, k=len(ours)))
                    for _ in range(1000))
    return ratios[25], ratios[974]


def figure(name, unit, ours, peer_name, peer, note):
    """A figure of what was measured in rounds; above 1, ours is better."""
    mine, theirs = statistics.median(ours), statistics.median(peer)
    low, high = interval(ours, peer)
    return {"name": name, "value": mine, "unit": unit, "peer": peer_name, "peer_value": theirs, "ratio": theirs / mine,
            "ratio_low": low, "ratio_high": high, "note": note}


def show(row):
    print(f"  {row['name']}: {row['value']:.4g} {row['unit']}, {row['peer']} {row['peer_value']:.4g}, ratio {row['ratio']:.2f} "
          f"[{row['ratio_low']:.2f}, {row['ratio_high']:.2f}]; {row['note']}", flush=True)


def add_to_file(figures, path):
    """Behind those that are in the file already, where one is given."""
    if path:
        known = json.loads(path.read_text(encoding="utf-8")) if path.exists() else []
        path.write_text(json.dumps(known + figures, indent=1) + "\n", encoding="utf-8")


def report(figures, path):
    for row in figures:
        show(row)
    add_to_file(figures, path)
