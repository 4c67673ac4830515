# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Functions of C in PyTorch and JAX, where these are installed."""

import importlib.util
import unittest

import nablac
import numpy as np

ENERGY = """
#include <math.h>
double energy(const double *x, int n) {
  double sum = 0;
  for (int i = 0; i + 1 < n; i++)
    sum += sin(x[i]) * x[i + 1] * x[i + 1];
  return sum;
}
"""
PAIRS = """
void pairs(const double *x, int n, double *y, int m) {
  for (int i = 0; i < m; i++)
    y[i] = x[i] * x[(i + 1) % n];
}
"""


def is_missing(name):
    """Is the package not installed?"""
    return importlib.util.find_spec(name) is None


@unittest.skipIf(is_missing("torch"), "PyTorch is not installed")
class Torch(unittest.TestCase):
    """torch.autograd."""

    def test_gradcheck(self):
        """PyTorch's own comparison with differences."""
        import torch
        from nablac.torch import differentiate
        x = torch.linspace(0.1, 0.9, 5, dtype=torch.float64, requires_grad=True)
        self.assertTrue(torch.autograd.gradcheck(differentiate(ENERGY, "energy").apply, (x,)))
        pairs = differentiate(PAIRS, "pairs", shape=(3,))
        self.assertTrue(torch.autograd.gradcheck(pairs.apply, (x,)))

    def test_forward(self):
        """The same of forward mode."""
        import torch
        from nablac.torch import differentiate
        x = torch.linspace(0.1, 0.9, 5, dtype=torch.float64, requires_grad=True)
        for f in (differentiate(ENERGY, "energy"), differentiate(PAIRS, "pairs", shape=(3,))):
            self.assertTrue(torch.autograd.gradcheck(f.apply, (x,), check_forward_ad=True))

    def test_second(self):
        """The derivative may become part of a graph, but is not differentiated again."""
        import torch
        from nablac.torch import differentiate
        f = differentiate(ENERGY, "energy")
        x = torch.linspace(0.1, 0.9, 5, dtype=torch.float64, requires_grad=True)
        (gradient,) = torch.autograd.grad(f.apply(x * x), x, create_graph=True)
        with self.assertRaisesRegex(RuntimeError, "'energy'.* is not differentiated again"):
            gradient.sum().backward()

    def test_type(self):
        """Another type of numbers is refused."""
        import torch
        from nablac.torch import differentiate
        with self.assertRaisesRegex(nablac.ArgumentError, "takes float64, not float32"):
            differentiate(ENERGY, "energy").apply(torch.zeros(3))
        with self.assertRaisesRegex(nablac.ArgumentError, "takes a tensor, not list"):
            differentiate(ENERGY, "energy").apply([1.0])


@unittest.skipIf(is_missing("jax"), "JAX is not installed")
class Jax(unittest.TestCase):
    """jax.grad."""

    def test_gradient(self):
        """The gradient, compiled too."""
        import jax
        from nablac.jax import differentiate
        jax.config.update("jax_enable_x64", True)
        x = np.linspace(0.1, 0.9, 5)
        expected = nablac.compile(ENERGY, "energy").gradient(x, 5)
        f = differentiate(ENERGY, "energy")
        np.testing.assert_allclose(jax.grad(f)(x), expected, rtol=1e-12)
        np.testing.assert_allclose(jax.jit(jax.grad(f))(x), expected, rtol=1e-12)


if __name__ == "__main__":
    unittest.main()
