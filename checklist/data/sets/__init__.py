"""Public data sets with human judgements: where they come from, and how they are brought here."""
