"""Connections to an OpenAI-compatible server: certificates, proxies, how long they are kept."""

from __future__ import annotations

import os
import ssl
from functools import cache
from typing import TYPE_CHECKING
from urllib.parse import urlsplit
from urllib.request import getproxies, proxy_bypass

from shakeproof.metrics.failures import Failure, RatingFailed
from shakeproof.metrics.judges.client import Server

if TYPE_CHECKING:
    import aiohttp

CONNECT_SECONDS = 10.0
IDLE_SECONDS = 4.0  # that a connection is kept open; uvicorn closes it after 5
HEADERS = {
    "Content-Type": "application/json",
    "Accept": "application/json",
    "Accept-Encoding": "identity",
    "User-Agent": "shakeproof",
}
LOOPBACK = ("localhost", "127.0.0.1", "::1")
CERTIFICATES = ("SSL_CERT_FILE", "SSL_CERT_DIR")  # environment variables of OpenSSL


def make_client(server: Server, places: int) -> aiohttp.ClientSession:
    """Return a client with so many connections; it takes no cookies and follows no redirects.

    It goes through a proxy that the environment names, as with other programs.
    """
    import aiohttp

    return aiohttp.ClientSession(
        connector=aiohttp.TCPConnector(
            limit=places, ssl=make_context(), keepalive_timeout=IDLE_SECONDS
        ),
        headers={**HEADERS, **server.secret.headers},
        cookie_jar=aiohttp.DummyCookieJar(),
        timeout=aiohttp.ClientTimeout(total=None, connect=CONNECT_SECONDS),
        proxy=find_proxy(server.endpoint),
    )


def find_proxy(endpoint: str) -> str | None:
    """Return the proxy for an address; none for this machine itself."""
    parts = urlsplit(endpoint)
    host, proxies = parts.hostname or "", getproxies()
    if host in LOOPBACK or proxy_bypass(host):
        return None
    proxy = proxies.get(parts.scheme) or proxies.get("all")
    if proxy is None:
        return None
    kind, found, _ = proxy.partition("://")
    if not found:
        return f"http://{proxy}"
    if kind not in ("http", "https"):
        message = f"judges cannot be asked through a proxy of the kind {kind!r}, only through http"
        raise RatingFailed(Failure(f"{message}; or write the host into no_proxy"), permanent=True)
    return proxy


@cache
def make_context() -> ssl.SSLContext:
    """Return what secure connections are checked with: the certificates of the system.

    Those of certifi are added unless the environment names others; some installations of Python
    have none.
    """
    context = ssl.create_default_context()
    if not any(name in os.environ for name in CERTIFICATES):
        import certifi

        context.load_verify_locations(certifi.where())
    return context
