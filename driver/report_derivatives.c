/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */

/* Of the page: one derivative at a time, as C beside the function that it is of, and its linear
 * program and plan as a picture. Which one it is the reader chooses by its name: a row of buttons
 * that needs no script, for the style shows what stands behind the one that is pressed. */
#include "report.h"

bool report_is_shown(const Derivative *derivative) {
  return derivative->written.count || derivative->statements.count;
}

/* The user's function at the left, its derivative at the right. */
static void write_functions(const Report *report, const Derivative *derivative, FILE *out) {
  unsigned first = 0, end = 0;
  const Source *source = report_function(report, derivative, &first, &end);
  fprintf(out, "<h3>#%s as C</h3><div class=\"beside\"><div><pre>", derivative->number);
  for (unsigned i = first; source && i < end; i++) {
    report_write_escaped(((const Line *)source->lines.items[i])->text, out);
    fputs("\n", out);
  }
  fputs("</pre></div><div>", out);
  for (unsigned i = 0; i < derivative->written.count; i++) {
    fputs("<pre>", out);
    report_write_escaped(((const Written *)derivative->written.items[i])->text, out);
    fputs("</pre>", out);
  }
  fputs("</div></div>\n", out);
}

/* The colours of what a statement needs. */
static const char needs[] =
    "<p class=\"legend dim\">needs: <b class=\"c-kept\">&#9632;</b> stored on the tape &middot; "
    "<b class=\"c-recomputed\">&#9632;</b> computed again &middot; "
    "<b class=\"c-reloaded\">&#9632;</b> read again &middot; "
    "<b class=\"c-loop\">&#9632;</b> there anyway</p>\n";

static void write_program(const Report *report, const Derivative *derivative, FILE *out) {
  fprintf(out,
          "<h3>The linear program of #%s, and how what it needs is had in the reverse sweep</h3>"
          "<div class=\"picture\">",
          derivative->number);
  report_write_picture(report, derivative, out);
  fputs("</div>\n", out);
  fputs(needs, out);
}

/* The button, and behind it what it shows. */
static void write_choice(const Report *report, unsigned index, bool pressed, FILE *out) {
  const Derivative *derivative = report->derivatives.items[index];
  fprintf(out,
          "<input type=\"radio\" name=\"derivative\" id=\"d%u\"%s><label for=\"d%u\">"
          "<span class=\"no\">#%s</span>",
          index, pressed ? " checked" : "", index, derivative->number);
  report_write_escaped(derivative->name, out);
  fputs(", ", out);
  report_write_escaped(derivative->mode, out);
  fputs("</label><section>", out);
  if (derivative->written.count)
    write_functions(report, derivative, out);
  if (derivative->statements.count)
    write_program(report, derivative, out);
  fputs("</section>\n", out);
}

void report_write_derivatives(const Report *report, FILE *out) {
  bool begun = false;
  for (unsigned i = 0; i < report->derivatives.count; i++) {
    if (!report_is_shown(report->derivatives.items[i]))
      continue;
    fputs(begun ? "" : "<h2>Derivative by derivative</h2>\n<div class=\"chosen\">\n", out);
    write_choice(report, i, !begun, out);
    begun = true;
  }
  fputs(begun ? "</div>\n" : "", out);
}
