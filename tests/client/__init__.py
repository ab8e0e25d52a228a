"""What the tests in Python share: one meaning for each helper. Standard library only; tests/README.md has the map.

A script of a folder below tests/ says where this lies, and leaves no files beside the sources:

    sys.dont_write_bytecode = True
    sys.path.append(os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
"""
