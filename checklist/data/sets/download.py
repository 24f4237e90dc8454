"""Download a file: in parts if the connection breaks, and checked before it is used."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Callable
from http.client import HTTPException, HTTPMessage, HTTPResponse
from pathlib import Path
from typing import IO, TypeAlias
from urllib.error import HTTPError, URLError
from urllib.parse import quote, urlsplit
from urllib.request import HTTPRedirectHandler, Request, build_opener

from shakeproof.data.sets.records import OriginFile
from shakeproof.errors import SpecError
from shakeproof.files import MB

BASE_URL = "https://raw.githubusercontent.com"  # then owner, name, commit and path
BASE_VARIABLE = "SHAKEPROOF_DATA_URL"
TIMEOUT = 30  # seconds without an answer
ATTEMPTS = 3  # to go on where a connection broke off
MAX_UNKNOWN = 50 * MB  # of a file whose size is not known
BLOCK = 1 << 16
RANGE_REFUSED = 416  # the server has nothing beyond what is here

Progress: TypeAlias = Callable[[OriginFile, int], None]  # how many bytes of a file are here


class LimitedRedirects(HTTPRedirectHandler):
    """Follows few redirects, and none from https to another protocol."""

    max_redirections = 5

    def redirect_request(
        self,
        req: Request,
        fp: IO[bytes],
        code: int,
        msg: str,
        headers: HTTPMessage,
        newurl: str,
    ) -> Request | None:
        if req.type == "https" and urlsplit(newurl).scheme != "https":
            raise URLError(f"redirected to {newurl}, which is not https")
        return super().redirect_request(req, fp, code, msg, headers, newurl)


def url_of(file: OriginFile) -> str:
    """Return where a file is downloaded from; a mirror may stand in for the public host."""
    base = os.environ.get(BASE_VARIABLE, "").rstrip("/") or BASE_URL
    if urlsplit(base).scheme not in ("http", "https"):
        raise SpecError(f"{BASE_VARIABLE} must begin with https:// or http://, got {base!r}")
    return f"{base}/{file.repository}/{file.commit}/{quote(file.path)}"


def download(file: OriginFile, path: Path, progress: Progress) -> None:
    """Download a file to `path`; what is there of an earlier download is kept."""
    url, part = url_of(file), path.with_name(f"{path.name}.part")
    for _ in range(ATTEMPTS):
        if size_of(part) == file.size or _receive(file, url, part, progress):
            break
    else:
        have = f"{size_of(part):,}" + (f" of {file.size:,}" if file.size else "")
        raise SpecError(
            f"{url}: the connection broke off after {have} bytes; run the command again, it goes "
            "on from there"
        )
    if problem := wrong_digest(part.read_bytes(), file):
        part.unlink()
        raise SpecError(f"{url}: {problem}; it was not kept; try again, or use --from DIR")
    part.replace(path)


def size_of(path: Path) -> int:
    """Return the bytes of a file, 0 if there is none."""
    return path.stat().st_size if path.exists() else 0


def _receive(file: OriginFile, url: str, part: Path, progress: Progress) -> bool:
    """Receive what is missing of a file; return whether the server sent all of it."""
    have = size_of(part)
    try:
        response = _open(url, have)
    except HTTPError as error:
        error.close()
        if error.code == RANGE_REFUSED and have:
            part.unlink()
            return False
        raise SpecError(f"{url}: the server answered {error.code} {error.reason}") from None
    except (OSError, HTTPException) as error:
        raise _unreachable(url, error) from None
    with response:
        if response.status == 206 and not _continues(response, have):
            part.unlink(missing_ok=True)
            return False
        return _append(file, response, part, have if response.status == 206 else 0, progress)


def _open(url: str, have: int) -> HTTPResponse:
    headers = {"User-Agent": "shakeproof", "Accept-Encoding": "identity"}
    if have:
        headers["Range"] = f"bytes={have}-"
    request = Request(url, headers=headers)
    response: HTTPResponse = build_opener(LimitedRedirects).open(request, timeout=TIMEOUT)
    return response


def _unreachable(url: str, error: Exception) -> SpecError:
    reason = getattr(error, "reason", None) or error
    text = getattr(reason, "strerror", None) or str(reason) or type(reason).__name__
    return SpecError(
        f"{url}: cannot be downloaded: {text}; without network, clone the repository elsewhere and "
        "name its folder with --from DIR"
    )


def _continues(response: HTTPResponse, have: int) -> bool:
    """Return whether a part of the file begins where the part that is here ends."""
    return response.headers.get("Content-Range", "").startswith(f"bytes {have}-")


def _append(
    file: OriginFile, response: HTTPResponse, part: Path, have: int, progress: Progress
) -> bool:
    """Write what the server sends behind the first `have` bytes, no more than the file has."""
    most = MAX_UNKNOWN if file.size is None else file.size
    announced = response.headers.get("Content-Length", "")
    end = have + int(announced) if announced.isdecimal() else file.size
    part.parent.mkdir(parents=True, exist_ok=True)
    with part.open("ab" if have else "wb") as stream:
        while block := _read(response):
            have += len(block)
            if have > most:
                break
            stream.write(block)
            progress(file, have)
    if have > most:
        part.unlink()
        raise SpecError(f"{response.url}: larger than the {most:,} bytes it should have")
    return end is None or have == end


def _read(response: HTTPResponse) -> bytes:
    """Read the next bytes; none if the connection breaks."""
    try:
        return response.read(BLOCK)
    except (OSError, HTTPException):
        return b""


def wrong_digest(content: bytes, file: OriginFile) -> str:
    """Return how the content differs from what the file should be; "" if it does not."""
    kind, expected = file.digest.split(":")
    if kind == "sha256":
        digest = hashlib.sha256(content).hexdigest()
    else:  # as git names a file
        named = b"blob %d\0" % len(content) + content
        digest = hashlib.sha1(named, usedforsecurity=False).hexdigest()
    if digest == expected:
        return ""
    name = "sha256" if kind == "sha256" else "hash in git"
    return f"its {name} is {digest[:16]}…, expected {expected[:16]}…"
