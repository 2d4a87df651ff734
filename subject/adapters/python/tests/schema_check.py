"""Validates a recorded stream: schema_check.py FILE.jsonl [SCHEMA]

A line of the file is {"to": "subject" or "ampcheck", "message": {…}}. The first line that is not
as subject/protocol.schema.json says is named, with the path inside it, and the exit code is 1. A
file without any message fails as well.

Needs jsonschema (Debian: python3-jsonschema).
"""
import json
import os
import sys

import jsonschema

HERE = os.path.dirname(os.path.abspath(__file__))
SCHEMA = os.path.join(HERE, "..", "..", "..", "protocol.schema.json")


def validators(path=SCHEMA):
    """A validator for each direction: {"subject": …, "ampcheck": …}."""
    with open(path, encoding="utf-8") as file:
        schema = json.load(file)
    jsonschema.Draft7Validator.check_schema(schema)
    return {to: jsonschema.Draft7Validator({"definitions": schema["definitions"],
                                            "$ref": f"#/definitions/to_{to}"})
            for to in ("subject", "ampcheck")}


def fault(validator, message):
    """What is wrong with a message: 'path: reason', or None."""
    errors = list(validator.iter_errors(message))
    if not errors:
        return None
    worst = jsonschema.exceptions.best_match(errors)
    path = "".join(f"[{part}]" if isinstance(part, int) else f".{part}"
                   for part in worst.absolute_path)
    return f"{path.lstrip('.') or 'the message'}: {worst.message[:300]}"


def check(lines, by_direction):
    """The first fault of a stream, as 'line 3: run.steps[0]: …', or None."""
    number = 0
    for number, line in enumerate(lines, 1):
        try:
            record = json.loads(line)
            validator, message = by_direction[record["to"]], record["message"]
        except (ValueError, KeyError, TypeError) as error:
            return f"line {number}: no record of a message: {error}"
        found = fault(validator, message)
        if found:
            return f"line {number}: to {record['to']}: {found}"
    return None if number else "there is no message"


def main(arguments):
    if len(arguments) not in (1, 2):
        print(__doc__, file=sys.stderr)
        return 2
    with open(arguments[0], encoding="utf-8") as file:
        found = check(file, validators(*arguments[1:]))
    if found:
        print(f"{arguments[0]}: {found}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
