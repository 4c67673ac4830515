# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Functions of C, called and differentiated with NumPy arrays."""

import os
import tempfile
import unittest
from pathlib import Path
from unittest import mock

import nablac
import numpy as np

NORM = """
#include <math.h>
double norm(const double *x, int n) {
  double sum = 0;
  for (int i = 0; i < n; i++)
    sum += x[i] * x[i];
  return sqrt(sum);
}
"""
MIXED = """
double mixed(double a, const float *x, long n, double b, double *y) {
  for (long i = 0; i < n; i++)
    y[i] = y[i] * a + x[i];
  return a * b * y[0];
}
"""
SQUARE = "double f(double x) { return x * x; }"
SCALE = """
void scale(const double *x, unsigned n, double *y) {
  for (unsigned i = 0; i < n; i++)
    y[i] = x[i] * x[n - 1 - i];
}
"""


class Values(unittest.TestCase):
    """What is computed."""

    def test_gradient_of_an_array(self):
        """The gradient of the norm."""
        f = nablac.compile(NORM, "norm")
        x = np.array([3.0, 0.0, 4.0])
        self.assertEqual(f(x, 3), 5.0)
        np.testing.assert_allclose(f.gradient(x, 3), x / 5, rtol=1e-14)

    def test_file(self):
        """The same from a file."""
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "norm.c"
            path.write_text(NORM, encoding="utf-8")
            for name in (path, str(path)):
                self.assertEqual(nablac.compile(name, "norm")(np.array([2.0]), 1), 2.0)

    def test_names_of_types(self):
        """Numbers and arrays of types that have names; qualified results."""
        f = nablac.compile("""
            #include <stddef.h>
            typedef double number;
            typedef number real;
            const real energy(const real *x, size_t n) {
              real sum = 0;
              for (size_t i = 0; i < n; i++)
                sum += x[i] * x[i];
              return sum;
            }""", "energy")
        np.testing.assert_array_equal(f.gradient(np.array([1.0, 2.0]), 2), [2, 4])

    def test_numbers_and_arrays(self):
        """Adjoints of several kinds of arguments; what is written goes to copies."""
        f = nablac.compile(MIXED, "mixed")
        x, y = np.array([1.0, 2.0], np.float32), np.array([5.0, 7.0])
        da, dx, db, dy = f.gradient(3.0, x, 2, 0.5, y)
        self.assertEqual(y[0], 5.0)
        self.assertAlmostEqual(da, 0.5 * 16 + 3 * 0.5 * 5)
        self.assertAlmostEqual(db, 3 * 16)
        np.testing.assert_allclose(dx, [1.5, 0])
        np.testing.assert_allclose(dy, [4.5, 0])
        self.assertEqual(f(3.0, x, 2, 0.5, y), 24.0)
        np.testing.assert_allclose(y, [16, 23])

    def test_tangents_and_adjoints(self):
        """Forward and reverse mode agree."""
        f = nablac.compile(SCALE, "scale")
        x, v, w = np.arange(1.0, 5), np.array([1.0, -2, 0.5, 3]), np.array([2.0, 1, -1, 4])
        y = np.zeros(4)
        result, (_, _, dy) = f.forward((x, 4, y), (v, None, None))
        self.assertIsNone(result)
        np.testing.assert_allclose(dy, v * x[::-1] + x * v[::-1])
        dx, _, _ = f.reverse((x, 4, y), (None, None, w))
        self.assertAlmostEqual(np.dot(dx, v), np.dot(w, dy))


class Errors(unittest.TestCase):
    """What is refused, and what is said."""

    def setUp(self):
        self.norm = nablac.compile(NORM, "norm")
        self.scale = nablac.compile(SCALE, "scale")

    def refused(self, text, call, *arguments):
        """Checks that the call raises an ArgumentError with the text."""
        with self.assertRaisesRegex(nablac.ArgumentError, text):
            call(*arguments)

    def test_arrays(self):
        """Types, gaps, read-only memory, shapes."""
        self.refused("needs an array of float64, not of float32", self.norm,
                     np.zeros(3, np.float32), 3)
        self.refused("argument 1 .'x'. of 'norm' is not contiguous", self.norm.gradient,
                     np.zeros(6)[::2], 3)
        self.refused("needs a NumPy array", self.norm, [1.0, 2.0], 2)
        fixed = np.zeros(2)
        fixed.flags.writeable = False
        self.refused("read-only", self.scale, np.zeros(2), 2, fixed)
        self.refused("has the shape .3,., the argument .2,.", self.scale.reverse,
                     (np.zeros(2), 2, np.zeros(2)), (None, None, np.zeros(3)))

    def test_numbers(self):
        """Kinds, sizes, how many."""
        self.refused("takes 2 arguments, not 1", self.norm, np.zeros(3))
        self.refused("needs one number", self.norm, np.zeros(3), 1.5)
        self.refused("too large", self.norm, np.zeros(3), 2**40)
        self.refused("has no result", self.scale.gradient, np.zeros(2), 2, np.zeros(2))

    def test_flags(self):
        """Flags are a list."""
        with self.assertRaisesRegex(nablac.CompileError, "flags='-O2 -DK': a list of texts"):
            nablac.compile(SQUARE, "f", flags="-O2 -DK")

    def test_compiler(self):
        """What the compiler and nabla say."""
        unknown = "double g(double); double f(double x) { return g(x); }\n"
        with self.assertRaisesRegex(nablac.CompileError, "'g' takes a value with a derivative"):
            nablac.compile(unknown, "f")
        with self.assertRaisesRegex(nablac.CompileError, "error: "):
            nablac.compile("double f(double x) { return y; }\n", "f")
        with self.assertRaisesRegex(nablac.CompileError, "no function 'h'"):
            nablac.compile("double f(double x) { return x; }\n", "h")
        with self.assertRaisesRegex(nablac.CompileError, "only numbers and arrays of numbers"):
            nablac.compile("double f(double **x) { return **x; }\n", "f")

    def test_compiler_on_the_path(self):
        """A folder's name may have a space."""
        with tempfile.TemporaryDirectory(prefix="na bla") as folder:
            path = Path(folder) / "nabla-cc"
            path.write_text(f'#!/bin/sh\nexec {os.environ["NABLA_CC"]} "$@"\n', encoding="utf-8")
            path.chmod(0o755)
            with mock.patch.dict(os.environ, PATH=f"{folder}:{os.environ['PATH']}"):
                del os.environ["NABLA_CC"]
                self.assertEqual(nablac.compile(SQUARE, "f").gradient(3.0), 6.0)


if __name__ == "__main__":
    unittest.main()
