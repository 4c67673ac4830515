// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! Parameters of each kind, and what derivatives return.
#[path = "../../include/nabla/nabla.rs"]
mod nabla;

fn close(name: &str, is: f32, should: f32) {
    assert!((is - should).abs() <= 1e-5 * (1.0 + should.abs()), "{name}: {is}, not {should}");
}

fn energy(x: &[f64], k: f64, n: usize) -> f64 {
    x.iter().map(|v| k * v.powi(2)).sum::<f64>() + k * n as f64
}
nabla::reverse! {
    /// Kinds of parameters.
    pub fn energy_gradient(x: Dup<&[f64]>, k: Active<f64>, n: Const<usize>,) -> f64 = energy
}
nabla::forward! {
    fn energy_tangent(x: Dup<&[f64]>, k: Active<f64>, n: Const<usize>) -> f64 = energy
}

#[derive(Clone, Copy)]
struct Moving {
    at: [f32; 2],
    speed: [f32; 2],
    kind: i32,
}
unsafe impl nabla::Plain for Moving {}

fn advance(body: &mut Moving, path: &mut [f32], pull: &[f32; 2], h: f32) {
    for at in path.iter_mut() {
        for i in 0..body.kind as usize {
            body.speed[i] -= h * pull[i] * body.at[i];
            body.at[i] += h * body.speed[i];
        }
        *at = body.at[0] * body.at[1];
    }
}
nabla::reverse! {
    fn advance_back(body: Dup<&mut Moving>, path: Dup<&mut [f32]>, pull: Dup<&[f32; 2]>,
                    h: Active<f32>) = advance
}
nabla::forward! {
    fn advance_along(body: Dup<&mut Moving>, path: Dup<&mut [f32]>, pull: Const<&[f32; 2]>,
                     h: Active<f32>) = |body, path, pull, h| advance(body, path, pull, h)
}

fn check_kinds() {
    let (x, mut dx) = ([1.0, 2.0, 3.0], [0.0; 3]);
    assert_eq!(energy_gradient(&x, &mut dx, 2.0, 4), (36.0, 18.0));
    assert_eq!(dx, [4.0, 8.0, 12.0]);
    assert_eq!(energy_tangent(&x, &[1.0, 0.0, 0.0], 2.0, 0.5, 4), (36.0, 13.0));
}

/// The sum of the path moves with h as it does along the tangent.
fn check_written() {
    let start = Moving { at: [1.0, 0.5], speed: [0.25, 1.0], kind: 2 };
    let still = Moving { at: [0.0; 2], speed: [0.0; 2], kind: 2 };
    let (pull, mut d_pull) = ([1.0, 2.0], [0.0; 2]);
    let (mut body, mut path) = (start, [0.0; 5]);
    let (mut d_body, mut d_path) = (still, [1.0; 5]);
    let d_h = advance_back(&mut body, &mut d_body, &mut path, &mut d_path, &pull, &mut d_pull, 0.1);
    assert_eq!((body.kind, d_path), (2, [0.0; 5]));
    let (mut body, mut t_body, mut t_path) = (start, still, [0.0; 5]);
    advance_along(&mut body, &mut t_body, &mut path, &mut t_path, &pull, 0.1, 1.0);
    close("h", t_path.iter().sum(), d_h);
    let (mut body, mut t_body, mut t_path) = (start, still, [0.0; 5]);
    t_body.at[0] = 1.0;
    advance_along(&mut body, &mut t_body, &mut path, &mut t_path, &pull, 0.1, 0.0);
    close("at", t_path.iter().sum(), d_body.at[0]);
}

fn main() {
    check_kinds();
    check_written();
}
