"""The cheapest way to turn one set of weights into another: the earth mover's distance."""

from __future__ import annotations

import numpy as np

from shakeproof.metrics.protocols import Matrix, Vector


def earth_mover(costs: Matrix, supply: Vector, demand: Vector) -> float:
    """Solve the transport problem exactly; supply and demand are positive and add up to one."""
    from scipy.optimize import linprog

    rows, columns = costs.shape
    leaving = np.kron(np.eye(rows), np.ones(columns))
    arriving = np.kron(np.ones(rows), np.eye(columns))
    # One of the equations follows from the others; with rounding it may contradict them.
    constraints = np.concatenate([leaving, arriving[:-1]])
    found = linprog(
        costs.ravel(), A_eq=constraints, b_eq=np.concatenate([supply, demand[:-1]]), method="highs"
    )
    if not found.success:
        raise ValueError(f"the transport problem has no solution: {found.message}")
    return float(found.fun)
