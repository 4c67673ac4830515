#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Thomson's problem, from Python by ctypes: how do twelve electrons arrange on a sphere?

    thomson.py libthomson.so

Descends along the gradient from the library, which is compared with Coulomb's forces in Python. The
answer is known: the corners of an icosahedron.
"""

import ctypes
import math
import random
import sys

ELECTRONS = 12


def load(path):
    """Returns energy(x), and gradient(x), of lists of numbers."""
    library = ctypes.CDLL(path)
    array = ctypes.c_double * (3 * ELECTRONS)
    library.energy.argtypes = array, ctypes.c_int
    library.energy.restype = ctypes.c_double
    library.energy_gradient.argtypes = array, array, ctypes.c_int
    library.energy_gradient.restype = None

    def gradient(x):
        slope = array()
        library.energy_gradient(array(*x), slope, ELECTRONS)
        return list(slope)

    return lambda x: library.energy(array(*x), ELECTRONS), gradient


def gradient_by_hand(x):
    """Returns minus the force on each electron, without its part along the radius."""
    points = [x[i:i + 3] for i in range(0, len(x), 3)]
    lengths = [math.hypot(*p) for p in points]
    units = [[c / length for c in p] for p, length in zip(points, lengths)]
    slope = []
    for unit, length in zip(units, lengths):
        force = [0.0] * 3
        for other in units:
            distance = math.dist(unit, other)
            if distance > 0:
                force = [f + (a - b) / distance ** 3 for f, a, b in zip(force, unit, other)]
        outwards = dot(force, unit)
        slope += [(outwards * u - f) / length for f, u in zip(force, unit)]
    return slope


def dot(a, b):
    """Returns the inner product."""
    return sum(p * q for p, q in zip(a, b))


def minimise(gradient, x):
    """Returns where the gradient is gone: steps by Barzilai and Borwein."""
    length, slope = 0.02, gradient(x)
    for _ in range(1000):
        if math.hypot(*slope) < 1e-12:
            break
        next_x = [a - length * s for a, s in zip(x, slope)]
        next_slope = gradient(next_x)
        moved = [a - b for a, b in zip(next_x, x)]
        turned = [a - b for a, b in zip(next_slope, slope)]
        length = min(0.2, dot(moved, moved) / abs(dot(moved, turned)))
        x, slope = next_x, next_slope
    return x


def icosahedron():
    """Returns the energy of its corners: 30 pairs an edge apart, 30 a diagonal, 6 opposite."""
    edge = 4 / math.sqrt(10 + 2 * math.sqrt(5))
    golden = (1 + math.sqrt(5)) / 2
    return 30 / edge + 30 / (golden * edge) + 6 / 2


def main():
    """Runs the program."""
    energy, gradient = load(sys.argv[1])
    numbers = random.Random(3)
    x = [numbers.gauss(0, 1) for _ in range(3 * ELECTRONS)]
    by_hand = gradient_by_hand(x)
    error = math.dist(gradient(x), by_hand) / math.hypot(*by_hand)
    print(f"gradient: differs from the one by hand by {error:.1e}")
    found, expected = energy(minimise(gradient, x)), icosahedron()
    print(f"energy {found:.12f}, of an icosahedron {expected:.12f}")
    return 0 if error < 1e-13 and abs(found - expected) < 1e-11 else 1


if __name__ == "__main__":
    sys.exit(main())
