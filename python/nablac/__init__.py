# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Derivatives of C functions, on NumPy arrays.

    import nablac
    import numpy as np

    f = nablac.compile('''
    double f(const double *x, int n) {
      double sum = 0;
      for (int i = 0; i < n; i++)
        sum += x[i] * x[i];
      return sum;
    }''', "f")
    x = np.array([1.0, 2.0, 3.0])
    f(x, 3)            # 14.0
    f.gradient(x, 3)   # array([2., 4., 6.])

nablac.torch and nablac.jax make functions of PyTorch and of JAX from the same.
"""

from nablac.build import CompileError, compile  # pylint: disable=redefined-builtin
from nablac.function import ArgumentError, Function

__all__ = ["ArgumentError", "CompileError", "Function", "compile"]
