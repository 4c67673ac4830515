/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */

/* The report as one page: no script, nothing from elsewhere (its own policy forbids both). What a
 * line is about stands beside it; a click on the line opens the details. */
#include "report.h"

#include "base/text.h"
#include "nabla/version.h"

#include <string.h>

/* The page is UTF-8 whatever the sources are: for a byte that is not stands the sign for that. */
static size_t write_wide(const char *text, FILE *out) {
  size_t length = nb_text_wide(text);
  if (length)
    fwrite(text, 1, length, out);
  else
    fputs("&#65533;", out);
  return length ? length : 1;
}

static void write_letter(char letter, FILE *out) {
  static const char special[] = "<>&\"'";
  static const char *const names[] = {"&lt;", "&gt;", "&amp;", "&quot;", "&#39;"};
  const char *found = strchr(special, letter);
  if (found)
    fputs(names[found - special], out);
  else
    fputc(letter < ' ' && !strchr("\t\n", letter) ? ' ' : letter, out);
}

void report_write_escaped(const char *text, FILE *out) {
  enum { ASCII_END = 0x80 };
  while (*text) {
    if ((unsigned char)*text >= ASCII_END)
      text += write_wide(text, out);
    else
      write_letter(*text++, out);
  }
}

static const char style[] =
    ":root{--bg:#f7f7f4;--fg:#1d2330;--dim:#717886;--line:#e3e3dc;--card:#fff;--hover:#f0f3fa;"
    "--active:#2f6fde;--call:#7a4fd0;--compute:#0f8a83;--reload:#3f8f2f;--kept:#c2670a;"
    "--request:#a3247f;--error:#c62f2f;--loop:#7b8290}"
    "@media(prefers-color-scheme:dark){:root{--bg:#14171d;--fg:#dfe3ea;--dim:#8a93a3;"
    "--line:#2a303b;--card:#1b2028;--hover:#222936;--active:#6ea3ff;--call:#b392f5;"
    "--compute:#4cc7bf;--reload:#7fce6c;--kept:#f2a04c;--request:#ee7fcf;--error:#ff7b7b;"
    "--loop:#99a1b0}}"
    "*{box-sizing:border-box}body{margin:0 auto;max-width:1280px;padding:28px 24px 80px;"
    "background:var(--bg);color:var(--fg);font:15px/1.5 system-ui,sans-serif}"
    "h1{font-size:24px;margin:0 0 4px}h2{font-size:17px;margin:34px 0 10px}"
    "code,pre,.src,.roles,svg text{font-family:ui-monospace,'DejaVu Sans Mono',monospace}"
    ".dim{color:var(--dim)}.cmd{font-size:13px;overflow-wrap:anywhere}"
    ".cards{display:grid;grid-template-columns:repeat(auto-fill,minmax(min(370px,100%),1fr));gap:"
    "14px}"
    ".card{background:var(--card);border:1px solid var(--line);border-radius:10px;"
    "padding:14px 16px;overflow-wrap:anywhere}"
    ".card h3{margin:0 0 6px;font-size:15px}.card p{margin:4px 0}.roles{font-size:12px}"
    ".total{font-size:19px;font-weight:600;color:var(--kept)}.long{font-size:14px}"
    ".pill,.chip{display:inline-block;border-radius:9px;padding:0 8px;font-size:11px;"
    "line-height:18px;color:#fff;background:var(--active);vertical-align:1px}"
    ".forward{background:var(--compute)}.refused{background:var(--error)}"
    ".message{border-left:4px solid var(--error);background:var(--card);padding:8px 12px;"
    "margin:8px 0}.warning{border-color:var(--kept)}"
    ".chip{background:none;border:1px solid currentColor;line-height:16px;margin-left:4px;"
    "max-width:100%;vertical-align:top;overflow:hidden;text-overflow:ellipsis;white-space:nowrap}"
    ".c-active{color:var(--active)}.c-call{color:var(--call)}.c-recomputed{color:var(--compute)}"
    ".c-reloaded{color:var(--reload)}.c-kept{color:var(--kept)}.c-request,.c-derivative"
    "{color:var(--request)}.c-error,.c-warning{color:var(--error)}.c-loop{color:var(--loop)}"
    ".src{background:var(--card);border:1px solid var(--line);border-radius:10px;padding:8px 0;"
    "font-size:13px;line-height:21px;overflow-x:auto}"
    ".row{display:grid;grid-template-columns:56px minmax(0,1fr) fit-content(45%);"
    "padding-right:12px;border-left:4px solid transparent;min-height:21px}"
    ".row code{white-space:pre-wrap;overflow-wrap:anywhere;max-height:126px;overflow-y:auto;"
    "tab-size:8}.row>span:last-child{text-align:right}"
    ".no{color:var(--dim);text-align:right;padding-right:14px;user-select:none}"
    "summary.row{cursor:pointer;list-style:none}summary.row::-webkit-details-marker"
    "{display:none}summary.row:hover{background:var(--hover)}"
    ".m-active{border-left-color:var(--active)}.m-kept{border-left-color:var(--kept)}"
    ".m-error{border-left-color:var(--error)}"
    ".src ul{margin:2px 12px 8px 60px;padding:8px 14px;list-style:none;background:var(--hover);"
    "border-radius:8px;font-size:12px;line-height:19px;overflow-wrap:anywhere}"
    ".src li b{display:inline-block;min-width:92px;font-weight:600}"
    ".gap{color:var(--dim);padding-left:40px}"
    ".legend{font-size:12px}.picture{overflow-x:auto;background:var(--card);"
    "border:1px solid var(--line);border-radius:10px;padding:10px;margin-top:8px}"
    ".beside{display:grid;grid-template-columns:minmax(0,2fr) minmax(0,3fr);gap:12px}"
    ".beside pre{background:var(--card);border:1px solid var(--line);border-radius:10px;"
    "padding:10px 14px;margin:8px 0;font-size:12.5px;line-height:19px;overflow-x:auto}"
    ".see{display:inline-block;margin-top:8px;font-size:12px;color:var(--request);cursor:pointer;"
    "text-decoration:underline}.chosen{display:flex;flex-wrap:wrap;gap:6px}"
    ".chosen>input{position:absolute;opacity:0}.chosen>label{order:1;cursor:pointer;font-size:13px;"
    "border:1px solid var(--line);border-radius:9px;padding:3px 11px;background:var(--card)}"
    ".chosen>label:hover{background:var(--hover)}.chosen>input:checked+label{color:var(--bg);"
    "background:var(--request);border-color:var(--request)}"
    ".chosen>input:focus-visible+label{outline:2px solid var(--fg);outline-offset:2px}"
    ".chosen .no{color:inherit;opacity:.7;padding-right:8px}"
    ".chosen>section{order:2;width:100%;display:none}"
    ".chosen>input:checked+label+section{display:block}.chosen h3{font-size:15px;margin:14px 0 4px}"
    "@media(max-width:760px){body{padding:20px 10px}.row>span:last-child{grid-column:2;"
    "text-align:left}.chip{margin:0 4px 2px 0}.src ul{margin-left:12px}"
    ".beside{grid-template-columns:minmax(0,1fr)}}"
    "@media print{.chosen>section{display:block}.row code{max-height:none}"
    "details::details-content{content-visibility:visible;display:block}"
    ".beside{grid-template-columns:minmax(0,1fr)}.beside pre{white-space:pre-wrap;"
    "overflow-wrap:anywhere}.see,.chosen>label{display:none}svg{max-width:100%;height:auto}}"
    "svg{color:var(--fg)}svg text{fill:currentColor;font-size:12px}"
    "svg .small{font-size:10.5px;fill:var(--dim)}"
    "svg .loop{fill:var(--loop);fill-opacity:.07;stroke:var(--loop);stroke-opacity:.55}"
    "svg .tape{fill:var(--kept);fill-opacity:.14;stroke:var(--kept)}"
    "svg .wire{fill:none;stroke:var(--kept);stroke-opacity:.6;stroke-width:1.4}"
    "svg .p-stored{fill:var(--kept)}svg .p-memory{fill:var(--kept)}"
    "svg .p-compute{fill:var(--compute)}svg .p-reload{fill:var(--reload)}"
    "svg .p-there{fill:var(--loop)}svg .p-none{fill:var(--line)}";

static void write_head(const Report *report, FILE *out) {
  fputs("<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">\n"
        "<meta http-equiv=\"Content-Security-Policy\" "
        "content=\"default-src 'none'; style-src 'unsafe-inline'\">\n"
        "<meta name=\"viewport\" content=\"width=device-width\">\n<title>nabla explain</title>\n"
        "<style>",
        out);
  fputs(style, out);
  fputs("</style></head><body>\n<h1>What nabla made of it</h1>\n<p class=\"dim cmd\"><code>", out);
  report_write_escaped(report->command, out);
  fputs("</code> &middot; nabla " NABLA_VERSION_STRING "</p>\n", out);
}

static void write_messages(const Report *report, FILE *out) {
  for (unsigned i = 0; i < report->messages.count; i++) {
    const Note *note = report->messages.items[i];
    fprintf(out, "<p class=\"message %s\"><b class=\"c-%s\">%s</b> ", report_kind(note->kind),
            report_kind(note->kind), report_kind(note->kind));
    report_write_escaped(note->file, out);
    fprintf(out, ":%u: ", note->line);
    report_write_escaped(note->text, out);
    fputs("</p>\n", out);
  }
}

static unsigned index_of(const Report *report, const char *path) {
  unsigned i = 0;
  while (i < report->sources.count &&
         strcmp(((const Source *)report->sources.items[i])->path, path) != 0)
    i++;
  return i;
}

static void write_counts(const Report *report, const Derivative *derivative, FILE *out) {
  if (derivative->mode[0] == 'r' && derivative->statements.count) {
    const char *total = report_total(report, &derivative->kept);
    fprintf(out, "<p class=\"total%s\">", strlen(total) > TOTAL_SHORT ? " long" : "");
    report_write_escaped(total, out);
    fputs("</p><p class=\"dim\">kept for the reverse sweep</p>", out);
  }
  const unsigned *counts = derivative->counts;
  fprintf(out, "<p><span class=\"c-active\">%u active statement%s</span> &middot; ",
          counts[NOTE_ACTIVE], counts[NOTE_ACTIVE] == 1 ? "" : "s");
  if (derivative->mode[0] == 'r')
    fprintf(out,
            "<span class=\"c-recomputed\">%u recomputed</span> &middot; "
            "<span class=\"c-reloaded\">%u reloaded</span> &middot; ",
            counts[NOTE_COMPUTE], counts[NOTE_RELOAD]);
  fprintf(out, "<span class=\"c-call\">%u call%s</span></p>", counts[NOTE_CALL],
          counts[NOTE_CALL] == 1 ? "" : "s");
}

static void write_card(const Report *report, unsigned index, FILE *out) {
  const Derivative *derivative = report->derivatives.items[index];
  bool refused = report_is_refused(derivative);
  bool forward = derivative->mode[0] == 'f';
  fputs("<article class=\"card\"><h3>", out);
  fprintf(out, "<span class=\"dim\">#%s</span> <span class=\"pill%s%s\">", derivative->number,
          forward ? " forward" : "", refused ? " refused" : "");
  report_write_escaped(derivative->mode, out);
  fputs(refused ? ", refused</span> " : "</span> ", out);
  if (*derivative->file)
    fprintf(out, "<a class=\"c-request\" href=\"#f%u-%u\">", index_of(report, derivative->file),
            derivative->line);
  report_write_escaped(derivative->name, out);
  fputs(*derivative->file ? "</a></h3>" : "</h3>", out);
  if (!refused)
    write_counts(report, derivative, out);
  fputs("<p class=\"roles dim\">", out);
  report_write_escaped(derivative->roles, out);
  fputs("</p>", out);
  if (report_is_shown(derivative))
    fprintf(out, "<label class=\"see\" for=\"d%u\">%s</label>", index,
            !derivative->written.count     ? "as a picture"
            : derivative->statements.count ? "as C, and as a picture"
                                           : "as C");
  fputs("</article>\n", out);
}

/* What the derivative keeps at the line (Kept); returns the bits each time. */
static unsigned long long kept_by(const Line *line, const Derivative *derivative, NbList *kept) {
  unsigned long long bits = 0;
  for (unsigned i = 0; i < line->notes.count; i++) {
    const Note *note = line->notes.items[i];
    if (note->derivative != derivative || !note->kept)
      continue;
    bits += note->kept->bits;
    nb_list_push(kept, (void *)note->kept);
  }
  return bits;
}

/* The most that one of several derivatives keeps there. */
static const char *most_kept(const Report *report, const Line *line) {
  unsigned long long most = 0;
  NbList all = nb_list(report->arena);
  for (unsigned i = 0; i < line->notes.count; i++) {
    NbList kept = nb_list(report->arena);
    unsigned long long bits =
        kept_by(line, ((const Note *)line->notes.items[i])->derivative, &kept);
    all = bits > most ? kept : all;
    most = bits > most ? bits : most;
  }
  return report_short_total(report, &all);
}

/* One chip a kind, with a number where there are several notes of it; of what is kept, how much. */
static void write_chips(const Report *report, const Line *line, FILE *out) {
  for (NoteKind kind = 0; kind < NOTE_KINDS; kind++) {
    unsigned count = 0;
    for (unsigned i = 0; i < line->notes.count; i++)
      count += ((const Note *)line->notes.items[i])->kind == kind;
    if (!count)
      continue;
    fprintf(out, "<span class=\"chip c-%s\">%s", report_kind(kind), report_kind(kind));
    if (kind == NOTE_KEPT) {
      fputs(" ", out);
      report_write_escaped(most_kept(report, line), out);
    } else if (count > 1)
      fprintf(out, " %u", count);
    fputs("</span>", out);
  }
}

/* The bar at the left says the gravest. */
static const char *bar_of(const Line *line) {
  const char *bar = "";
  NoteKind gravest = NOTE_LOOP;
  for (unsigned i = 0; i < line->notes.count; i++) {
    const Note *note = line->notes.items[i];
    gravest = note->kind > gravest ? note->kind : gravest;
  }
  if (gravest >= NOTE_ACTIVE)
    bar = " m-active";
  if (gravest == NOTE_KEPT)
    bar = " m-kept";
  return gravest >= NOTE_WARNING ? " m-error" : bar;
}

static void write_note(const Note *note, FILE *out) {
  fprintf(out, "<li><b class=\"c-%s\">%s</b> ", report_kind(note->kind), report_kind(note->kind));
  if (note->derivative)
    fprintf(out, "<span class=\"dim\">#%s</span> ", note->derivative->number);
  report_write_escaped(note->text, out);
  fputs("</li>", out);
}

/* The rest of a row, and what a click on it shows. */
static void write_rest(const Report *report, const Line *line, const char *tag, FILE *out) {
  bool noted = line->notes.count != 0;
  report_write_escaped(line->text, out);
  fputs(noted ? "</code><span>" : "</code>", out);
  write_chips(report, line, out);
  fprintf(out, noted ? "</span></%s>" : "</%s>", tag);
  fputs(noted ? "<ul>" : "", out);
  for (unsigned i = 0; i < line->notes.count; i++)
    write_note(line->notes.items[i], out);
  fputs(noted ? "</ul></details>\n" : "\n", out);
}

static void write_line(const Report *report, const Line *line, unsigned file, unsigned number,
                       FILE *out) {
  bool noted = line->notes.count != 0;
  const char *tag = noted ? "summary" : "div";
  fprintf(out, "%s<%s class=\"row%s\" id=\"f%u-%u\"><span class=\"no\">%u</span><code>",
          noted ? "<details>" : "", tag, bar_of(line), file, number, number);
  write_rest(report, line, tag, out);
}

/* What the compiler knows no line for, a row for each derivative. */
static void write_unplaced(const Report *report, FILE *out) {
  bool any = false;
  for (unsigned i = 0; i < report->derivatives.count; i++) {
    const Derivative *derivative = report->derivatives.items[i];
    const Line *line = &derivative->unplaced;
    if (!line->notes.count)
      continue;
    fputs(any ? "" : "<h2>Of no line that is known</h2><div class=\"src\">", out);
    any = true;
    fprintf(out, "<details><summary class=\"row%s\"><span class=\"no\">#%s</span><code>",
            bar_of(line), derivative->number);
    report_write_escaped(derivative->name, out);
    fputs(", ", out);
    write_rest(report, line, "summary", out);
  }
  fputs(any ? "</div>\n" : "", out);
}

static void write_source(const Report *report, const Source *source, unsigned file, FILE *out) {
  bool shown = true;
  fputs("<h2>", out);
  report_write_escaped(source->name, out);
  fputs(" <span class=\"dim cmd\">", out);
  report_write_escaped(source->path, out);
  report_write_escaped(report_origin(report, source), out);
  fputs("</span></h2><div class=\"src\">", out);
  for (unsigned i = 0; i < source->lines.count; i++) {
    bool before = shown;
    shown = report_shows(source, i);
    if (shown)
      write_line(report, source->lines.items[i], file, i + 1, out);
    else if (before)
      fputs("<div class=\"gap\">&hellip;</div>\n", out);
  }
  fputs("</div>\n", out);
}

static const char legend[] =
    "<p class=\"legend dim\"><b class=\"c-active\">active</b>: it has a derivative, and this is "
    "what its tangent is (d stands for tangents, and for the shadow of memory) &middot; "
    "<b class=\"c-kept\">kept</b>: stored for the reverse sweep &middot; "
    "<b class=\"c-recomputed\">recomputed</b>, <b class=\"c-reloaded\">reloaded</b>: had again in "
    "the reverse sweep &middot; <b class=\"c-call\">call</b>: in which mode &middot; nothing is "
    "atomic: the sweeps of one thread add to shadows as they are &middot; "
    "click a line for the details</p>\n";

bool report_write_html(const Report *report, FILE *out) {
  write_head(report, out);
  write_messages(report, out);
  fputs(report->derivatives.count ? "<h2>Derivatives</h2><div class=\"cards\">\n"
                                  : "<p>No derivative was made.</p><div>",
        out);
  for (unsigned i = 0; i < report->derivatives.count; i++)
    write_card(report, i, out);
  fputs("</div>\n", out);
  for (unsigned i = 0; i < report->sources.count; i++) {
    write_source(report, report->sources.items[i], i, out);
    fputs(i == 0 ? legend : "", out);
  }
  write_unplaced(report, out);
  report_write_derivatives(report, out);
  fputs("</body></html>\n", out);
  return !ferror(out);
}
