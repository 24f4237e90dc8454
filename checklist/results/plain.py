"""The base of every value that run.json holds."""

from __future__ import annotations

from pydantic import BaseModel, ConfigDict


class Plain(BaseModel):
    """A frozen value that refuses unknown keys."""

    model_config = ConfigDict(frozen=True, extra="forbid", allow_inf_nan=False)
