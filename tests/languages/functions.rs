// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! Functions as one writes them in Rust: their gradients against differences, and against tangents.
#[path = "../../include/nabla/nabla.rs"]
mod nabla;

const COUNT: usize = 7;
const STEP: f64 = 1e-6;

/// Vectors that grow, from nothing.
fn grown(x: &[f64]) -> f64 {
    let mut products = Vec::new();
    for (i, a) in x.iter().enumerate() {
        products.push(if i % 2 == 0 { a * a } else { a.sin() });
    }
    products.iter().zip(&products[1..]).map(|(a, b)| a * b).sum()
}

/// Vectors that grow in a loop, as stacks do, and give back what they hold.
fn stacked(x: &[f64]) -> f64 {
    let mut stack = vec![1.0];
    for a in x {
        stack.push(a * stack[stack.len() - 1]);
        if *a > 1.5 {
            stack.push(a.exp());
        }
        if stack.len() % 3 == 0 {
            let last = stack.pop().unwrap();
            stack[0] += last;
        }
    }
    stack.iter().sum()
}

/// Vectors of vectors of different lengths.
fn triangle(x: &[f64]) -> f64 {
    let mut rows: Vec<Vec<f64>> = Vec::new();
    for i in 0..x.len() {
        let mut row = Vec::with_capacity(1);
        for j in 0..=i {
            row.push(x[i] * x[j]);
        }
        rows.push(row);
    }
    rows.iter().map(|row| row.iter().map(|v| 0.4 * v).product::<f64>().cos()).sum()
}

struct Body {
    at: [f64; 2],
    mass: f64,
    kind: usize,
}

/// Vectors of structs that grow and are extended.
fn bodies(x: &[f64]) -> f64 {
    let mut all = Vec::new();
    for (kind, pair) in x.chunks_exact(2).enumerate() {
        all.push(Body { at: [pair[0], pair[1]], mass: 1.0 + pair[0] * pair[0], kind });
    }
    all.extend(x.windows(2).map(|w| Body { at: [w[1], w[0]], mass: w[0].cos(), kind: 7 }));
    let mut sum = 0.0;
    for (i, a) in all.iter().enumerate() {
        for b in &all[i + 1..] {
            let d = [a.at[0] - b.at[0], a.at[1] - b.at[1]];
            let r = (d[0] * d[0] + d[1] * d[1] + 0.1).sqrt();
            sum += if a.kind == b.kind { r } else { a.mass * b.mass / r };
        }
    }
    sum
}

trait Potential {
    fn of(&self, d: f64) -> f64;
}
struct Spring(f64);
struct Morse {
    depth: f64,
    width: f64,
}
impl Potential for Spring {
    fn of(&self, d: f64) -> f64 {
        0.5 * self.0 * d * d
    }
}
impl Potential for Morse {
    fn of(&self, d: f64) -> f64 {
        let e = 1.0 - (-self.width * d).exp();
        self.depth * e * e
    }
}

fn total<P: Potential>(potential: &P, x: &[f64]) -> f64 {
    x.windows(2).map(|w| potential.of(w[1] - w[0])).sum()
}

/// Traits, for one type and for any.
fn traits(x: &[f64]) -> f64 {
    let all: [&dyn Potential; 2] = [&Spring(3.0), &Morse { depth: 2.0, width: 0.7 }];
    let mut sum = total(&Spring(x[0]), x);
    for i in 1..x.len() {
        sum += all[i % 2].of(x[i] * x[i - 1]);
    }
    sum
}

fn chain(n: usize, rate: f64) -> Box<dyn Fn(f64) -> f64> {
    if n % 2 == 0 {
        Box::new(move |v| (rate * v).sin())
    } else {
        Box::new(move |v| rate + v * v / (1.0 + n as f64))
    }
}

/// Boxed functions that keep numbers.
fn boxed(x: &[f64]) -> f64 {
    x.iter().enumerate().map(|(n, a)| chain(n, x[0])(*a)).sum()
}

/// Iterators of many kinds.
fn iterators(x: &[f64]) -> f64 {
    let largest = x.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    let (low, high) = x.split_at(x.len() / 2);
    let mixed: Vec<f64> = low.iter().rev().chain(high).skip(1).step_by(2).map(|v| v.tanh()).collect();
    let even: f64 = mixed.iter().filter(|v| **v > 0.5).take(4).sum();
    let both = low.iter().zip(high.iter().rev()).fold(1.0, |sum, (a, b)| sum + a * b);
    even * both + largest + x.iter().flat_map(|v| [v * v, v.sin()]).sum::<f64>()
}

enum Shape {
    Point,
    Disc(f64),
    Box { width: f64, height: f64 },
}

fn shape(x: &[f64], i: usize) -> Option<Shape> {
    match i % 4 {
        0 => Some(Shape::Point),
        1 => Some(Shape::Disc(x[i] * x[i - 1])),
        2 => Some(Shape::Box { width: x[i], height: x[i - 1].exp() }),
        _ => None,
    }
}

/// Enumerations with and without numbers.
fn shapes(x: &[f64]) -> f64 {
    let mut sum = 0.0;
    for i in 0..x.len() {
        sum += match shape(x, i) {
            Some(Shape::Point) => x[i],
            Some(Shape::Disc(radius)) => 3.0 * radius * radius,
            Some(Shape::Box { width, height }) => width * height,
            None => continue,
        };
    }
    sum
}

/// Indices that are checked, memory that is written by slices.
fn solved(x: &[f64]) -> f64 {
    let n = x.len();
    let mut a = vec![0.0; n * n];
    let mut b = x.to_vec();
    for (i, row) in a.chunks_exact_mut(n).enumerate() {
        for (j, v) in row.iter_mut().enumerate() {
            *v = if i == j { 4.0 + x[i] * x[i] } else { (x[i] * x[j]).cos() / n as f64 };
        }
    }
    for k in 0..n {
        for i in k + 1..n {
            let factor = a[i * n + k] / a[k * n + k];
            let (above, below) = a.split_at_mut(i * n);
            for (v, u) in below[..n].iter_mut().zip(&above[k * n..]) {
                *v -= factor * u;
            }
            b[i] -= factor * b[k];
        }
    }
    for k in (0..n).rev() {
        let known: f64 = (k + 1..n).map(|j| a[k * n + j] * b[j]).sum();
        b[k] = (b[k] - known) / a[k * n + k];
    }
    b.iter().map(|v| v * v).sum()
}

fn difference(f: fn(&[f64]) -> f64, x: &[f64], i: usize) -> f64 {
    let mut near = x.to_vec();
    near[i] = x[i] + STEP;
    let above = f(&near);
    near[i] = x[i] - STEP;
    (above - f(&near)) / (2.0 * STEP)
}

fn close(name: &str, i: usize, is: f64, should: f64, tolerance: f64) {
    assert!((is - should).abs() <= tolerance * (1.0 + should.abs()), "{name} {i}: {is}, not {should}");
}

type Gradient = fn(&[f64], &mut [f64]) -> f64;
type Tangent = fn(&[f64], &[f64]) -> (f64, f64);

fn check(name: &str, f: fn(&[f64]) -> f64, gradient: Gradient, tangent: Tangent) {
    let x: Vec<f64> = (0..COUNT).map(|i| 0.7 + (1.3 * i as f64).sin() + 0.2 * i as f64).collect();
    let mut slope = vec![0.0; COUNT];
    close(name, COUNT, gradient(&x, &mut slope), f(&x), 0.0);
    for i in 0..COUNT {
        close(name, i, slope[i], difference(f, &x, i), 1e-7);
        let mut direction = vec![0.0; COUNT];
        direction[i] = 1.0;
        let (value, along) = tangent(&x, &direction);
        close(name, COUNT, value, f(&x), 0.0);
        close(name, i, along, slope[i], 1e-13);
    }
}

macro_rules! both {
    ($($f:ident)*) => {
        $({
            nabla::reverse! { fn gradient(x: Dup<&[f64]>) -> f64 = $f }
            nabla::forward! { fn tangent(x: Dup<&[f64]>) -> f64 = $f }
            check(stringify!($f), $f, gradient, tangent);
        })*
    };
}

fn main() {
    both! { grown stacked triangle bodies traits boxed iterators shapes solved }
}
