"""The scoring step: what the items need from the engine, and the table of scores."""
