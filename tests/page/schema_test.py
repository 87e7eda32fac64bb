#!/usr/bin/env python3
"""Validates the analysis summaries against qhas_schema.json, and sees that the schema can refuse.

  schema_test.py FOLDER     what write_pages wrote; exit 77 where python3-jsonschema is not installed
"""

import copy
import json
import pathlib
import sys

SKIPPED = 77
SMALL = ("small", "odd", "hostile", "empty", "spread", "voted")  # the large one is the same code, and minutes of validation


def broken_ones(document):
    """Documents with one thing wrong each."""
    def changed(change):
        other = copy.deepcopy(document)
        change(other)
        return other
    rows = document["data"]["htp_op_instances"]["data"]
    yield "another type code", changed(lambda d: d.update(type_code="HTML"))
    yield "no section of op types", changed(lambda d: d["data"].pop("qnn_op_types"))
    yield "more than all of the time", changed(
        lambda d: d["data"]["htp_overall_summary"]["data"][0].update(percent_idle=101))
    yield "a clock that is not simulated", changed(lambda d: d["data"]["timing_model"].update(clock="device"))
    if rows:
        yield "an id that is a number", changed(lambda d: d["data"]["htp_op_instances"]["data"][0].update(op_id=3))
        yield "negative cycles", changed(lambda d: d["data"]["htp_op_instances"]["data"][0].update(cycles=-1))


def main(folder):
    try:
        import jsonschema
    except ImportError:
        print("skipped: python3-jsonschema is not installed")
        return SKIPPED
    schema = json.loads((folder / "qhas_schema.json").read_text(encoding="utf-8"))
    jsonschema.Draft7Validator.check_schema(schema)
    validator = jsonschema.Draft7Validator(schema)
    for name in SMALL:
        document = json.loads((folder / f"{name}.json").read_text(encoding="utf-8"))
        errors = [f"{name}.json: {'/'.join(map(str, e.absolute_path))}: {e.message}" for e in validator.iter_errors(document)]
        for what, other in broken_ones(document):
            if validator.is_valid(other):
                errors.append(f"{name}.json: the schema takes {what}")
        if errors:
            print("\n".join(errors[:20]))
            return 1
    large = json.loads((folder / "large.json").read_text(encoding="utf-8"))["data"]
    ids = [row["op_id"] for row in large["htp_op_instances"]["data"]]
    if len(ids) != large["htp_overall_summary"]["data"][0]["htp_nodes"] or len(set(ids)) != len(ids):
        print("large.json: HTP ops are missing or there twice")
        return 1
    print(f"{len(SMALL)} files valid, {len(ids)} HTP ops complete")
    return 0


if __name__ == "__main__":
    sys.exit(main(pathlib.Path(sys.argv[1])))
