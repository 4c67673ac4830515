// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* The minimum cut of a directed graph: what to store and what to recompute, decided at once. */
#ifndef NABLA_PLAN_MINCUT_H
#define NABLA_PLAN_MINCUT_H

#include "base/arena.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct NbCut NbCut;

/* The capacity of an edge that must not be cut; larger capacities are taken as this one. */
#define NB_CUT_INFINITE (UINT64_MAX / 4)

/* A graph of the nodes 0..nodes-1 without edges; it lives and dies with the arena. */
NbCut *nb_cut_new(NbArena *arena, unsigned nodes);

/* Adds an edge. Parallel edges add up; an edge from a node to itself has no effect. */
void nb_cut_edge(NbCut *cut, unsigned from, unsigned to, uint64_t capacity);

/* The minimum cut between two different nodes (E. A. Dinic, "Algorithm for solution of a problem of
 * maximum flow in networks with power estimation", 1970). in_source has one entry a node and tells
 * which nodes are on the source's side. Of equal cuts, it is the one nearest the sink: the sink's
 * side is exactly the nodes from which the sink can be reached in the residual graph.
 *
 * Returns the value of the cut. NB_CUT_INFINITE or more means that no finite cut exists (or that
 * its value is not below NB_CUT_INFINITE); in_source then says nothing. The capacities are used up:
 * a graph is solved once. */
uint64_t nb_cut_solve(NbCut *cut, unsigned source, unsigned sink, bool *in_source);

#ifdef __cplusplus
}
#endif
#endif
