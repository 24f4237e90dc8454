"""Downloads from a server of this machine: broken, resumed, wrong, refused."""

import hashlib
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.error import URLError
from urllib.request import Request

import pytest

from shakeproof.data.sets import download as module
from shakeproof.data.sets.download import download, url_of, wrong_digest
from shakeproof.data.sets.records import COMMITS, OriginFile
from shakeproof.errors import SpecError

CONTENT = bytes(range(256)) * 1000
SIZE = len(CONTENT)
REPOSITORY = "ncsoft/offsetbias"
PATH = "data/a file.json"
ADDRESS = f"/{REPOSITORY}/{COMMITS[REPOSITORY]}/data/a%20file.json"


def origin_file(size=SIZE):
    return OriginFile(REPOSITORY, PATH, f"sha256:{hashlib.sha256(CONTENT).hexdigest()}", size)


class Server(ThreadingHTTPServer):
    """Sends CONTENT, and counts requests by the range they ask for."""

    content = CONTENT
    breaks_off_after = ()  # bytes that the first, second … answer sends
    ranges = True
    redirects_to = ""
    daemon_threads = True

    def __init__(self):
        super().__init__(("127.0.0.1", 0), Answer)
        self.asked = []


class Answer(BaseHTTPRequestHandler):
    def do_GET(self):
        server = self.server
        wanted = self.headers.get("Range", "")
        server.asked.append(wanted)
        if server.redirects_to or self.path.startswith("/moved"):
            self.send_response(302)
            self.send_header("Location", server.redirects_to or ADDRESS)
            self.end_headers()
        elif self.path != ADDRESS:
            self.send_error(404)
        else:
            self.send_content(int(wanted[6:-1]) if wanted and server.ranges else 0, wanted)

    def send_content(self, start, wanted):
        server = self.server
        if start >= len(server.content):
            self.send_error(416)
            return
        body = server.content[start:]
        self.send_response(206 if wanted and server.ranges else 200)
        if wanted and server.ranges:
            end = len(server.content)
            self.send_header("Content-Range", f"bytes {start}-{end - 1}/{end}")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        at = len(server.asked) - 1
        cut = server.breaks_off_after[at] if at < len(server.breaks_off_after) else None
        self.wfile.write(body[:cut])

    def log_message(self, *_):
        pass


@pytest.fixture
def server(monkeypatch):
    with Server() as server:
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()
        monkeypatch.setenv("SHAKEPROOF_DATA_URL", f"http://127.0.0.1:{server.server_port}/")
        monkeypatch.setenv("no_proxy", "127.0.0.1")
        yield server
        server.shutdown()
        thread.join()


@pytest.fixture
def path(tmp_path):
    return tmp_path / "folder" / "file.json"


def get(path, file=None):
    sizes = []
    download(file or origin_file(), path, lambda _file, size: sizes.append(size))
    return sizes


def left_over(path):
    return [file.name for file in path.parent.iterdir()]


def test_a_file_arrives_and_its_progress_is_told(server, path):
    sizes = get(path)

    assert path.read_bytes() == CONTENT
    assert sizes[-1] == len(CONTENT)
    assert sizes == sorted(sizes)
    assert left_over(path) == ["file.json"]


def test_a_connection_that_breaks_off_is_resumed_where_it_ended(server, path):
    server.breaks_off_after = (100_000,)

    get(path)

    assert path.read_bytes() == CONTENT
    assert server.asked == ["", "bytes=100000-"]


def test_a_connection_that_breaks_off_often_leaves_a_part_for_the_next_download(server, path):
    server.breaks_off_after = (10_000, 10_000, 10_000)

    with pytest.raises(SpecError, match=r"broke off after 30,000 of 256,000 bytes; run the comm"):
        get(path)
    assert left_over(path) == ["file.json.part"]
    get(path)

    assert path.read_bytes() == CONTENT
    assert server.asked == ["", "bytes=10000-", "bytes=20000-", "bytes=30000-"]


def test_a_server_without_ranges_sends_the_file_from_its_beginning(server, path):
    server.breaks_off_after, server.ranges = (100_000,), False

    get(path)

    assert path.read_bytes() == CONTENT
    assert server.asked == ["", "bytes=100000-"]


def test_a_part_that_is_whole_is_not_downloaded_again(server, path):
    path.parent.mkdir()
    path.with_name("file.json.part").write_bytes(CONTENT)

    get(path)

    assert path.read_bytes() == CONTENT
    assert server.asked == []


def test_a_part_beyond_the_end_is_downloaded_again(server, path):
    path.parent.mkdir()
    path.with_name("file.json.part").write_bytes(CONTENT + b"more")

    get(path, origin_file(size=None))

    assert path.read_bytes() == CONTENT
    assert server.asked == [f"bytes={len(CONTENT) + 4}-", ""]


@pytest.mark.parametrize(
    ("content", "line"),
    [
        pytest.param(b"x" * len(CONTENT), "its sha256 is [0-9a-f]{16}…, expected", id="same size"),
        pytest.param(b"short", "its sha256 is", id="shorter"),
        pytest.param(CONTENT + b"x", "larger than the 256,000 bytes it should have", id="longer"),
    ],
)
def test_another_file_is_refused_in_one_line_and_not_kept(server, path, content, line):
    server.content = content

    with pytest.raises(SpecError, match=line):
        get(path)

    assert left_over(path) == []


def test_a_file_of_unknown_size_is_limited(server, path, monkeypatch):
    monkeypatch.setattr(module, "MAX_UNKNOWN", 1000)

    with pytest.raises(SpecError, match="larger than the 1,000 bytes"):
        get(path, origin_file(size=None))


def test_an_absent_file_is_one_line_with_its_address(server, path):
    file = OriginFile(REPOSITORY, "absent.json", "sha256:0", 1)

    with pytest.raises(SpecError, match=r"^http://127.*/absent\.json: the server answered 404 Not"):
        get(path, file)


def test_without_network_one_line_names_the_address_and_the_way_out(path, monkeypatch):
    monkeypatch.setenv("SHAKEPROOF_DATA_URL", "http://127.0.0.1:1")
    monkeypatch.setenv("no_proxy", "127.0.0.1")

    with pytest.raises(SpecError) as caught:
        get(path)

    assert str(caught.value).startswith(f"http://127.0.0.1:1{ADDRESS}: cannot be downloaded: ")
    assert str(caught.value).endswith("name its folder with --from DIR")


def test_a_redirect_is_followed(server, path, monkeypatch):
    monkeypatch.setenv("SHAKEPROOF_DATA_URL", f"http://127.0.0.1:{server.server_port}/moved")

    get(path)

    assert path.read_bytes() == CONTENT
    assert server.asked == ["", ""]


def test_redirects_end(server, path):
    server.redirects_to = ADDRESS

    with pytest.raises(SpecError, match="the server answered 302"):
        get(path)

    assert len(server.asked) <= 6


def test_the_public_address_is_https_at_the_commit(monkeypatch):
    monkeypatch.delenv("SHAKEPROOF_DATA_URL", raising=False)

    assert url_of(origin_file()) == f"https://raw.githubusercontent.com{ADDRESS}"


def test_a_mirror_must_be_on_the_web(monkeypatch):
    monkeypatch.setenv("SHAKEPROOF_DATA_URL", "file:///etc")

    with pytest.raises(SpecError, match="must begin with https:// or http://, got 'file:///etc'"):
        url_of(origin_file())


def test_https_is_not_left_by_a_redirect():
    request = Request("https://example.org/a")

    with pytest.raises(URLError, match="not https"):
        module.LimitedRedirects().redirect_request(
            request, None, 302, "Found", {}, "http://example.org/a"
        )


def test_git_names_a_file_by_its_length_and_content():
    file = OriginFile(REPOSITORY, PATH, "git:ce013625030ba8dba906f756967f9e9ca394464a", None)

    assert wrong_digest(b"hello\n", file) == ""
    assert wrong_digest(b"hello", file).startswith("its hash in git is ")
