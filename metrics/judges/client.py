"""One request to an OpenAI-compatible server, and what its answer or its failure means."""

from __future__ import annotations

import asyncio
import json
import ssl
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from io import BytesIO
from math import isfinite
from socket import gaierror
from typing import TYPE_CHECKING, Any

from shakeproof.metrics.failures import MAX_DETAIL, Failure, one_line
from shakeproof.metrics.judges.endpoint import PATH, Secret

if TYPE_CHECKING:
    import aiohttp

MAX_BYTES = 10_000_000  # of an answer
MAX_PLAIN = 2**20  # bytes of a question
CLOSED = (ssl.SSLEOFError, ssl.SSLZeroReturnError)  # by the server, before there is a connection
REFUSED_KEY = (401, 403)
NOT_THERE = (404, 405)
OVERLOADED = (429, 503)
PROXY = "the proxy that the environment names (http_proxy, https_proxy)"
NO_CREDIT = "insufficient_quota"


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

    async def ask(self, client: aiohttp.ClientSession, question: bytes) -> dict[str, Any]:
        """Send a question and return the JSON object of its answer."""
        import aiohttp

        url = f"{self.endpoint}{PATH}"
        try:
            async with (
                asyncio.timeout(self.timeout),
                client.post(url, data=_body(question), allow_redirects=False) as response,
            ):
                content = await _content(response)
        except (aiohttp.ClientError, OSError) as error:
            raise self._no_answer(error) from None
        if response.status != 200:
            raise self._refusal(response.status, response.headers, content)
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

    def _no_answer(self, error: Exception) -> GiveUp | TryAgain:
        """Describe why a question has no answer, not even a refusal."""
        import aiohttp

        if isinstance(error, aiohttp.ClientConnectorError | aiohttp.ConnectionTimeoutError):
            return self._unreachable(error)
        if isinstance(error, aiohttp.ClientHttpProxyError):
            failure = Failure(f"the proxy refuses the connection (HTTP {error.status})")
            return TryAgain(failure, unreachable=True)
        if isinstance(error, aiohttp.InvalidURL):  # not shown: a proxy's may have a password
            return GiveUp(Failure(f"the address of the endpoint or of {PROXY} is not valid"))
        if isinstance(error, TimeoutError):
            return TryAgain(Failure(f"no answer within {self.timeout:g} seconds"), taken=True)
        failure = Failure("the connection was dropped", self._shown(str(error)))
        return TryAgain(failure, taken=True)

    def _unreachable(self, error: Exception) -> GiveUp | TryAgain:
        """Describe why there is no connection; a wrong certificate stays wrong."""
        import aiohttp

        causes = list(_causes(error))
        refusal = next((one for one in causes if isinstance(one, ssl.SSLError)), None)
        if refusal is not None and not isinstance(refusal, CLOSED):
            reason = self._shown(str(refusal))
            return GiveUp(Failure("no secure connection to the endpoint", reason))
        unknown = any(isinstance(cause, gaierror) for cause in causes)
        if isinstance(error, aiohttp.ClientProxyConnectionError):
            kind = f"no connection to {PROXY}"
        elif unknown:
            kind = "the name of the endpoint's host is not known; check endpoint"
        else:
            kind = "no connection to the endpoint; is the server running?"
        return TryAgain(Failure(kind), unreachable=True)

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


def _body(question: bytes) -> bytes | BytesIO:
    """Return what is sent: bytes go with the headers, in one packet; aiohttp warns of many."""
    return question if len(question) <= MAX_PLAIN else BytesIO(question)


async def _content(response: aiohttp.ClientResponse) -> bytes:
    content = bytearray()
    async for part in response.content.iter_any():
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
