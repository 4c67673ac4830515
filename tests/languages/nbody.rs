// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#![crate_type = "staticlib"]
#![no_std]

use core::slice;

#[panic_handler]
fn panic(_: &core::panic::PanicInfo) -> ! {
    loop {}
}

#[no_mangle]
pub extern "C" fn rust_eh_personality() {}

extern "C" {
    fn sqrt(x: f64) -> f64;
}

fn root(x: f64) -> f64 {
    unsafe { sqrt(x) }
}

fn difference(position: &[f64], i: usize, j: usize) -> [f64; 3] {
    let mut d = [0.0; 3];
    for k in 0..3 {
        d[k] = position[3 * i + k] - position[3 * j + k];
    }
    d
}

fn square(d: &[f64; 3]) -> f64 {
    d[0] * d[0] + d[1] * d[1] + d[2] * d[2]
}

fn step(dt: f64, mass: &[f64], position: &mut [f64], velocity: &mut [f64]) {
    let n = mass.len();
    for i in 0..n {
        for j in i + 1..n {
            let d = difference(position, i, j);
            let r = square(&d);
            let pull = dt / (r * root(r));
            for k in 0..3 {
                velocity[3 * i + k] -= d[k] * mass[j] * pull;
                velocity[3 * j + k] += d[k] * mass[i] * pull;
            }
        }
    }
    for (p, v) in position.iter_mut().zip(velocity.iter()) {
        *p += dt * v;
    }
}

fn energy(mass: &[f64], position: &[f64], velocity: &[f64]) -> f64 {
    let mut sum = 0.0;
    for (i, m) in mass.iter().enumerate() {
        for v in &velocity[3 * i..3 * i + 3] {
            sum += 0.5 * m * v * v;
        }
        for j in i + 1..mass.len() {
            sum -= m * mass[j] / root(square(&difference(position, i, j)));
        }
    }
    sum
}

#[no_mangle]
pub unsafe extern "C" fn energy_other(
    n: usize,
    steps: usize,
    dt: f64,
    mass: *const f64,
    position: *mut f64,
    velocity: *mut f64,
) -> f64 {
    let mass = slice::from_raw_parts(mass, n);
    let position = slice::from_raw_parts_mut(position, 3 * n);
    let velocity = slice::from_raw_parts_mut(velocity, 3 * n);
    for _ in 0..steps {
        step(dt, mass, position, velocity);
    }
    energy(mass, position, velocity)
}
