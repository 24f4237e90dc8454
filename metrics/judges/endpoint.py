"""The address of a server and the key for it, which no message may show."""

from __future__ import annotations

import os
from dataclasses import dataclass
from urllib.parse import urlsplit

from shakeproof.metrics.failures import Failure, RatingFailed

DEFAULT_KEY = "JUDGE_KEY"  # the environment variable
MIN_HIDDEN = 4  # characters; a shorter key is no secret, and would be found in every text
PATH = "/chat/completions"


def check_endpoint(endpoint: str) -> str:
    """Return the address; a ValueError, which does not quote it, says what is wrong with it."""
    example = "such as http://host:8000/v1"
    try:
        parts = urlsplit(endpoint)
        host, _ = parts.hostname, parts.port
    except ValueError:
        raise ValueError(f"endpoint is no address, {example}") from None
    if parts.scheme not in ("http", "https") or not host:
        raise ValueError(f"endpoint must be an address with http:// or https://, {example}")
    if parts.username is not None or parts.password is not None:
        raise ValueError(
            "endpoint must not contain a user name or password; "
            f"put the key into the environment variable {DEFAULT_KEY}"
        )
    if parts.query or parts.fragment:
        raise ValueError(
            "endpoint must not contain anything after a '?' or '#'; "
            f"put the key into the environment variable {DEFAULT_KEY}"
        )
    if any(char.isspace() or not char.isprintable() for char in endpoint):
        raise ValueError(f"endpoint must not contain blanks, {example}")
    return endpoint.rstrip("/").removesuffix(PATH)


@dataclass(frozen=True, slots=True, repr=False)
class Secret:
    """A key that is sent to the server and hidden in everything that it says."""

    variable: str
    value: str

    def hidden_in(self, text: str) -> str:
        """Return a text with "[key]" in place of the key."""
        return text.replace(self.value, "[key]") if len(self.value) >= MIN_HIDDEN else text

    @property
    def headers(self) -> dict[str, str]:
        """Return the header that shows the key to the server."""
        return {"Authorization": f"Bearer {self.value}"} if self.value else {}


def read_secret(variable: str | None) -> Secret:
    """Read the key from the environment; the default variable may be missing, a named one not."""
    name = variable or DEFAULT_KEY
    value = os.environ.get(name, "").strip()
    if variable and not value:
        message = f"the environment variable {name} is not set, which should have the key"
        raise RatingFailed(Failure(message), permanent=True)
    if not value.isascii() or any(not char.isprintable() or char == " " for char in value):
        message = f"the key in the environment variable {name} has characters that no key has"
        raise RatingFailed(Failure(message), permanent=True)
    return Secret(name, value)
