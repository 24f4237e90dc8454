"""One request to an OpenAI-compatible server, and what its answer or its failure means."""

from __future__ import annotations

import asyncio
import json
import logging
import ssl
import threading
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from functools import cache
from math import isfinite
from socket import gaierror
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit
from urllib.request import getproxies, proxy_bypass

from shakeproof.metrics.failures import MAX_DETAIL, Failure, one_line
from shakeproof.metrics.judges.endpoint import PATH, Secret

if TYPE_CHECKING:
    import httpx

MAX_BYTES = 10_000_000  # of an answer
CONNECT_SECONDS = 10.0
HEADERS = {
    "Content-Type": "application/json",
    "Accept": "application/json",
    "Accept-Encoding": "identity",
    "User-Agent": "shakeproof",
}
LOOPBACK = ("localhost", "127.0.0.1", "::1")
CLOSED = (ssl.SSLEOFError, ssl.SSLZeroReturnError)  # by the server, before there is a connection
REFUSED_KEY = (401, 403)
NOT_THERE = (404, 405)
OVERLOADED = (429, 503)
NO_CREDIT = "insufficient_quota"
LOGGERS = (
    "httpx",
    *(f"httpcore.{part}" for part in ("connection", "http11", "http2", "proxy", "socks")),
)


class GiveUp(Exception):
    """No other question would be answered either."""

    def __init__(self, failure: Failure) -> None:
        super().__init__(failure.kind)
        self.failure = failure


class Refused(Exception):
    """The server does not answer this question, and would not another time."""

    def __init__(self, failure: Failure) -> None:
        super().__init__(failure.kind)
        self.failure = failure


class TryAgain(Exception):
    """The same question may be answered later."""

    def __init__(
        self,
        failure: Failure,
        *,
        wait: float | None = None,  # seconds that the server asks for
        overloaded: bool = False,
        taken: bool = False,  # the server may have answered, and wants to be paid
        unreachable: bool = False,
    ) -> None:
        super().__init__(failure.kind)
        self.failure = failure
        self.wait = wait
        self.overloaded = overloaded
        self.taken = taken
        self.unreachable = unreachable


@dataclass(frozen=True, slots=True)
class Server:
    """Where questions are sent, and how long an answer may take."""

    endpoint: str
    secret: Secret
    timeout: float

    async def ask(self, connection: httpx.AsyncHTTPTransport, question: bytes) -> dict[str, Any]:
        """Send a question and return the JSON object of its answer."""
        import httpx

        request = httpx.Request(
            "POST",
            f"{self.endpoint}{PATH}",
            content=question,
            headers={**HEADERS, **self.secret.headers},
            extensions={"timeout": {"connect": CONNECT_SECONDS}},
        )
        try:
            async with asyncio.timeout(self.timeout):
                response = await connection.handle_async_request(request)
                try:
                    content = await _content(response)
                finally:
                    await response.aclose()
        except (TimeoutError, httpx.ReadTimeout, httpx.WriteTimeout, httpx.PoolTimeout):
            failure = Failure(f"no answer within {self.timeout:g} seconds")
            raise TryAgain(failure, taken=True) from None
        except (httpx.ConnectError, httpx.ConnectTimeout) as error:
            raise self._unreachable(error) from None
        except httpx.HTTPError as error:
            failure = Failure("the connection was dropped", self._shown(str(error)))
            raise TryAgain(failure, taken=True) from None
        if response.status_code != 200:
            raise self._refusal(response.status_code, response.headers, content)
        return self._parsed(content)

    def _parsed(self, content: bytes) -> dict[str, Any]:
        try:
            answer = json.loads(content)
        except (ValueError, RecursionError):
            answer = None
        if not isinstance(answer, dict):
            shown = self._shown(content.decode("utf-8", "replace"))
            raise TryAgain(Failure("the server's answer is no JSON", shown), taken=True)
        return answer

    def _unreachable(self, error: Exception) -> GiveUp | TryAgain:
        """Describe why there is no connection; a wrong certificate stays wrong."""
        causes = list(_causes(error))
        refusal = next((one for one in causes if isinstance(one, ssl.SSLError)), None)
        if refusal is not None and not isinstance(refusal, CLOSED):
            reason = self._shown(str(refusal))
            return GiveUp(Failure("no secure connection to the endpoint", reason))
        failure = Failure("no connection to the endpoint; is the server running?")
        if any(isinstance(cause, gaierror) for cause in causes):
            failure = Failure("the name of the endpoint's host is not known; check endpoint")
        return TryAgain(failure, unreachable=True)

    def _refusal(
        self, status: int, headers: Mapping[str, str], content: bytes
    ) -> GiveUp | Refused | TryAgain:
        """Describe what a status other than 200 means."""
        said = self._shown(_message(content))
        if status in REFUSED_KEY:
            variable, has = self.secret.variable, bool(self.secret.value)
            advice = f"check the key in {variable}" if has else f"set {variable} to a key"
            return GiveUp(Failure(f"the server refuses the key (HTTP {status}); {advice}", said))
        if status in NOT_THERE:
            advice = "endpoint must be the base address, such as http://host:8000/v1, and model one"
            return GiveUp(Failure(f"nothing there (HTTP {status}); {advice} that it has", said))
        if 300 <= status < 400:
            place = self._shown(headers.get("location", ""))
            return GiveUp(Failure(f"redirected (HTTP {status}); write the final endpoint", place))
        if status == 402 or (status == 429 and NO_CREDIT.encode() in content):
            return GiveUp(Failure(f"the account has no credit left (HTTP {status})", said))
        failure = Failure(f"HTTP {status}", said)
        if status in (408, 425, 429) or status >= 500:
            wait = seconds_to_wait(headers.get("retry-after"), datetime.now(UTC))
            return TryAgain(failure, wait=wait, overloaded=status in OVERLOADED)
        return Refused(Failure(f"the server refuses the question (HTTP {status})", said))

    def _shown(self, text: str) -> str:
        return one_line(self.secret.hidden_in(text), MAX_DETAIL)


def seconds_to_wait(header: str | None, now: datetime) -> float | None:
    """Read a Retry-After header, which has seconds or a date; None if it says nothing."""
    if header is None:
        return None
    try:
        seconds = float(header)
    except ValueError:
        try:
            until = parsedate_to_datetime(header)
        except ValueError:
            return None
        until = until if until.tzinfo else until.replace(tzinfo=UTC)
        seconds = (until - now).total_seconds()
    return max(0.0, seconds) if isfinite(seconds) else None


async def _content(response: httpx.Response) -> bytes:
    content = bytearray()
    async for part in response.aiter_bytes():
        content += part
        if len(content) > MAX_BYTES:
            failure = Failure(f"the server's answer has more than {MAX_BYTES:,} bytes")
            raise TryAgain(failure, taken=True)
    return bytes(content)


def _message(content: bytes) -> str:
    """Return the message in the body of a refusal, which servers put in different places."""
    try:
        body = json.loads(content)
    except (ValueError, RecursionError):
        return content.decode("utf-8", "replace")
    for key in ("error", "message", "detail"):
        if isinstance(body, dict) and key in body:
            body = body[key]
    return body if isinstance(body, str) else json.dumps(body, ensure_ascii=False)


def _causes(error: BaseException | None) -> Iterator[BaseException]:
    while error is not None:
        yield error
        error = error.__cause__ or error.__context__


def make_connection(endpoint: str, context: ssl.SSLContext) -> httpx.AsyncHTTPTransport:
    """Return a connection; a pool of many takes long to choose among them, and so do clients.

    It goes through a proxy that the environment names, as with other programs.
    """
    import httpx

    return httpx.AsyncHTTPTransport(
        verify=context,
        limits=httpx.Limits(max_connections=1, max_keepalive_connections=1),
        proxy=find_proxy(endpoint),
    )


def find_proxy(endpoint: str) -> str | None:
    """Return the proxy for an address; none for this machine itself."""
    parts = urlsplit(endpoint)
    host, proxies = parts.hostname or "", getproxies()
    if host in LOOPBACK or proxy_bypass(host):
        return None
    return proxies.get(parts.scheme) or proxies.get("all")


@cache
def make_context() -> ssl.SSLContext:
    """Return what secure connections are checked with, once for all of them."""
    import httpx

    return httpx.create_ssl_context()


class Silence(logging.Filter):
    """Drops what the client library logs in this thread; it shows addresses and headers."""

    def __init__(self) -> None:
        super().__init__()
        self._thread = threading.get_ident()

    def __enter__(self) -> None:
        for name in LOGGERS:
            logging.getLogger(name).addFilter(self)

    def __exit__(self, *_: object) -> None:
        for name in LOGGERS:
            logging.getLogger(name).removeFilter(self)

    def filter(self, record: logging.LogRecord) -> bool:
        """Return whether a record is of another thread."""
        return record.thread != self._thread
