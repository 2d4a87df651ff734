"""`python -m ampcheck NAME` serves the adapter NAME."""
import importlib
import sys

ADAPTERS = ("torch",)


def main(arguments):
    if len(arguments) != 1 or arguments[0] not in ADAPTERS:
        print(f"usage: python -m ampcheck {'|'.join(ADAPTERS)}", file=sys.stderr)
        return 2
    from ampcheck import protocol

    protocol.take_streams()  # before the library can print
    importlib.import_module(f"ampcheck.{arguments[0]}_adapter").main()
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
