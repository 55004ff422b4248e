"""What PrivateERM promises: all calls of its three oracles, composed up to the public caps."""

from __future__ import annotations

from dpaudit.algorithms.resque import bias_reduced_prox, high_probability_erm
from dpaudit.algorithms.resque import sub_erm_strongly_convex as solver
from dpaudit.algorithms.resque.accounting import proved
from dpaudit.algorithms.resque.accounting.calibration import Calibration
from dpaudit.algorithms.resque.accounting.proved import Block, always
from dpaudit.algorithms.resque.private_erm.params import Params
from dpaudit.records.errors import ConfigurationError
from dpaudit.records.mechanism import ApproximateRenyi, Promise
from dpaudit.records.privacy import Neighbours, View


def promise(params: Params, delta: float = 1e-5) -> Promise:
    """What is proved of all phase outputs of all oracle calls with the least epsilon at `delta`, in (0, 1).

    lambda, the centres and when a run stops depend on released values only; the caps of iterations and of search calls
    are public. Raises ConfigurationError where nothing is proved, see `sub_erm.promise`.
    """
    source = "Carmon et al. (2023), lemmas 3, 5 and 7, composed over the calls of theorem 3, corrected"
    return proved.promise([accounted_blocks(params)], delta, source)


def accounted_blocks(params: Params) -> tuple[Block, ...]:
    """All calls of the search, the ball and the proximal oracle, as the accountant reads them."""
    iterations = params.most_iterations
    return (
        high_probability_erm.accounted_block(params.search_oracle(), iterations * params.search_calls),
        always(solver.accounted_calls(params.ball_oracle()), iterations),
        bias_reduced_prox.accounted_block(params.proximal, iterations),
    )


def promise_as_printed(made: Calibration) -> Promise:
    """Theorem 3 for the parameters that it derives: (4 log(2/delta)/eps, eps/2, delta/6) before corollary 1.

    It rests on proposition 8, whose printed privacy is false. Raises ConfigurationError outside its conditions.
    """
    if made.violated:
        raise ConfigurationError(
            f"theorem 3 as printed asks for {'; '.join(made.violated)}: it covers more records or more noise only"
        )
    mechanism = ApproximateRenyi(made.order, made.epsilon / 2, made.delta / 6)
    return Promise(mechanism, Neighbours.REPLACE_ONE, View.TRANSCRIPT, "Carmon et al. (2023), theorem 3, as printed")
