"""From a checklist to the items that are judged, and the perturbed texts they compare."""
