// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* Dinic's algorithm on adjacency lists.
 *
 * Edges come in pairs: edge e and its opposite e ^ 1, whose capacity is the flow through e. Numbers
 * begin at FIRST_EDGE, so that 0 ends a list. Each phase labels the nodes with their distance from
 * the sink, walking backwards, and stops at the source; then it sends flow along shortest paths
 * until none is left. A search that does not meet the source has labelled the sink's side of the
 * cut, so the last phase is also the answer.
 *
 * The number of phases is that of the lengths of paths, which on a chain where every node has an
 * edge from the source would be that of the nodes. So it all begins with the greatest flow through
 * one tree of shortest paths to the sink, found in linear time: on a chain, that is all.
 *
 * A phase touches only the nodes that are nearer to the sink than the source is, and forgets only
 * those: graphs in which little flows are solved in linear time. Nothing recurses, for the graph of
 * a large function is deep. Flow stops once it reaches NB_CUT_INFINITE, and capacities do not
 * exceed it, so that no sum comes near the end of the integers. */
#include "plan/mincut.h"

#include <assert.h>
#include <string.h>

enum { FIRST_EDGE = 2, FEWEST_EDGES = 64 };

typedef struct {
  unsigned to;
  unsigned next;
  uint64_t capacity;
} Edge;

struct NbCut {
  NbArena *arena;
  Edge *edges;
  unsigned *first;
  unsigned nodes, used, room;
};

/* The state of one solution. level is 1 at the sink, one more at each step away from it, and 0 at
 * nodes that have no use in this phase; current is the edge to try next; queue holds the nodes
 * that were labelled, path the edges from the source to where the search stands. */
typedef struct {
  Edge *edges;
  const unsigned *first;
  unsigned *level, *current, *queue, *path;
  unsigned source, sink, queued, depth;
} Search;

NbCut *nb_cut_new(NbArena *arena, unsigned nodes) {
  NbCut *cut = NB_NEW(arena, NbCut);
  cut->arena = arena;
  cut->nodes = nodes;
  cut->first = NB_NEW_ARRAY(arena, unsigned, nodes);
  cut->used = FIRST_EDGE;
  cut->room = FEWEST_EDGES;
  cut->edges = NB_NEW_ARRAY(arena, Edge, FEWEST_EDGES);
  return cut;
}

static void grow(NbCut *cut) {
  assert(cut->room <= UINT32_MAX / 2);
  Edge *edges = NB_NEW_ARRAY(cut->arena, Edge, (size_t)cut->room * 2);
  memcpy(edges, cut->edges, sizeof(Edge) * cut->used);
  cut->edges = edges;
  cut->room *= 2;
}

static void add_half(NbCut *cut, unsigned from, unsigned to, uint64_t capacity) {
  cut->edges[cut->used] = (Edge){to, cut->first[from], capacity};
  cut->first[from] = cut->used++;
}

void nb_cut_edge(NbCut *cut, unsigned from, unsigned to, uint64_t capacity) {
  assert(from < cut->nodes && to < cut->nodes);
  if (from == to || capacity == 0)
    return;
  if (cut->room - cut->used < 2)
    grow(cut);
  add_half(cut, from, to, capacity < NB_CUT_INFINITE ? capacity : NB_CUT_INFINITE);
  add_half(cut, to, from, 0);
}

static Search new_search(const NbCut *cut, unsigned source, unsigned sink) {
  return (Search){
      .edges = cut->edges,
      .first = cut->first,
      .level = NB_NEW_ARRAY(cut->arena, unsigned, cut->nodes),
      .current = NB_NEW_ARRAY(cut->arena, unsigned, cut->nodes),
      .queue = NB_NEW_ARRAY(cut->arena, unsigned, cut->nodes),
      .path = NB_NEW_ARRAY(cut->arena, unsigned, cut->nodes),
      .source = source,
      .sink = sink,
  };
}

static void label(Search *search, unsigned node, unsigned level) {
  search->level[node] = level;
  search->current[node] = search->first[node];
  search->queue[search->queued++] = node;
}

static void forget_labels(Search *search) {
  for (unsigned i = 0; i < search->queued; i++)
    search->level[search->queue[i]] = 0;
  search->queued = 0;
}

/* Labels the nodes that flow can still enter `node` from. */
static void label_sources_of(Search *search, unsigned node) {
  for (unsigned e = search->first[node]; e; e = search->edges[e].next) {
    unsigned from = search->edges[e].to;
    if (search->level[from] == 0 && search->edges[e ^ 1].capacity > 0)
      label(search, from, search->level[node] + 1);
  }
}

/* Begins a phase; false if the sink cannot be reached from the source any more. */
static bool label_from_sink(Search *search) {
  forget_labels(search);
  label(search, search->sink, 1);
  for (unsigned i = 0; i < search->queued && search->level[search->source] == 0; i++)
    label_sources_of(search, search->queue[i]);
  return search->level[search->source] != 0;
}

/* The next edge with room that leads one step towards the sink, or 0. */
static unsigned usable_edge(Search *search, unsigned node) {
  unsigned e = search->current[node];
  while (e && (search->edges[e].capacity == 0 ||
               search->level[search->edges[e].to] != search->level[node] - 1))
    e = search->edges[e].next;
  search->current[node] = e;
  return e;
}

static uint64_t least(uint64_t one, uint64_t other) { return one < other ? one : other; }

static void send(Search *search, unsigned e, uint64_t amount) {
  search->edges[e].capacity -= amount;
  search->edges[e ^ 1].capacity += amount;
}

/* Labels all nodes that reach the sink, but the source; current is the edge to the parent. */
static void label_tree(Search *search) {
  label(search, search->sink, 1);
  for (unsigned i = 0; i < search->queued; i++) {
    for (unsigned e = search->first[search->queue[i]]; e; e = search->edges[e].next) {
      unsigned from = search->edges[e].to;
      if (from == search->source || search->level[from] || search->edges[e ^ 1].capacity == 0)
        continue;
      label(search, from, search->level[search->queue[i]] + 1);
      search->current[from] = e ^ 1;
    }
  }
}

/* Computes what each node could send on: what comes from the source itself and from its children,
 * at most NB_CUT_INFINITE. */
static void gather_supply(const Search *search, uint64_t *supply) {
  for (unsigned e = search->first[search->source]; e; e = search->edges[e].next) {
    uint64_t *here = &supply[search->edges[e].to];
    *here = least(*here + search->edges[e].capacity, NB_CUT_INFINITE);
  }
  for (unsigned i = search->queued; i-- > 1;) {
    unsigned node = search->queue[i];
    const Edge *edge = &search->edges[search->current[node]];
    uint64_t *there = &supply[edge->to];
    *there = least(*there + least(supply[node], edge->capacity), NB_CUT_INFINITE);
  }
}

/* Sends what the sink can get. On the way, supply becomes what a node still has to obtain. */
static void spread_demand(Search *search, uint64_t *supply) {
  for (unsigned i = 1; i < search->queued; i++) {
    unsigned node = search->queue[i];
    unsigned e = search->current[node];
    uint64_t *wanted = &supply[search->edges[e].to];
    supply[node] = least(least(supply[node], search->edges[e].capacity), *wanted);
    *wanted -= supply[node];
    send(search, e, supply[node]);
  }
  for (unsigned e = search->first[search->source]; e; e = search->edges[e].next) {
    unsigned node = search->edges[e].to;
    if (search->level[node] == 0)
      continue;
    uint64_t amount = least(search->edges[e].capacity, supply[node]);
    supply[node] -= amount;
    send(search, e, amount);
  }
}

static uint64_t fill_tree(Search *search, uint64_t *supply) {
  label_tree(search);
  gather_supply(search, supply);
  uint64_t flow = supply[search->sink];
  spread_demand(search, supply);
  return flow;
}

static unsigned path_end(const Search *search) {
  if (search->depth == 0)
    return search->source;
  return search->edges[search->path[search->depth - 1]].to;
}

/* Extends the path to the sink, backing out of dead ends, which are closed for this phase. */
static bool complete_path(Search *search) {
  unsigned node = path_end(search);
  while (node != search->sink) {
    unsigned e = usable_edge(search, node);
    if (e) {
      search->path[search->depth++] = e;
    } else {
      search->level[node] = 0;
      if (search->depth == 0)
        return false;
      search->depth--;
    }
    node = path_end(search);
  }
  return true;
}

/* Sends what fits along the path, and shortens the path to before its first full edge. */
static uint64_t fill_path(Search *search) {
  uint64_t amount = NB_CUT_INFINITE;
  for (unsigned i = search->depth; i-- > 0;)
    amount = least(amount, search->edges[search->path[i]].capacity);
  for (unsigned i = search->depth; i-- > 0;) {
    send(search, search->path[i], amount);
    if (search->edges[search->path[i]].capacity == 0)
      search->depth = i;
  }
  return amount;
}

uint64_t nb_cut_solve(NbCut *cut, unsigned source, unsigned sink, bool *in_source) {
  assert(source < cut->nodes && sink < cut->nodes && source != sink);
  Search search = new_search(cut, source, sink);
  uint64_t flow = fill_tree(&search, NB_NEW_ARRAY(cut->arena, uint64_t, cut->nodes));
  while (flow < NB_CUT_INFINITE && label_from_sink(&search)) {
    search.depth = 0;
    while (flow < NB_CUT_INFINITE && complete_path(&search))
      flow += fill_path(&search);
  }
  for (unsigned node = 0; node < cut->nodes; node++)
    in_source[node] = search.level[node] == 0;
  return flow;
}
