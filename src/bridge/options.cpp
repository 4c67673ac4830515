// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* Options: on the command line of whatever loads the plugin, or in the environment. */
#include "bridge/internal.h"

#include "llvm/Support/CommandLine.h"
#include <algorithm>
#include <cstdlib>
#include <string>

using namespace llvm;
using namespace nabla;

namespace {

/* One option: every occurrence on the command line is added to its text while that is parsed. */
struct TextOption {
  const char *name;
  std::string text;
  cl::list<std::string> values;

  TextOption(const char *name, const char *flag, cl::ValueExpected value, const char *help)
      : name(name), values(StringRef(flag), cl::desc(help), cl::Hidden, cl::ZeroOrMore, value,
                           cl::callback([this](const std::string &more) { append(more); })) {}

  void append(const std::string &more) {
    if (!text.empty())
      text += ';';
    text += more;
  }
};

struct Options {
  TextOption print{"print", "nabla-print", cl::ValueRequired, "Stages to print"};
  TextOption rules{"rules", "nabla-rules", cl::ValueRequired, "A file of derivative rules"};
  TextOption passes{"passes", "nabla-passes", cl::ValueRequired, "Passes to run afterwards"};
  TextOption without{"without", "nabla-without", cl::ValueRequired, "Optimisations to leave out"};
  TextOption max_tape{"max-tape", "nabla-max-tape", cl::ValueRequired,
                      "Bytes that the tapes of one derivative may take (K, M, G)"};
  TextOption check{"check", "nabla-check", cl::ValueOptional, "Derivatives verify themselves"};
  TextOption overlap{"shadows-may-overlap", "nabla-shadows-may-overlap", cl::ValueOptional,
                     "Two shadows may share memory even where their primals do not"};
};

} // namespace

/* LLVM keeps pointers to its options until the process ends. */
static Options &options() {
  static Options all;
  return all;
}

bool nabla::options_taken() { return cl::getRegisteredOptions().count("nabla-print") > 0; }

void nabla::options_register() { options(); }

static const char *environment_text(StringRef name) {
  std::string variable = "NABLA_" + name.upper();
  std::replace(variable.begin(), variable.end(), '-', '_');
  const char *text = std::getenv(variable.c_str());
  return text && *text ? text : nullptr;
}

const char *nb_option_text(const char *name) {
  Options &all = options();
  for (TextOption *option :
       {&all.print, &all.rules, &all.passes, &all.without, &all.max_tape, &all.check, &all.overlap})
    if (StringRef(option->name) == name && option->values.getNumOccurrences() > 0)
      return option->text.c_str();
  return environment_text(name);
}
