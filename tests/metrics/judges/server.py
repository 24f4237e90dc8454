"""A scripted OpenAI-compatible server on loopback: a function says how each request is answered.

    def answer(request: dict) -> Reply:  # the JSON of the request
        return score_reply(4)

    with scripted_server(answer) as server:
        ...  # ask server.url
    assert len(server.requests) == 3

As a program, `python server.py SECONDS`, it answers every request with the score 4 after so many
seconds, and prints its address.
"""

from __future__ import annotations

import asyncio
import json
import sys
import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from ssl import SSLContext
from typing import Any

PATH = "/v1"


@dataclass(frozen=True)
class Reply:
    """What the server does with a request."""

    body: dict[str, Any] | str = ""  # JSON, or text that is sent as it is
    status: int = 200
    headers: Mapping[str, str] = field(default_factory=dict)
    delay: float = 0.0  # seconds before the answer
    drop: bool = False  # close the connection without an answer
    cut: bool = False  # send half of the answer, then close the connection
    hang: bool = False  # never answer


def text_reply(
    text: str | None,
    *,
    model: str = "judge-1",
    tokens: tuple[int, int] = (100, 10),
    finish: str = "stop",
    delay: float = 0.0,
    logprobs: Mapping[str, float] | None = None,
    **message: Any,
) -> Reply:
    """Answer with the text of a message; `logprobs` are those of its first token."""
    choice: dict[str, Any] = {
        "index": 0,
        "finish_reason": finish,
        "message": {"role": "assistant", "content": text, **message},
    }
    if logprobs is not None:
        top = [{"token": token, "logprob": value} for token, value in logprobs.items()]
        choice["logprobs"] = {"content": [{**top[0], "top_logprobs": top}]}
    usage = {"prompt_tokens": tokens[0], "completion_tokens": tokens[1]}
    body = {"object": "chat.completion", "model": model, "choices": [choice], "usage": usage}
    return Reply(body, delay=delay)


def score_reply(score: float, **how: Any) -> Reply:
    """Answer with a score, as the schema of `judge` asks for it."""
    return text_reply(json.dumps({"score": score}), **how)


def better_reply(better: str, **how: Any) -> Reply:
    """Answer "first", "second" or "tie", as the schema of `judge-pairs` asks for it."""
    return text_reply(json.dumps({"better": better}), **how)


def prompt_of(request: Mapping[str, Any]) -> str:
    """Return the text of a request's last message."""
    return str(request["messages"][-1]["content"])


class ScriptedServer:
    """A running server: its address, the requests it got, and how many it answered in full."""

    def __init__(
        self, answer: Callable[[dict[str, Any]], Reply], context: SSLContext | None = None
    ) -> None:
        self._answer = answer
        self._context = context  # None: not encrypted
        self.requests: list[dict[str, Any]] = []
        self.headers: list[dict[str, str]] = []  # of the requests; names in lower case
        self.answered = 0  # requests with a complete answer of status 200
        self.most_at_once = 0
        self.mistake: Exception | None = None  # what the script raised first
        self.port = 0
        self._at_once = 0
        self._connections: set[asyncio.StreamWriter] = set()
        self._loop = asyncio.new_event_loop()
        self._server: asyncio.Server | None = None

    @property
    def url(self) -> str:
        """Return the address as checklists write it."""
        return f"{'https' if self._context else 'http'}://127.0.0.1:{self.port}{PATH}"

    def start(self, port: int = 0) -> None:
        """Listen, on a free port unless one is given, and answer in a thread."""
        ready = threading.Event()
        self._thread = threading.Thread(target=self._run, args=(port, ready), daemon=True)
        self._thread.start()
        if not ready.wait(30):
            raise RuntimeError("the scripted server did not start")

    def stop(self) -> None:
        """Close all connections, in the middle of an answer too, and listen no longer."""
        if self._thread.is_alive():
            self._loop.call_soon_threadsafe(self.end)
            self._thread.join(30)

    def _run(self, port: int, ready: threading.Event) -> None:
        asyncio.set_event_loop(self._loop)
        start = asyncio.start_server(self._serve, "127.0.0.1", port, backlog=512, ssl=self._context)
        self._server = self._loop.run_until_complete(start)
        self.port = self._server.sockets[0].getsockname()[1]
        ready.set()
        self._loop.run_forever()
        for task in asyncio.all_tasks(self._loop):
            task.cancel()
        self._loop.run_until_complete(asyncio.sleep(0))
        self._loop.close()

    def end(self) -> None:
        """End the server; a script may call this."""
        if self._server is not None:
            self._server.close()
        for writer in self._connections:
            writer.transport.abort()
        self._loop.call_soon(self._loop.stop)

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._connections.add(writer)
        try:
            while (request := await _read(reader)) is not None:
                if not await self._respond(*request, writer):
                    break
        except (ConnectionError, asyncio.IncompleteReadError, asyncio.CancelledError):
            pass
        finally:
            self._connections.discard(writer)
            writer.close()

    async def _respond(
        self, headers: dict[str, str], body: bytes, writer: asyncio.StreamWriter
    ) -> bool:
        """Do what the script says; return whether the connection stays open."""
        request = json.loads(body)
        self.requests.append(request)
        self.headers.append(headers)
        self._at_once += 1
        self.most_at_once = max(self.most_at_once, self._at_once)
        try:
            reply = self._reply(request)
            if reply.delay:
                await asyncio.sleep(reply.delay)
            if reply.hang:
                await asyncio.sleep(3600)
        finally:
            self._at_once -= 1
        if reply.drop:
            return False
        content = _written(reply)
        writer.write(content[: -len(content) // 3] if reply.cut else content)
        self.answered += reply.status == 200 and not reply.cut
        if reply.cut:
            await writer.drain()
        return not reply.cut

    def _reply(self, request: dict[str, Any]) -> Reply:
        try:
            return self._answer(request)
        except Exception as error:  # raised again where the server was started
            self.mistake = self.mistake or error
            return Reply({"error": {"message": f"the script failed: {error!r}"}}, status=400)


async def _read(reader: asyncio.StreamReader) -> tuple[dict[str, str], bytes] | None:
    """Read one request; None if the connection was closed."""
    try:
        head = await reader.readuntil(b"\r\n\r\n")
    except asyncio.IncompleteReadError:
        return None
    lines = head.decode("latin-1").split("\r\n")[1:-2]
    headers = {
        name.lower(): value.strip() for name, _, value in (line.partition(":") for line in lines)
    }
    return headers, await reader.readexactly(int(headers.get("content-length", 0)))


def _written(reply: Reply) -> bytes:
    body = reply.body if isinstance(reply.body, str) else json.dumps(reply.body)
    content = body.encode()
    headers = {
        "Content-Type": "application/json",
        "Content-Length": str(len(content)),
        **reply.headers,
    }
    lines = "".join(f"{name}: {value}\r\n" for name, value in headers.items())
    return f"HTTP/1.1 {reply.status} Scripted\r\n{lines}\r\n".encode("latin-1") + content


@contextmanager
def scripted_server(
    answer: Callable[[dict[str, Any]], Reply], port: int = 0, context: SSLContext | None = None
) -> Iterator[ScriptedServer]:
    """Run a server in a thread; `answer` says what it does with each request."""
    server = ScriptedServer(answer, context)
    server.start(port)
    try:
        yield server
    finally:
        server.stop()
    if server.mistake is not None:
        raise server.mistake


if __name__ == "__main__":
    with scripted_server(lambda _: score_reply(4, delay=float(sys.argv[1]))) as program:
        print(program.url, flush=True)
        sys.stdin.read()  # until the other side closes it
