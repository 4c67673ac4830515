// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* What lies behind libstdc++'s std::list, std::map and std::set: how nodes of lists and of
 * red-black trees are linked, in the library's own form of a node, under the names of the Itanium
 * ABI.
 *
 * The bodies are differentiated as they are: derivatives link shadow nodes as these link nodes. The
 * colours of shadow nodes are nobody's, so that running the library's functions on shadows would
 * not do. A tree may be balanced in another way than by the library, which goes on from any. */
#include "model.h"

/* --- Lists: a ring through a head that is no element. ------------------------------------------
 */

typedef struct Link {
  struct Link *next, *previous;
} Link;

/* std::__detail::_List_node_base::_M_hook: `self` goes before `position`. */
void _ZNSt8__detail15_List_node_base7_M_hookEPS0_(Link *self, Link *position) {
  self->next = position;
  self->previous = position->previous;
  self->previous->next = self;
  position->previous = self;
}

/* _M_unhook */
void _ZNSt8__detail15_List_node_base9_M_unhookEv(Link *self) {
  Link *next = self->next;
  Link *previous = self->previous;
  previous->next = next;
  next->previous = previous;
}

/* _M_transfer: the elements from `first` to before `last` go before `self`. */
void _ZNSt8__detail15_List_node_base11_M_transferEPS0_S1_(Link *self, Link *first, Link *last) {
  if (self == last)
    return;
  Link *tail = last->previous;
  Link *left = first->previous;
  Link *before = self->previous;
  left->next = last;
  last->previous = left;
  before->next = first;
  first->previous = before;
  tail->next = self;
  self->previous = tail;
}

/* _M_reverse */
void _ZNSt8__detail15_List_node_base10_M_reverseEv(Link *self) {
  Link *at = self;
  do {
    Link *next = at->next;
    at->next = at->previous;
    at->previous = next;
    at = next;
  } while (at != self);
}

/* The ring of `from` gets the head `to` in its place. */
static void take_ring(Link *to, Link *from) {
  if (from->next == from) {
    to->next = to->previous = to;
    return;
  }
  to->next = from->next;
  to->previous = from->previous;
  to->next->previous = to;
  to->previous->next = to;
}

/* swap: of two heads. */
void _ZNSt8__detail15_List_node_base4swapERS0_S1_(Link *a, Link *b) {
  Link kept;
  take_ring(&kept, a);
  take_ring(a, b);
  take_ring(b, &kept);
}

/* --- Trees: the head's parent is the root, its left and right are the first and last element. --
 */

enum { RED, BLACK };

typedef struct Node {
  int color;
  struct Node *parent, *left, *right;
} Node;

static Node *first_of(Node *at) {
  while (at->left)
    at = at->left;
  return at;
}

static Node *last_of(Node *at) {
  while (at->right)
    at = at->right;
  return at;
}

/* The head is what comes behind the last element; where the root is that, parents go round. */
static Node *next_of(Node *at) {
  if (at->right)
    return first_of(at->right);
  Node *above = at->parent;
  while (at == above->right) {
    at = above;
    above = at->parent;
  }
  return at->right == above ? at : above;
}

static Node *previous_of(Node *at) {
  if (at->color == RED && at->parent->parent == at)
    return at->right;
  if (at->left)
    return last_of(at->left);
  Node *above = at->parent;
  while (at == above->left) {
    at = above;
    above = at->parent;
  }
  return above;
}

/* std::_Rb_tree_increment, _Rb_tree_decrement */
Node *_ZSt18_Rb_tree_incrementPSt18_Rb_tree_node_base(Node *at) { return next_of(at); }
Node *_ZSt18_Rb_tree_incrementPKSt18_Rb_tree_node_base(Node *at) { return next_of(at); }
Node *_ZSt18_Rb_tree_decrementPSt18_Rb_tree_node_base(Node *at) { return previous_of(at); }
Node *_ZSt18_Rb_tree_decrementPKSt18_Rb_tree_node_base(Node *at) { return previous_of(at); }

/* Puts `with`, which may be none, where `old` hangs. */
static void replace_node(Node *head, Node *old, Node *with) {
  Node *above = old->parent;
  if (head->parent == old)
    head->parent = with;
  else if (above->left == old)
    above->left = with;
  else
    above->right = with;
  if (with)
    with->parent = above;
}

static void rotate_left(Node *head, Node *at) {
  Node *up = at->right;
  replace_node(head, at, up);
  at->right = up->left;
  if (at->right)
    at->right->parent = at;
  up->left = at;
  at->parent = up;
}

static void rotate_right(Node *head, Node *at) {
  Node *up = at->left;
  replace_node(head, at, up);
  at->left = up->right;
  if (at->left)
    at->left->parent = at;
  up->right = at;
  at->parent = up;
}

static bool is_red(const Node *node) { return node && node->color == RED; }

/* A red node under a red one, whose other child is black, on the left of what is above. */
static void straighten_left(Node *head, Node *at, Node *above) {
  if (at->parent->right == at) {
    at = at->parent;
    rotate_left(head, at);
  }
  at->parent->color = BLACK;
  above->color = RED;
  rotate_right(head, above);
}

static void straighten_right(Node *head, Node *at, Node *above) {
  if (at->parent->left == at) {
    at = at->parent;
    rotate_right(head, at);
  }
  at->parent->color = BLACK;
  above->color = RED;
  rotate_left(head, above);
}

/* `at` is red; so may be its parent (Cormen, Leiserson, Rivest, Stein, "Introduction to
 * Algorithms", chapter 13). */
static void balance_insertion(Node *head, Node *at) {
  while (at != head->parent && at->parent->color == RED) {
    Node *above = at->parent->parent;
    bool left = above->left == at->parent;
    Node *uncle = left ? above->right : above->left;
    if (is_red(uncle)) {
      at->parent->color = uncle->color = BLACK;
      above->color = RED;
      at = above;
    } else if (left) {
      straighten_left(head, at, above);
    } else {
      straighten_right(head, at, above);
    }
  }
  head->parent->color = BLACK;
}

/* std::_Rb_tree_insert_and_rebalance: `node` becomes a child of `above`. */
void _ZSt29_Rb_tree_insert_and_rebalancebPSt18_Rb_tree_node_baseS0_RS_(bool left, Node *node,
                                                                       Node *above, Node *head) {
  node->parent = above;
  node->left = node->right = NULL;
  node->color = RED;
  if (above == head) {
    head->parent = head->left = head->right = node;
  } else if (left) {
    above->left = node;
    if (above == head->left)
      head->left = node;
  } else {
    above->right = node;
    if (above == head->right)
      head->right = node;
  }
  balance_insertion(head, node);
}

/* One black node is missing on the left of `above`. Returns the node above which one is missing
 * then, NULL for none. */
static Node *lift_left(Node *head, Node *above) {
  Node *other = above->right;
  if (other->color == RED) {
    other->color = BLACK;
    above->color = RED;
    rotate_left(head, above);
    other = above->right;
  }
  if (!is_red(other->left) && !is_red(other->right)) {
    other->color = RED;
    return above;
  }
  if (!is_red(other->right)) {
    other->left->color = BLACK;
    other->color = RED;
    rotate_right(head, other);
    other = above->right;
  }
  other->color = above->color;
  above->color = other->right->color = BLACK;
  rotate_left(head, above);
  return NULL;
}

static Node *lift_right(Node *head, Node *above) {
  Node *other = above->left;
  if (other->color == RED) {
    other->color = BLACK;
    above->color = RED;
    rotate_right(head, above);
    other = above->left;
  }
  if (!is_red(other->left) && !is_red(other->right)) {
    other->color = RED;
    return above;
  }
  if (!is_red(other->left)) {
    other->right->color = BLACK;
    other->color = RED;
    rotate_left(head, other);
    other = above->left;
  }
  other->color = above->color;
  above->color = other->left->color = BLACK;
  rotate_right(head, above);
  return NULL;
}

/* One black node is missing at `at`, which may be none, under `above`. */
static void balance_removal(Node *head, Node *at, Node *above) {
  while (at != head->parent && !is_red(at)) {
    at = above->left == at ? lift_left(head, above) : lift_right(head, above);
    if (!at)
      return;
    above = at->parent;
  }
  if (at)
    at->color = BLACK;
}

/* std::_Rb_tree_rebalance_for_erase: takes the node out, and returns it. */
Node *_ZSt28_Rb_tree_rebalance_for_erasePSt18_Rb_tree_node_baseRS_(Node *node, Node *head) {
  Node *heir = node->left && node->right ? first_of(node->right) : NULL;
  Node *child = heir ? heir->right : node->left ? node->left : node->right;
  Node *above = heir ? heir->parent : node->parent;
  int removed = heir ? heir->color : node->color;
  if (head->left == node)
    head->left = node->right ? first_of(node->right) : node->parent;
  if (head->right == node)
    head->right = node->left ? last_of(node->left) : node->parent;
  replace_node(head, heir ? heir : node, child);
  if (heir) {
    replace_node(head, node, heir);
    heir->left = node->left;
    heir->right = node->right;
    heir->left->parent = heir;
    if (heir->right)
      heir->right->parent = heir;
    heir->color = node->color;
    above = above == node ? heir : above;
  }
  if (removed == BLACK)
    balance_removal(head, child, above);
  return node;
}
