"""Encrypted connections, proxies, and questions that do not fit into one packet."""

import shutil
import ssl
import subprocess
from socketserver import StreamRequestHandler, ThreadingTCPServer
from threading import Thread

import pytest
from replies import instances, script
from server import prompt_of, scripted_server

from shakeproof.metrics.failures import RatingFailed
from shakeproof.metrics.judges.client import MAX_PLAIN
from shakeproof.metrics.judges.connections import find_proxy, make_context
from shakeproof.metrics.protocols import Instance

CERTIFICATE = (
    "openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 2"
    " -subj /CN=test -addext subjectAltName=IP:127.0.0.1 -keyout key.pem -out certificate.pem"
)


@pytest.fixture
def environment(monkeypatch):
    """Set variables; certificates are read again before the next connection."""
    for name in ("http_proxy", "https_proxy", "all_proxy", "no_proxy"):
        monkeypatch.delenv(name, raising=False)
        monkeypatch.delenv(name.upper(), raising=False)
    make_context.cache_clear()
    yield monkeypatch.setenv
    make_context.cache_clear()


@pytest.fixture
def certificate(tmp_path):
    if shutil.which("openssl") is None:
        pytest.skip("the command openssl is not installed")
    subprocess.run(CERTIFICATE.split(), cwd=tmp_path, check=True, capture_output=True)
    return tmp_path / "certificate.pem"


@pytest.fixture
def encrypted(certificate):
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(certificate, certificate.with_name("key.pem"))
    with scripted_server(script(), context=context) as server:
        yield server


def test_an_encrypted_connection_is_used_for_all_questions(
    judge, encrypted, certificate, environment
):
    environment("SSL_CERT_FILE", str(certificate))
    scores = judge(encrypted.url, concurrency=4).rate(instances(20))

    assert scores == [4.0] * 20


def test_a_server_with_an_unknown_certificate_is_asked_nothing(judge, encrypted, environment):
    judged = judge(encrypted.url)
    judged.rate(instances(20))

    assert "no secure connection to the endpoint" in judged.error
    assert "certificate verify failed" in judged.error
    assert encrypted.requests == []


def test_questions_go_through_a_proxy_that_the_environment_names(judge, environment):
    with scripted_server(script()) as proxy:  # it answers itself, whatever it is asked for
        environment("http_proxy", f"127.0.0.1:{proxy.port}")
        scores = judge("http://judge.invalid/v1").rate(instances(5))

    assert scores == [4.0] * 5
    assert {headers["host"] for headers in proxy.headers} == {"judge.invalid"}


def test_a_proxy_that_refuses_is_one_error(judge, environment):
    class Handler(StreamRequestHandler):
        def handle(self):
            self.request.recv(10_000)
            self.request.sendall(b"HTTP/1.1 407 Who are you\r\nContent-Length: 0\r\n\r\n")

    with ThreadingTCPServer(("127.0.0.1", 0), Handler) as proxy:
        Thread(target=proxy.serve_forever, kwargs={"poll_interval": 0.01}).start()
        environment("https_proxy", f"http://127.0.0.1:{proxy.server_address[1]}")
        judged = judge("https://judge.invalid/v1")
        judged.rate(instances(20))
        proxy.shutdown()

    assert "the proxy refuses the connection (HTTP 407)" in judged.error


@pytest.mark.parametrize(
    ("proxy", "error"),
    [
        pytest.param("http://me:hidden@127.0.0.1:9", "no connection to the proxy", id="none there"),
        pytest.param("http://me:hidden@host:99999", "is not valid", id="no such port"),
        pytest.param("http://me:hidden@[::1", "is not valid", id="half an address"),
    ],
)
def test_a_wrong_proxy_is_one_error_without_its_password(judge, environment, proxy, error):
    environment("http_proxy", proxy)
    judged = judge("http://judge.invalid/v1")
    judged.rate(instances(20))

    assert error in judged.error
    assert "hidden" not in judged.error


@pytest.mark.parametrize(
    ("endpoint", "proxy"),
    [
        pytest.param("http://host/v1", "http://proxy:1", id="http"),
        pytest.param("https://host/v1", "http://proxy:2", id="https"),
        pytest.param("http://inside.example/v1", None, id="no proxy"),
        pytest.param("http://127.0.0.1:8000/v1", None, id="this machine"),
    ],
)
def test_each_kind_of_endpoint_has_its_proxy(environment, endpoint, proxy):
    environment("http_proxy", "http://proxy:1")
    environment("https_proxy", "proxy:2")
    environment("no_proxy", "inside.example")

    assert find_proxy(endpoint) == proxy


def test_a_proxy_of_another_kind_is_refused_with_a_way_out(environment):
    environment("all_proxy", "socks5://127.0.0.1:1080")
    with pytest.raises(RatingFailed) as raised:
        find_proxy("http://host/v1")

    assert "kind 'socks5'" in raised.value.failure.reason
    assert "no_proxy" in raised.value.failure.reason


def test_a_question_of_more_than_a_megabyte_is_sent_whole(judge):
    text = "long " * (MAX_PLAIN // 4)
    with scripted_server(script()) as server:
        scores = judge(server.url).rate([Instance(text, ("a reference",), "a source")])

    assert scores == [4.0]
    assert text.strip() in prompt_of(server.requests[0])
