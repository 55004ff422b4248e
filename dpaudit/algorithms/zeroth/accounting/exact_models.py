"""Two models of Noisy-ZOGD whose last iterate has a known law, against which its accountants can be held.

Quadratic records l_i(w) = (w - x_i)' H (w - x_i)/2, projection never active: given the frames U_t the iterate is
Gaussian, and replacing a record moves its mean only. Linear records, one of them +-Delta <v, w>, the others 0: the
coordinate <w_T, v> is a sum of T independent terms whose characteristic function is an integral over
v' P_U v ~ Beta(K/2, (d - K)/2); its divergence is a lower bound of that of w_T, with the frames unseen.

Source: Chien, Chen, Li (2025), "Privacy Amplification in Differentially Private Zeroth-Order Optimization with
Hidden States", the recursion (3) of its algorithm.
"""

from __future__ import annotations

import math
from collections import Counter

import numpy as np
from numpy.typing import NDArray
from scipy.special import roots_jacobi

from dpaudit.algorithms.zeroth.accounting.public_states import Setting
from dpaudit.arithmetic.arrays import Array
from dpaudit.records.errors import ConfigurationError
from dpaudit.records.validation import check_count, check_number

_POINTS = 2**15
_TRUSTED = 1e-11
"""Densities below this part of the largest are left out, which lowers the divergence; the others have a relative error
below 1e-3, and below 1e-9 where most of the sum is."""


def _split(setting: Setting, step: int) -> float:
    return setting.b_dir[step] if isinstance(setting.b_dir, tuple) else setting.b_dir


def quadratic_rho(setting: Setting, hessian: Array, difference: Array, frames: Array) -> float:
    """rho of the last iterate given the frames: the divergence at order alpha is exactly rho alpha.

    hessian: H (d, d), symmetric; difference: x - x' (d,) of the replaced record; frames: U (T, d, K) with orthonormal
    columns. No clipping and no projection is applied. Raises ConfigurationError for other shapes.
    """
    shape = (setting.steps, setting.dimension, setting.directions)
    if frames.shape != shape or hessian.shape != shape[1:2] * 2 or difference.shape != shape[1:2]:
        raise ConfigurationError(f"frames must have shape {shape}, hessian and difference d = {shape[1]} to match")
    apart, spread = np.zeros(setting.dimension), np.zeros((setting.dimension, setting.dimension))
    eye, step = np.eye(setting.dimension), setting.step_size / setting.directions
    energy = (setting.step_size * setting.noise) ** 2
    for number, frame in enumerate(frames):
        project, split = frame @ frame.T, _split(setting, number)
        move = eye - step * project @ hessian
        apart = move @ apart + step * project @ hessian @ difference / setting.records
        noise = energy * (split / setting.directions * project + (1 - split) / setting.dimension * eye)
        spread = move @ spread @ move.T + noise
    return float(apart @ np.linalg.solve(spread, apart)) / 2 if setting.steps else 0.0


def linear_divergence(setting: Setting, order: float) -> float:
    """A lower bound of the Renyi divergence of the last iterates for the linear records of the module.

    K < d, radius infinite, T at least 1; order: above 1.
    """
    check_count("steps", setting.steps)
    check_number("order", order, above=1.0)
    if setting.directions == setting.dimension or setting.radius != math.inf:
        raise ConfigurationError("the linear model needs K < d and radius = inf")
    spread = setting.step_size * setting.noise * math.sqrt(setting.steps / setting.dimension)
    mean = setting.step_size * setting.clip_norm / (setting.records * setting.dimension) * setting.steps
    width = 2 * (mean * setting.dimension / setting.directions + 12 * spread * setting.dimension**0.5)
    frequencies = 2 * np.pi * np.fft.fftfreq(_POINTS, width / _POINTS)
    density = np.fft.fftshift(np.fft.ifft(_characteristic(setting, frequencies)).real)[1:]
    mirrored = density[::-1]
    kept = np.minimum(density, mirrored) > _TRUSTED * density.max()
    total = np.sum(density[kept] ** order * mirrored[kept] ** (1 - order)) / density.sum()
    return math.log(total) / (order - 1)


def _characteristic(setting: Setting, frequencies: Array) -> NDArray[np.complex128]:
    """E exp(i w <w_T, v>) for w_0 = 0 and the record +Delta <v, w>."""
    d, k = setting.dimension, setting.directions
    nodes, weights = roots_jacobi(64, (d - k) / 2 - 1, k / 2 - 1)
    shares, weights = (nodes + 1) / 2, weights / weights.sum()
    drift = -setting.step_size / k * setting.clip_norm / setting.records
    energy, product = (setting.step_size * setting.noise) ** 2, np.ones(len(frequencies), dtype=np.complex128)
    for split, times in Counter(_split(setting, number) for number in range(setting.steps)).items():
        variance = energy * (split / k * shares + (1 - split) / d)
        terms = 1j * np.outer(frequencies, drift * shares) - np.outer(frequencies**2, variance) / 2
        product *= (np.exp(terms) @ weights) ** times
    return product
