"""Keys are sent, and shown nowhere."""

import pytest
from replies import instances, script
from server import (
    Reply,
    prompt_of,
    score_reply,
    scripted_server,
    text_reply,
)


def test_the_key_is_sent_and_hidden_wherever_the_server_repeats_it(judge, monkeypatch, caplog):
    monkeypatch.setenv("JUDGE_KEY", "sk-hunter2")
    caplog.set_level(0)

    def answer(request):
        if "candidate 3\n" in prompt_of(request):
            return Reply({"error": {"message": "your key sk-hunter2 is odd"}}, status=400)
        if "candidate 4\n" in prompt_of(request):
            return text_reply("sk-hunter2")
        return score_reply(4, model="model of sk-hunter2")

    with scripted_server(answer) as server:
        judged = judge(server.url)
        judged.rate(instances(10))

    assert {headers["authorization"] for headers in server.headers} == {"Bearer sk-hunter2"}
    assert sum("[key]" in reason for reason in judged.failures) == 2
    assert "hunter2" not in str(judged.failures) + caplog.text + str(judged.engine.usage())
    assert "hunter2" not in repr(judged)


def test_a_key_that_the_server_refuses_is_not_shown(judge, monkeypatch):
    monkeypatch.setenv("JUDGE_KEY", "sk-hunter2")
    reply = Reply({"error": "Incorrect API key provided: sk-hunter2"}, status=401)
    with scripted_server(script(rest=reply)) as server:
        judged = judge(server.url)
        judged.rate(instances(3))

    assert judged.error == (
        "the server refuses the key (HTTP 401); check the key in JUDGE_KEY: "
        "Incorrect API key provided: [key]"
    )


@pytest.mark.parametrize(
    ("key", "message"),
    [
        pytest.param("", "MY_KEY is not set", id="not set"),
        pytest.param("hunter2\nhunter3", "characters that no key has", id="two lines"),
        pytest.param("hunter2 ü", "characters that no key has", id="no ASCII"),
    ],
)
def test_a_key_that_cannot_be_sent_is_an_error_that_does_not_show_it(
    judge, monkeypatch, key, message
):
    monkeypatch.setenv("MY_KEY", key)
    judged = judge("http://127.0.0.1:9/v1", key="MY_KEY")
    judged.rate(instances(3))

    assert message in judged.error
    assert "hunter" not in judged.error
