// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* What the C library does with texts, beside numbers and instead of them. */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include "cases.h"

#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>
#include <wchar.h>

/* Owned names. */
typedef struct Item {
  struct Item *next;
  char *name;
  real value;
} Item;

static void append(Item **list, char *name, real value) {
  Item *item = (Item *)malloc(sizeof *item);
  item->name = name;
  item->value = value;
  item->next = NULL;
  while (*list)
    list = &(*list)->next;
  *list = item;
}

static real consume(Item *list) {
  real product = 1;
  while (list) {
    Item *next = list->next;
    product *= strcmp(list->name, "width") ? list->value : list->value * list->value;
    free(list->name);
    free(list);
    list = next;
  }
  return product;
}

SUM(owned_names, 3, 1.5, 0.4, -0.7) {
  Item *list = NULL;
  (void)n;
  append(&list, strdup("width"), x[0] * x[1]);
  append(&list, strndup("widths", 5), x[1] * x[2]);
  append(&list, strdup("height"), x[1]);
  return consume(list);
}

static NOINLINE Item *make(const char *name, real value) {
  Item *item = (Item *)calloc(1, sizeof *item);
  item->name = (char *)malloc(2 * strlen(name) + 1);
  strcpy(item->name, name);
  strcat(item->name, name + strlen(name));
  item->value = value;
  return item;
}

SUM(written_names, 3, 1.5, 0.4, -0.7) {
  Item *width = make("width", x[0] * x[1]), *height = make("height", x[1] * x[2]);
  (void)n;
  width->next = height;
  real product = width->value * width->next->value * (real)strlen(height->name);
  for (Item *item = width; item;) {
    Item *next = item->next;
    free(item->name);
    free(item);
    item = next;
  }
  return product;
}

/* Memory by other names. */
SUM(moved_by_old_names, 4, 0.5, -1.5, 0.3, 2.0) {
  real a[6], b[6];
  bzero(a, sizeof a);
  bzero(b, sizeof b);
  real *end = (real *)mempcpy(a, x, (size_t)n * sizeof *a);
  *end = x[0] * x[1];
  bcopy(a, b, 5 * sizeof *a);
  bcopy(b, b + 1, 5 * sizeof *b);
  real sum = 0;
  for (int i = 0; i < 6; i++)
    sum += b[i] * b[i] * (i + 1) + a[i] * b[5 - i];
  bzero(a, 2 * sizeof *a);
  explicit_bzero(b + 1, 2 * sizeof *b);
  return sum + a[0] * x[1] + a[2] * x[2] + b[1] * x[3] + b[3] * b[3];
}

/* Names that lie beside numbers. */
typedef struct Named {
  real value;
  char name[24];
} Named;

static NOINLINE char *name_it(Named *named, int i) {
  char *end = stpcpy(named->name, i % 2 ? "odd" : "even");
  end = stpncpy(end, "-ones", 4);
  *end = (char)('0' + i);
  end[1] = 0;
  return end;
}

SUM(names_found, 4, 0.5, -1.5, 0.3, 2.0) {
  Named all[4];
  real sum = 0;
  for (int i = 0; i < n; i++) {
    all[i].value = x[i] * x[0];
    sum += x[i] * (real)(name_it(&all[i], i) - all[i].name);
  }
  for (int i = 0; i < n; i++) {
    const char *name = all[i].name;
    real weight = strchr(name, 'v') ? 2 : 3;
    weight += (real)(strrchr(name, 'e') - name) + (real)(strstr(name, "-on") - name);
    weight += strpbrk(name, "xyz0") ? 5 : 0;
    weight += memchr(name, '1', strlen(name)) ? 7 : memrchr(name, 'e', strlen(name)) ? 11 : 13;
    weight += (real)(strchrnul(name, '3') - name);
    sum += all[i].value * all[i].value * weight;
  }
  return sum;
}

/* What is found in memory with a derivative. */
SUM(found_numbers, 4, 0.5, -1.5, 0.3, 2.0) {
  char *memory = (char *)malloc(4 * sizeof(Named));
  for (int i = 0; i < n; i++) {
    Named *named = (Named *)memory + i;
    named->value = x[i];
    strcpy(named->name, i == 2 ? "here" : "there");
  }
  real sum = 0;
  for (int i = 0; i < n; i++) {
    Named *named = (Named *)memory + i;
    char *at = strchr(named->name, 'h');
    Named *found = (Named *)(at - offsetof(Named, name) - (at - named->name));
    found->value *= x[0];
    sum += found->value * found->value * (real)(at - named->name + 1);
  }
  free(memory);
  return sum;
}

/* A text that says what is computed. */
static NOINLINE real follow(char *text, const real *x, int n) {
  real sum = 0;
  char *rest = NULL, *rests = text;
  for (char *line = strsep(&rests, ";"); line; line = strsep(&rests, ";")) {
    real product = 1;
    for (char *word = strtok_r(line, " ", &rest); word; word = strtok_r(NULL, " ", &rest)) {
      int i = atoi(word + 1) % n;
      product *= *word == 's' ? sin(x[i]) : x[i];
    }
    sum += product;
  }
  return sum;
}

SUM(told_by_words, 4, 0.5, -1.5, 0.3, 2.0) {
  char text[] = "x0 s1;s2  x2 x3 ;s0";
  return follow(text, x, n);
}

SUM(told_by_single_words, 4, 0.5, -1.5, 0.3, 2.0) {
  char text[] = "0 2 1";
  real product = 1;
  for (char *word = strtok(text, " "); word; word = strtok(NULL, " "))
    product *= x[atoi(word) % n];
  return product;
}

SUM(told_by_a_file, 4, 0.5, -1.5, 0.3, 2.0) {
  FILE *file = tmpfile();
  char line[16];
  real sum = 0;
  fputs("0\n3\n1\n", file);
  rewind(file);
  while (fgets(line, sizeof line, file))
    sum += x[atoi(line) % n] * x[2];
  fclose(file);
  return sum;
}

#ifdef __cplusplus
static real last_seen;
#else
/* Code elsewhere could change it. */
real last_seen;
#endif

SUM(told_by_lines, 4, 0.5, -1.5, 0.3, 2.0) {
  FILE *file = tmpfile();
  char *line = NULL;
  size_t room = 0;
  real product = 1;
  last_seen = x[0] * x[1];
  fputs("1 2.5\n3 -0.5\n0 4", file);
  rewind(file);
  while (getline(&line, &room, file) > 0)
    product = product * x[atoi(line) % n] * atof(line + 2) + (*line == '3' ? x[2] : x[1]);
  free(line);
  fclose(file);
  return product * last_seen;
}

/* A text that is parsed, with constants in it. */
typedef struct {
  const char *at;
  const real *x;
} Parser;

static real parse_factor(Parser *parser) {
  if (*parser->at == 'x') {
    int i = parser->at[1] - '0';
    parser->at += 2;
    return parser->x[i];
  }
  char *end;
  double constant = strtod(parser->at, &end);
  parser->at = end;
  return constant;
}

static real parse_sum(Parser *parser) {
  real sum = parse_factor(parser);
  while (*parser->at == '*') {
    parser->at++;
    sum *= parse_factor(parser);
  }
  return *parser->at++ == '+' ? sum + parse_sum(parser) : sum;
}

SUM(told_by_a_parser, 4, 0.5, -1.5, 0.3, 2.0) {
  Parser parser = {"2.5*x0*x1+x3*3*x2+x0", x};
  (void)n;
  return parse_sum(&parser);
}

/* Several constants in a text that lies beside numbers. */
typedef struct {
  real factor;
  char text[12];
} Line;

SUM(rests_of_texts, 4, 0.5, -1.5, 0.3, 2.0) {
  Line lines[2] = {{x[0] * x[1], "0x3 1.5"}, {x[2], "2 -4;"}};
  real sum = 0;
  for (int i = 0; i < 2; i++) {
    char *rest;
    long first = strtol(lines[i].text, &rest, 16);
    double second = strtod(rest, &rest);
    sum += lines[i].factor * x[first] * second + *rest + 0 * n;
  }
  return sum;
}

/* Copies up to a character, pairs exchanged, and wide characters, all beside numbers. */
typedef struct {
  char key[8];
  real factor;
  wchar_t wide[4];
  char pairs[4];
} Label;

SUM(labels_copied, 3, 0.5, -1.5, 0.3) {
  Label labels[3];
  real sum = 0;
  for (int i = 0; i < n; i++) {
    Label *label = &labels[i];
    label->factor = x[i] * x[i];
    wmemset(label->wide, L'a' + i, 4);
    wcscpy(label->wide, i ? L"ab" : L"c");
    wmemcpy(label->wide + 3, label->wide, 1);
    wmemmove(label->wide + 1, label->wide, 2);
    swab("1234", label->pairs, 4);
    memccpy(label->key, "12;34", ';', 6);
  }
  for (int i = 0; i < n; i++)
    sum += labels[i].factor * atof(labels[i].key) * labels[i].wide[2] * (labels[i].pairs[1] - i);
  return sum;
}
