"""The JSON Schema of checklists, draft-07 because editors read no newer one.

It comes from the models of the file, with the names that are registered, so an editor completes
what is installed. It cannot check names that are defined elsewhere in the file, or what fits
together.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeAlias

from pydantic import GetJsonSchemaHandler, TypeAdapter
from pydantic.json_schema import JsonSchemaValue
from pydantic_core import CoreSchema

from shakeproof.spec.extends import EXTENDS
from shakeproof.spec.perturb import perturb_type
from shakeproof.spec.read import WrittenChecklist

Schema: TypeAlias = dict[str, Any]

DRAFT = "http://json-schema.org/draft-07/schema#"
REFERENCE = "#/definitions/{model}"


class _Described(WrittenChecklist):
    """What is expected of metrics: data, metrics and checks."""

    @classmethod
    def __get_pydantic_json_schema__(
        cls, schema: CoreSchema, handler: GetJsonSchemaHandler
    ) -> JsonSchemaValue:
        # Perturbations must be known ones, unless the checklist declares or takes over families.
        known = handler(TypeAdapter(perturb_type(declared=False)).core_schema)
        perturb_known = {"properties": {"checks": {"items": {"properties": {"perturb": known}}}}}
        return {
            **handler.resolve_ref_schema(handler(schema)),
            "if": {"not": {"required": [EXTENDS]}},
            "then": {
                "required": ["data", "metrics"],
                "if": {"not": {"required": ["families"]}},
                "then": perturb_known,
            },
        }


def checklist_schema() -> Schema:
    """Return the schema of a whole checklist, with everything that is registered now."""
    schema = _Described.model_json_schema(by_alias=True, ref_template=REFERENCE)
    definitions = _for_editors(schema.pop("$defs"))
    top = {"$schema": DRAFT, "title": schema["title"], **_for_editors(schema)}
    return _with_equal_ones_once(top, definitions)


def _with_equal_ones_once(top: Schema, definitions: Schema) -> Schema:
    """Write definitions with the same content once, such as those of a metric's two forms."""
    first: dict[str, str] = {}  # the name of a definition by its content
    names = {name: first.setdefault(repr(one), name) for name, one in definitions.items()}
    kept = {name: one for name, one in definitions.items() if names[name] == name}
    references = {
        REFERENCE.format(model=old): REFERENCE.format(model=new) for old, new in names.items()
    }
    schema: Schema = _with_references({**top, "definitions": kept}, references)
    return schema


def _with_references(value: Any, references: Mapping[str, str]) -> Any:  # noqa: ANN401 - JSON
    """Replace references to other definitions."""
    if isinstance(value, list):
        return [_with_references(inner, references) for inner in value]
    if not isinstance(value, dict):
        return value
    return {
        key: references.get(inner, inner) if key == "$ref" else _with_references(inner, references)
        for key, inner in value.items()
    }


def _for_editors(value: Any) -> Any:  # noqa: ANN401 - JSON
    """Leave out what only repeats names of keys; keep what draft-07 ignores beside a reference."""
    if isinstance(value, list):
        return [_for_editors(inner) for inner in value]
    if not isinstance(value, dict):
        return value
    kept = {key: _for_editors(inner) for key, inner in value.items() if not _is_noise(key, inner)}
    if "$ref" in kept and len(kept) > 1:
        return {"allOf": [{"$ref": kept.pop("$ref")}], **kept}
    return kept


def _is_noise(key: str, value: object) -> bool:
    """Return whether an entry is a title by pydantic, or says that a key may be left out."""
    return (key == "title" and isinstance(value, str)) or (key == "default" and value is None)
