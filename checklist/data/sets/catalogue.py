"""The public data sets that `shakeproof data get` brings, with their licences and citations."""

from __future__ import annotations

from shakeproof.data.sets.records import PublicSet

PARASCORE = (
    "Shen, Liu, Jiang and Shi (2022). On the Evaluation Metrics for Paraphrase Generation. "
    "doi:10.18653/v1/2022.emnlp-main.208"
)
VU = (
    "Vu, Moosavi and Eger (2022). Layer or Representation Space: What Makes BERT-based Evaluation "
    "Metrics Robust? aclanthology.org/2022.coling-1.300"
)


def _wmt19(pair: str, segments: int, pairs: str) -> PublicSet:
    return PublicSet(
        name=f"wmt19-{pair}",
        summary=(
            f"Translations of news, compared in pairs by people ({pairs} official pairs), with Vu "
            "et al.'s attacked references"
        ),
        language=f"{pair[:2]} to en",
        segments=segments,
        licence=(
            "Apache-2.0 (judgements, sources); no licence stated (references, attacked "
            "references); WMT19 released the data for research"
        ),
        citation=(
            "Ma, Wei, Bojar and Graham (2019). Results of the WMT19 Metrics Shared Task. "
            f"doi:10.18653/v1/W19-5302. {VU}"
        ),
        collection="wmt19",
        group=pair,
    )


def _flores(pair: str, segments: int) -> PublicSet:
    source, target = pair.split("-")
    return PublicSet(
        name=f"wmt21-flores-{pair}",
        summary=(
            "Translations rated 0 to 100 by people, with scores of four metrics and Vu et al.'s "
            "visually attacked references"
        ),
        language=f"{source} to {target}",
        segments=segments,
        licence="no licence stated by the origin; sentences: FLORES-101, CC BY-SA 4.0",
        citation=(
            "Freitag et al. (2021). Results of the WMT21 Metrics Shared Task. "
            f"aclanthology.org/2021.wmt-1.73. {VU}"
        ),
        collection="wmt21-flores",
        group=pair,
    )


SETS = {
    record.name: record
    for record in (
        PublicSet(
            name="twitter-para",
            summary="Paraphrases of tweets, rated 0 to 1 by people",
            language="en",
            segments=761,
            licence="Apache-2.0; sentences: Twitter paraphrase data of Xu et al. (2014, 2015)",
            citation=PARASCORE,
        ),
        PublicSet(
            name="bq-para",
            summary="Paraphrases of bank customers' questions, rated 0 to 1 by people",
            language="zh",
            segments=559,
            licence="Apache-2.0; sentences: BQ corpus of Chen et al. (2018)",
            citation=PARASCORE,
        ),
        _wmt19("gu-en", 1016, "20,110 of 31,139"),
        _wmt19("kk-en", 1000, "9,728 of 27,094"),
        _wmt19("lt-en", 1000, "all 21,862"),
        _flores("hi-bn", 509),
        _flores("bn-hi", 503),
        _flores("xh-zu", 503),
        _flores("zu-xh", 509),
        PublicSet(
            name="summeval",
            summary=(
                "Summaries of news by 16 systems, rated 1 to 5 by experts for coherence, "
                "consistency, fluency and relevance"
            ),
            language="en",
            segments=100,
            licence="Apache-2.0 (the copy that is read), MIT (the original)",
            citation=(
                "Fabbri, Kryściński, McCann, Xiong, Socher and Radev (2021). SummEval: "
                "Re-evaluating Summarization Evaluation. doi:10.1162/tacl_a_00373"
            ),
        ),
        PublicSet(
            name="demetr",
            summary=(
                "Pairs of a translation and the same with one error; 35 kinds of error are the "
                "groups"
            ),
            language="10 languages to en",
            segments=35_000,
            licence="MIT",
            citation=(
                "Karpinska, Raj, Thai, Song, Gupta and Iyyer (2022). DEMETR: Diagnosing Evaluation "
                "Metrics for Translation. arXiv:2210.13746"
            ),
        ),
        PublicSet(
            name="summedits",
            summary=(
                "Edited summaries, judged consistent (1) with their document or not (0); 10 "
                "domains are the groups"
            ),
            language="en",
            segments=6_348,
            licence="Apache-2.0",
            citation=(
                "Laban, Kryściński, Agarwal, Fabbri, Xiong, Joty and Wu (2023). SummEdits: "
                "Measuring LLM Ability at Factual Reasoning Through the Lens of Summarization. "
                "doi:10.18653/v1/2023.emnlp-main.600"
            ),
        ),
        PublicSet(
            name="llmbar",
            summary=(
                "Pairs of answers to an instruction, of which one is better, with what four "
                "judges prefer; its 5 parts are the groups"
            ),
            language="en",
            segments=419,
            licence="MIT",
            citation=(
                "Zeng, Yu, Gao, Meng, Goyal and Chen (2024). Evaluating Large Language Models at "
                "Evaluating Instruction Following. arXiv:2310.07641"
            ),
        ),
        PublicSet(
            name="evalbiasbench",
            summary=(
                "Pairs of answers to an instruction, of which the worse one flatters one of six "
                "biases of judges"
            ),
            language="en",
            segments=80,
            licence="BSD-3-Clause",
            citation=(
                "Park, Jwa, Ren, Kim and Choi (2024). OffsetBias: Leveraging Debiased Data for "
                "Tuning Evaluators. arXiv:2407.06551"
            ),
        ),
    )
}


def collections() -> dict[str, tuple[PublicSet, ...]]:
    """Return the sets of each collection."""
    names = dict.fromkeys(record.collection for record in SETS.values() if record.collection)
    return {
        name: tuple(record for record in SETS.values() if record.collection == name)
        for name in names
    }
