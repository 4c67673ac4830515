// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! The objective in objective.h, in Rust: the logarithm of the posterior of a Gaussian mixture.
#![crate_type = "cdylib"]

use std::slice;

fn squared_length(x: &[f64]) -> f64 {
    x.iter().map(|v| v * v).sum()
}

/// log(exp(x[0]) + ... + exp(x[k - 1])), where no exponential overflows.
fn log_sum_exp(x: &[f64]) -> f64 {
    let largest = x.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    largest + x.iter().map(|v| (v - largest).exp()).sum::<f64>().ln()
}

/// A component: its log-weight with the log-determinant of Q, its mean, the exponentials of Q's
/// log-diagonal, and what is below the diagonal, column by column.
struct Component<'a> {
    offset: f64,
    mean: &'a [f64],
    scale: Vec<f64>,
    below: &'a [f64],
}

impl<'a> Component<'a> {
    fn new(alpha: f64, mean: &'a [f64], factor: &'a [f64]) -> Self {
        let (diagonal, below) = factor.split_at(mean.len());
        Component {
            offset: alpha + diagonal.iter().sum::<f64>(),
            mean,
            scale: diagonal.iter().map(|v| v.exp()).collect(),
            below,
        }
    }

    /// The squared length of Q (point - mean).
    fn distance(&self, point: &[f64]) -> f64 {
        let away: Vec<f64> = point.iter().zip(self.mean).map(|(p, m)| p - m).collect();
        let mut white: Vec<f64> = self.scale.iter().zip(&away).map(|(s, a)| s * a).collect();
        let mut below = self.below.iter();
        for column in 0..away.len() {
            for row in column + 1..away.len() {
                white[row] += below.next().unwrap() * away[column];
            }
        }
        squared_length(&white)
    }
}

/// The Wishart prior as a function of a component.
fn wishart(gamma: f64, m: i32) -> Box<dyn Fn(&Component, f64) -> f64> {
    Box::new(move |component, log_determinant| {
        let squares = squared_length(&component.scale) + squared_length(component.below);
        0.5 * gamma * gamma * squares - f64::from(m) * log_determinant
    })
}

fn objective(alphas: &[f64], means: &[f64], factors: &[f64], points: &[f64], d: usize,
             prior: &dyn Fn(&Component, f64) -> f64) -> f64 {
    let components: Vec<Component> = alphas
        .iter()
        .zip(means.chunks_exact(d))
        .zip(factors.chunks_exact(d * (d + 1) / 2))
        .map(|((alpha, mean), factor)| Component::new(*alpha, mean, factor))
        .collect();
    let mut total: f64 = components
        .iter()
        .zip(alphas)
        .map(|(component, alpha)| prior(component, component.offset - alpha))
        .sum();
    let mut terms = vec![0.0; components.len()];
    for point in points.chunks_exact(d) {
        for (term, component) in terms.iter_mut().zip(&components) {
            *term = component.offset - 0.5 * component.distance(point);
        }
        total += log_sum_exp(&terms);
    }
    total - (points.len() / d) as f64 * log_sum_exp(alphas)
}

/// What C calls.
///
/// # Safety
///
/// The pointers lead to k, k * d, k * d * (d + 1) / 2 and n * d numbers.
#[no_mangle]
pub unsafe extern "C" fn gmm_objective_rust(d: i32, k: i32, n: i32, alphas: *const f64,
                                            means: *const f64, factors: *const f64,
                                            points: *const f64, gamma: f64, m: i32) -> f64 {
    let (d, k, n) = (d as usize, k as usize, n as usize);
    let alphas = slice::from_raw_parts(alphas, k);
    let means = slice::from_raw_parts(means, k * d);
    let factors = slice::from_raw_parts(factors, k * (d * (d + 1) / 2));
    let points = slice::from_raw_parts(points, n * d);
    objective(alphas, means, factors, points, d, &*wishart(gamma, m))
}
