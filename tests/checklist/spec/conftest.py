"""What all tests of reading checklists share."""

import pytest

from shakeproof.errors import SpecError


@pytest.fixture(scope="session")
def error_lines():
    """Call a reader, and return the lines of its error; none if it reads everything."""

    def lines(read, *arguments):
        try:
            read(*arguments)
        except SpecError as error:
            return str(error).split("\n")
        return []

    return lines
