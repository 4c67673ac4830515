// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/*
 * A gas that carries its mesh along: elements with eight corners, in no order, by the equations of
 * Wilkins (1964) and of Flanagan and Belytschko (1981) in the form of Karlin, Keasler and Neely,
 * "LULESH 2.0 updates and changes" (2013), with an ideal gas and fixed steps. The result is the
 * kinetic energy at the end.
 */
#include "kernel.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { AXES = 3, CORNERS = 8, FACES = 6, SIDES = 4, MODES = 4 };

static const double STEP = 0.01;
static const double ADIABATIC = 1.4;
static const double LINEAR = 0.06, QUADRATIC = 1.2; /* artificial viscosity */
static const double STIFFNESS = 0.02;               /* against hourglasses */

/* The corners of each face, by which its normal points outwards. */
static const int FACE[FACES][SIDES] = {{0, 1, 2, 3}, {0, 4, 5, 1}, {1, 5, 6, 2},
                                       {2, 6, 7, 3}, {3, 7, 4, 0}, {4, 7, 6, 5}};

/* How the corners move in an hourglass, which changes no volume. */
static const double HOURGLASS[MODES][CORNERS] = {{1, 1, -1, -1, -1, -1, 1, 1},
                                                 {1, -1, -1, 1, -1, 1, 1, -1},
                                                 {1, -1, 1, -1, 1, -1, 1, -1},
                                                 {-1, 1, -1, 1, 1, -1, 1, -1}};

typedef double Corners[CORNERS][AXES];

/* Element e has the corners corners[CORNERS * e ..]; bit a of held[i] says that node i does not
 * move along axis a. */
typedef struct {
  int elements, nodes;
  const int *corners, *held;
} Mesh;

/* Room: masses, volumes and stresses of elements, masses of nodes and forces on them. */
typedef struct {
  double *mass, *volume, *stress, *node_mass, *force;
} Room;

static void gather(const int *corners, const double *RESTRICT from, Corners to) {
  for (int k = 0; k < CORNERS; k++)
    for (int a = 0; a < AXES; a++)
      to[k][a] = from[AXES * corners[k] + a];
}

/* Twice the area of a face, as a vector. */
static void normal_of(const int *face, Corners x, double *out) {
  double up[AXES], along[AXES];
  for (int a = 0; a < AXES; a++) {
    up[a] = 0.5 * (x[face[3]][a] + x[face[2]][a] - x[face[1]][a] - x[face[0]][a]);
    along[a] = 0.5 * (x[face[2]][a] + x[face[1]][a] - x[face[3]][a] - x[face[0]][a]);
  }
  out[0] = up[1] * along[2] - up[2] * along[1];
  out[1] = up[2] * along[0] - up[0] * along[2];
  out[2] = up[0] * along[1] - up[1] * along[0];
}

/* Returns the volume, and writes how much of the surface belongs to each corner. */
static double surface(Corners x, Corners out) {
  double volume = 0;
  memset(out, 0, sizeof(Corners));
  for (int f = 0; f < FACES; f++) {
    double normal[AXES];
    normal_of(FACE[f], x, normal);
    for (int k = 0; k < SIDES; k++)
      for (int a = 0; a < AXES; a++) {
        out[FACE[f][k]][a] += 0.25 * normal[a];
        volume += x[FACE[f][k]][a] * normal[a] / (SIDES * AXES);
      }
  }
  return volume;
}

static double dot(Corners x, Corners y) {
  double sum = 0;
  for (int k = 0; k < CORNERS; k++)
    for (int a = 0; a < AXES; a++)
      sum += x[k][a] * y[k][a];
  return sum;
}

/* Adds to the forces what resists one way of moving without a change of volume. */
static void resist(const double *mode, double strength, double volume, Corners x, Corners v,
                   Corners normals, Corners force) {
  double moved[AXES] = {0}, speed[AXES] = {0}, pure[CORNERS];
  for (int k = 0; k < CORNERS; k++)
    for (int a = 0; a < AXES; a++)
      moved[a] += mode[k] * x[k][a];
  for (int k = 0; k < CORNERS; k++) {
    pure[k] = mode[k];
    for (int a = 0; a < AXES; a++)
      pure[k] -= normals[k][a] * moved[a] / volume;
    for (int a = 0; a < AXES; a++)
      speed[a] += pure[k] * v[k][a];
  }
  for (int k = 0; k < CORNERS; k++)
    for (int a = 0; a < AXES; a++)
      force[k][a] -= strength * speed[a] * pure[k];
}

/* Writes the forces of one element on its corners; returns its pressure with the viscous part. */
static double element_force(double mass, double energy, Corners x, Corners v, Corners force) {
  Corners normals;
  double volume = surface(x, normals);
  double density = mass / volume;
  double pressure = (ADIABATIC - 1) * density * energy;
  double sound = sqrt(ADIABATIC * pressure / density);
  double length = cbrt(volume);
  double growth = length * dot(v, normals) / volume;
  double viscous = growth < 0 ? density * growth * (QUADRATIC * growth - LINEAR * sound) : 0;
  double stress = pressure + viscous;
  for (int k = 0; k < CORNERS; k++)
    for (int a = 0; a < AXES; a++)
      force[k][a] = stress * normals[k][a];
  double strength = STIFFNESS * density * sound * length * length;
  for (int m = 0; m < MODES; m++)
    resist(HOURGLASS[m], strength, volume, x, v, normals, force);
  return stress;
}

static void forces(Mesh mesh, const double *RESTRICT x, const double *RESTRICT v,
                   const double *RESTRICT energy, Room room) {
  for (int e = 0; e < mesh.elements; e++) {
    const int *corners = mesh.corners + CORNERS * e;
    Corners here, speed, force;
    gather(corners, x, here);
    gather(corners, v, speed);
    room.stress[e] = element_force(room.mass[e], energy[e], here, speed, force);
    for (int k = 0; k < CORNERS; k++)
      for (int a = 0; a < AXES; a++)
        room.force[AXES * corners[k] + a] += force[k][a];
  }
}

static void move(Mesh mesh, double *RESTRICT x, double *RESTRICT v, Room room) {
  for (int i = 0; i < mesh.nodes; i++)
    for (int a = 0; a < AXES; a++) {
      int at = AXES * i + a;
      if (!(mesh.held[i] >> a & 1))
        v[at] += STEP * room.force[at] / room.node_mass[i];
      x[at] += STEP * v[at];
      room.force[at] = 0;
    }
}

static double volume_of(const int *corners, const double *RESTRICT x) {
  Corners here, normals;
  gather(corners, x, here);
  return surface(here, normals);
}

static void work(Mesh mesh, const double *RESTRICT x, double *RESTRICT energy, Room room) {
  for (int e = 0; e < mesh.elements; e++) {
    double volume = volume_of(mesh.corners + CORNERS * e, x);
    energy[e] -= room.stress[e] * (volume - room.volume[e]) / room.mass[e];
    room.volume[e] = volume;
  }
}

/* The density is one at the beginning. */
static Room room_new(Mesh mesh, const double *RESTRICT x) {
  double *at = calloc(3 * (size_t)mesh.elements + 4 * (size_t)mesh.nodes, sizeof(double));
  Room room = {at, at + mesh.elements, at + 2 * mesh.elements, at + 3 * mesh.elements,
               at + 3 * mesh.elements + mesh.nodes};
  for (int e = 0; e < mesh.elements; e++) {
    const int *corners = mesh.corners + CORNERS * e;
    room.mass[e] = room.volume[e] = volume_of(corners, x);
    for (int k = 0; k < CORNERS; k++)
      room.node_mass[corners[k]] += room.mass[e] / CORNERS;
  }
  return room;
}

static double hydrodynamics(int elements, int nodes, int steps, const int *RESTRICT corners,
                            const int *RESTRICT held, double *RESTRICT x, double *RESTRICT energy) {
  Mesh mesh = {elements, nodes, corners, held};
  Room room = room_new(mesh, x);
  double *v = calloc(AXES * (size_t)nodes, sizeof(double));
  for (int t = 0; t < steps; t++) {
    forces(mesh, x, v, energy, room);
    move(mesh, x, v, room);
    work(mesh, x, energy, room);
  }
  double kinetic = 0;
  for (int i = 0; i < nodes; i++)
    for (int a = 0; a < AXES; a++)
      kinetic += 0.5 * room.node_mass[i] * v[AXES * i + a] * v[AXES * i + a];
  free(room.mass);
  free(v);
  return kinetic;
}

static Mesh mesh_of(const Problem *p) {
  int side = p->sizes[0];
  int elements = side * side * side;
  int nodes = (side + 1) * (side + 1) * (side + 1);
  return (Mesh){elements, nodes, p->labels, p->labels + CORNERS * elements};
}

static double primal(const Problem *p) {
  Mesh mesh = mesh_of(p);
  memcpy(p->state, p->x, sizeof(double) * (size_t)p->states);
  return hydrodynamics(mesh.elements, mesh.nodes, p->sizes[1], mesh.corners, mesh.held, p->state,
                       p->state + AXES * mesh.nodes);
}

static double forward(const Problem *p, const double *direction) {
  Mesh mesh = mesh_of(p);
  int energy = AXES * mesh.nodes;
  memcpy(p->state, p->x, sizeof(double) * (size_t)p->states);
  memcpy(p->tangent, direction, sizeof(double) * (size_t)p->states);
  return __enzyme_fwddiff((void *)hydrodynamics, enzyme_const, mesh.elements, enzyme_const,
                          mesh.nodes, enzyme_const, p->sizes[1], enzyme_const, mesh.corners,
                          enzyme_const, mesh.held, enzyme_dup, p->state, p->tangent, enzyme_dup,
                          p->state + energy, p->tangent + energy);
}

static void reverse(const Problem *p, double *gradient) {
  Mesh mesh = mesh_of(p);
  int energy = AXES * mesh.nodes;
  memcpy(p->state, p->x, sizeof(double) * (size_t)p->states);
  memset(gradient, 0, sizeof(double) * (size_t)p->inputs);
  __enzyme_autodiff((void *)hydrodynamics, enzyme_const, mesh.elements, enzyme_const, mesh.nodes,
                    enzyme_const, p->sizes[1], enzyme_const, mesh.corners, enzyme_const, mesh.held,
                    enzyme_dup, p->state, gradient, enzyme_dup, p->state + energy,
                    gradient + energy);
}

const Kernel VARIANT(hydrodynamics) = {primal, forward, reverse};
