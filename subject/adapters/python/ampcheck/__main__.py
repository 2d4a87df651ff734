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
    name = arguments[0]
    try:
        module = importlib.import_module(f"ampcheck.{name}_adapter")
    except ModuleNotFoundError as error:
        print(f"{sys.executable} has no package {error.name}; `./dev adapter {name}` makes an "
              f"environment that has it", file=sys.stderr)
        return 1
    module.main()
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
