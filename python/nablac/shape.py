# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""C functions of one array, as the frameworks call them: y = f(x)."""

import numpy as np

from nablac.build import compile as compile_c
from nablac.function import ArgumentError


class Map:
    """A C function of one array and its adjoint.

    One of these forms, where T is double or float and n and m are integers:

        T f(const T *x), T f(const T *x, n)                    a number
        void f(const T *x, T *y), void f(const T *x, n, T *y)  as many numbers as x has
        void f(const T *x, n, T *y, m)                         as many as `shape` says
    """

    def __init__(self, source, name, shape=None, **options):
        self.function = compile_c(source, name, **options)
        self.shape = shape
        parameters = self.function.signature.parameters
        self.kinds = "".join("y" if p.written else "x" if p.array else "n" for p in parameters)
        expected = ("x", "xn") if self.function.signature.result != "void" else \
            ("xy", "xny", "xnyn")
        if self.kinds not in expected or not all(p.real for p in parameters if p.array):
            raise ArgumentError(f"'{name}' must be a function of one array: see nablac.shape.Map")
        self.dtype = np.dtype(parameters[0].dtype)

    def arguments(self, x):
        """Returns what the C function is called with, and where its result goes, if in memory."""
        if x.dtype != self.dtype:
            raise ArgumentError(f"'{self.function.signature.name}' takes {self.dtype}, not "
                                f"{x.dtype}")
        x = np.ascontiguousarray(x)
        y = np.zeros(x.shape if self.shape is None else self.shape, self.dtype)
        counts = iter((x.size, y.size))
        found = {"x": lambda: x, "y": lambda: y, "n": lambda: next(counts)}
        return [found[kind]() for kind in self.kinds], y

    def value(self, x):
        """Returns f(x) as a new array; of no dimension where it is a number."""
        arguments, y = self.arguments(x)
        result = self.function(*arguments)
        return y if result is None else np.array(result, self.dtype)

    def pullback(self, x, seed):
        """Returns the adjoint of x, where `seed` is that of the value."""
        arguments, _ = self.arguments(x)
        seed = np.ascontiguousarray(seed, self.dtype)
        if "y" not in self.kinds:
            return self.function.reverse(arguments)[0] * seed
        seeds = [seed if kind == "y" else None for kind in self.kinds]
        return self.function.reverse(arguments, seeds)[0]

    def push(self, x, tangent):
        """Returns the tangent of the value, where `tangent` is that of x."""
        arguments, _ = self.arguments(x)
        tangents = [np.ascontiguousarray(tangent, self.dtype) if kind == "x" else None
                    for kind in self.kinds]
        result, shadows = self.function.forward(arguments, tangents)
        if result is not None:
            return np.array(result, self.dtype)
        return shadows[self.kinds.index("y")]
