// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Slices are structs of an integer and a pointer: functions that take them are inlined.
extern (C) double sqrt(double x) @nogc nothrow pure;

pragma(inline, true)
private double[3] difference(const(double)[] position, size_t i, size_t j) @nogc nothrow
{
    double[3] d;
    foreach (k; 0 .. 3)
        d[k] = position[3 * i + k] - position[3 * j + k];
    return d;
}

pragma(inline, true)
private double square(ref const double[3] d) @nogc nothrow
{
    return d[0] * d[0] + d[1] * d[1] + d[2] * d[2];
}

pragma(inline, true)
private void step(double dt, const(double)[] mass, double[] position, double[] velocity) @nogc nothrow
{
    foreach (i; 0 .. mass.length)
        foreach (j; i + 1 .. mass.length)
        {
            const d = difference(position, i, j);
            const r = square(d);
            const pull = dt / (r * sqrt(r));
            foreach (k; 0 .. 3)
            {
                velocity[3 * i + k] -= d[k] * mass[j] * pull;
                velocity[3 * j + k] += d[k] * mass[i] * pull;
            }
        }
    foreach (i, ref p; position)
        p += dt * velocity[i];
}

extern (C) double energy_other(size_t n, size_t steps, double dt, const(double)* masses,
        double* positions, double* velocities) @nogc nothrow
{
    auto mass = masses[0 .. n];
    auto position = positions[0 .. 3 * n];
    auto velocity = velocities[0 .. 3 * n];
    foreach (s; 0 .. steps)
        step(dt, mass, position, velocity);
    double energy = 0;
    foreach (i; 0 .. n)
    {
        foreach (v; velocity[3 * i .. 3 * i + 3])
            energy += 0.5 * mass[i] * v * v;
        foreach (j; i + 1 .. n)
        {
            const d = difference(position, i, j);
            energy -= mass[i] * mass[j] / sqrt(square(d));
        }
    }
    return energy;
}
