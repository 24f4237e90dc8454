"""The families of perturbations, one module for each group."""
