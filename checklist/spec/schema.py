"""The JSON Schema of checklists, draft-07 because editors read no newer one.

It is built from the registries, so an editor completes what is installed. It cannot say all that
`spec` checks: names that must exist elsewhere in the file, or what fits together.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, TypeAlias, TypeVar, get_args

from pydantic import BaseModel

from shakeproof.expectations import EXPECTATIONS, Expectation
from shakeproof.expectations.base import Bounded
from shakeproof.metrics.options import Options
from shakeproof.metrics.registry import METRICS
from shakeproof.perturbations import PERTURBATIONS
from shakeproof.perturbations.family import FIELDS, Family, Rule
from shakeproof.spec.checks import CONDITIONS, MODEL, WrittenCheck, WrittenKnownFailure
from shakeproof.spec.development import WrittenDevelopment
from shakeproof.spec.diagnostics import UNFIT, Written
from shakeproof.spec.family_forms import (
    FORMS,
    WrittenChain,
    WrittenFamily,
    WrittenRegex,
    WrittenReplace,
)
from shakeproof.spec.model import Severity
from shakeproof.spec.perturb import WrittenPerturb
from shakeproof.spec.read import LANGUAGE, OWN, WrittenChecklist
from shakeproof.validation import validate

Schema: TypeAlias = dict[str, Any]
T = TypeVar("T")

DRAFT = "http://json-schema.org/draft-07/schema#"
ANY_LEVEL: Schema = {"type": "number", "exclusiveMinimum": 0}
LEVEL: Mapping[Rule, Schema] = {
    Rule.SHARE: {**ANY_LEVEL, "maximum": 1},
    Rule.CHANCE: {**ANY_LEVEL, "maximum": 1},
    Rule.COUNT: {"type": "integer", "minimum": 1},
}
NAME: Schema = {
    "type": "string",
    "minLength": 1,
    "not": {"pattern": "|".join(part.replace("[", "\\[") for part in UNFIT)},
}


def checklist_schema() -> Schema:
    """Describe a whole checklist."""
    return {
        "$schema": DRAFT,
        "title": "shakeproof checklist",
        **_written(WrittenChecklist, _top(), required=("data", "metrics", "checks")),
        "patternProperties": {f"^{OWN}": {}},
        "if": {"not": {"required": ["families"]}},
        "then": {"properties": {"checks": {"items": {"properties": {"perturb": _perturb()}}}}},
        "definitions": {
            **_defined("metric", METRICS, lambda one: one.summary, _options),
            **_defined("perturb", PERTURBATIONS, lambda one: one.summary, _family),
            **_defined("expect", EXPECTATIONS, lambda one: one.summary, _expectation),
            "families": _families(_replayed()),
            "families-too": _families(_own_family()),  # with those that the checklist declares
        },
    }


def _defined(
    what: str,
    registry: Mapping[str, T],
    summary: Callable[[T], str],
    describe: Callable[[T], Schema],
) -> dict[str, Schema]:
    """Define each entry of a registry; what several have in common is defined once."""
    texts = {name: json.dumps(describe(one)) for name, one in registry.items()}
    counts = Counter(texts.values())
    common = {text: f"{what}:{n}" for n, text in enumerate(t for t in counts if counts[t] > 1)}
    found: dict[str, Schema] = {name: json.loads(text) for text, name in common.items()}
    for name, text in texts.items():
        inside = {"allOf": [_reference(common[text])]} if text in common else json.loads(text)
        found[f"{what}-{name}"] = inside | {"description": summary(registry[name])}
    return found


def _reference(name: str) -> Schema:
    return {"$ref": f"#/definitions/{name}"}


def _top() -> dict[str, Schema]:
    path: Schema = {"type": "string", "minLength": 1}
    tag: Schema = {"type": ["string", "null"], "pattern": f"^{LANGUAGE.pattern}$"}
    groups = {"type": "object", "minProperties": 1, "additionalProperties": path}
    return {
        "data": {"anyOf": [{**path, "examples": ["sample"]}, groups, _segments()]},
        "language": tag,
        "development": _development(),
        "source_language": tag,
        "families": {
            "type": ["object", "null"],
            "propertyNames": {"allOf": [NAME, {"not": {"enum": sorted(PERTURBATIONS)}}]},
            "additionalProperties": {"oneOf": [_declaration(one) for one in FORMS.values()]},
        },
        "metrics": {
            "type": "object",
            "minProperties": 1,
            "propertyNames": NAME,
            "additionalProperties": _metric(),
        },
        "checks": {"type": "array", "minItems": 1, "items": _check()},
    }


def _segments() -> Schema:
    """Describe segments written out; what they hold is told when they are read."""
    segment: Schema = {"type": "object", "required": ["id", "candidates"]}
    return {"type": "array", "minItems": 1, "items": segment}


def _development() -> Schema:
    share: Schema = {"type": "number", "exclusiveMinimum": 0, "exclusiveMaximum": 1}
    whole = _written(WrittenDevelopment, {"share": share}, required=("share",))
    return {"anyOf": [{"type": "null"}, share, whole]}


def _metric() -> Schema:
    return _choice("metric", METRICS, [kind for kind, model in METRICS.items() if _bare(model)])


def _choice(what: str, names: Iterable[str], bare: list[str]) -> Schema:
    """Let one name be chosen, with its settings, or bare where it needs none."""
    return {
        "anyOf": [
            {"type": "string", "enum": bare},
            {
                "type": "object",
                "minProperties": 1,
                "maxProperties": 1,
                "additionalProperties": False,
                "properties": _references(what, names),
            },
        ]
    }


def _references(what: str, names: Iterable[str]) -> dict[str, Schema]:
    return {name: _reference(f"{what}-{name}") for name in names}


def _check() -> Schema:
    bare = [name for name, model in EXPECTATIONS.items() if _bare(model)]
    own: dict[str, Schema] = {
        "check": NAME,
        "metrics": _some({"type": "string"}),
        "perturb": _perturb(with_own=True),
        "expect": _choice("expect", EXPECTATIONS, bare),
        "known_failure": {"anyOf": [{"type": "string", "minLength": 1}, _known_failure()]},
        "severity": {"type": "string", "enum": list(get_args(Severity))},
        "requires": _some({"type": "string", "pattern": f"^({'|'.join(CONDITIONS)}|{MODEL}.+)$"}),
    }
    return _written(WrittenCheck, own, required=("check", "expect"))


def _known_failure() -> Schema:
    own = {"metrics": _some({"type": "string"}), "levels": _some(ANY_LEVEL)}
    return _written(WrittenKnownFailure, own, required=("reason",))


def _declaration(model: type[WrittenFamily]) -> Schema:
    """Describe one way to declare a family."""
    own: dict[str, Schema] = {}
    if model is WrittenChain:
        step: Schema = {
            "type": "object",
            "minProperties": 1,
            "maxProperties": 1,
            "additionalProperties": {"anyOf": [ANY_LEVEL, {"type": "null"}]},
        }
        steps = {"anyOf": [{"type": "string", "minLength": 1}, step]}
        own["chain"] = {"type": "array", "minItems": 1, "items": steps}
    if model is WrittenReplace:
        own["replace"] = {**_model(model)["properties"]["replace"], "minProperties": 1}
    required = [model.form, "with"] if model is WrittenRegex else [model.form]
    return _written(model, own, required=required)


def _perturb(*, with_own: bool = False) -> Schema:
    """Describe what is perturbed, perhaps with families that the checklist declares."""
    bare = [one.name for one in PERTURBATIONS.values() if one.rule is Rule.SWITCH]
    name: Schema = {"type": "string", "enum": [n for n in bare if _sole(PERTURBATIONS[n])]}
    if with_own:
        name = {"type": "string", "minLength": 1}
    families = _reference("families-too" if with_own else "families")
    return {"anyOf": [name, families, {"type": "array", "minItems": 1, "items": families}]}


def _families(others: Schema) -> Schema:
    return {
        "type": "object",
        "minProperties": 1,
        "properties": _references("perturb", PERTURBATIONS),
        "additionalProperties": others,
    }


def _sole(family: Family) -> bool:
    return len(family.fields) == 1


def _family(family: Family) -> Schema:
    own: dict[str, Schema] = {"on": {"type": "string", "enum": sorted(family.fields)}}
    required = [] if _sole(family) else ["on"]
    if family.rule is Rule.SWITCH:
        own["levels"] = {"type": "null"}
    else:
        own["levels"] = _some(LEVEL[family.rule])
        required.append("levels")
    schema = _written(WrittenPerturb, own, required=required)
    return schema if required else {"anyOf": [{"type": "null"}, schema]}


def _replayed() -> Schema:
    """Describe a family that only the data know."""
    own: dict[str, Schema] = {
        "on": {"type": "string", "enum": sorted(FIELDS)},
        "levels": _some(ANY_LEVEL),
        "stored": {"const": True},
    }
    return _written(WrittenPerturb, own, required=("on", "stored"))


def _own_family() -> Schema:
    """Describe a family that the checklist declares, or that only the data know."""
    own: dict[str, Schema] = {
        "on": {"type": "string", "enum": sorted(FIELDS)},
        "levels": _some(ANY_LEVEL),
    }
    return {"anyOf": [{"type": "null"}, _written(WrittenPerturb, own, required=())]}


def _options(model: type[Options]) -> Schema:
    options = _model(model)
    choices = [{"type": "null"}, options] if _bare(model) else [options]
    if model.scalar is not None:
        choices.append(options["properties"][model.scalar])
    return choices[0] if len(choices) == 1 else {"anyOf": choices}


def _expectation(model: type[Expectation]) -> Schema:
    schema = _model(model)
    if _unbounded(model):
        schema["anyOf"] = [{"required": [bound]} for bound in Bounded.model_fields]
    return {"anyOf": [{"type": "null"}, schema]} if _bare(model) else schema


def _unbounded(model: type[BaseModel]) -> bool:
    """Say whether a model takes bounds and has none by default."""
    defaults = (model.model_fields[bound].default for bound in Bounded.model_fields)
    return issubclass(model, Bounded) and all(default is None for default in defaults)


def _bare(model: type[BaseModel]) -> bool:
    """Say whether a model is content with all its defaults."""
    return not _unbounded(model) and validate(model, {})[0] is not None


def _model(model: type[BaseModel]) -> Schema:
    """Describe a pydantic model, its inner models written out in place."""
    schema = model.model_json_schema(by_alias=True)
    inner = schema.pop("$defs", {})
    whole: Schema = _inlined(schema, inner)
    return whole


def _inlined(value: Any, inner: Mapping[str, Any]) -> Any:  # noqa: ANN401 - JSON
    if isinstance(value, list):
        return [_inlined(one, inner) for one in value]
    if not isinstance(value, dict):
        return value
    if "$ref" in value:
        return _inlined(inner[value["$ref"].rpartition("/")[2]], inner)
    return {key: _inlined(one, inner) for key, one in value.items() if not _is_title(key, one)}


def _is_title(key: str, value: object) -> bool:
    """Tell pydantic's titles, which only repeat the names of keys."""
    return key == "title" and isinstance(value, str)


def _written(model: type[Written], own: Mapping[str, Schema], *, required: Sequence[str]) -> Schema:
    """Describe a mapping as written: pydantic's words, and what only the registries know."""
    properties = _model(model)["properties"]
    for key, schema in own.items():
        description = properties[key].get("description")
        properties[key] = {"description": description, **schema} if description else schema
    return {
        "type": "object",
        "additionalProperties": False,
        "properties": properties,
        "required": list(required),
    }


def _some(one: Schema) -> Schema:
    """Allow one value, or a list of different ones."""
    return {"anyOf": [one, {"type": "array", "minItems": 1, "uniqueItems": True, "items": one}]}
