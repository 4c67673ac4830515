// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* Options: on the command line of whatever loads the plugin, or in the environment. */
#include "bridge/internal.h"

#include "llvm/Support/CommandLine.h"
#include <algorithm>
#include <cstdlib>
#include <deque>
#include <map>
#include <string>

using namespace llvm;
using namespace nabla;

namespace {

enum class Kind { Own, Shared, Prints, Ignored };

/* A row of options.def; `text` is help, stages or a reason. */
struct Row {
  const char *name;
  Kind kind;
  cl::ValueExpected value;
  const char *text;
};

const Row rows[] = {
#define NB_OPTION(name, value, help) {name, Kind::Own, cl::value, help},
#define NB_SHARED(name, value, help) {name, Kind::Shared, cl::value, help},
#define NB_PRINTS(name, stages) {name, Kind::Prints, cl::ValueOptional, stages},
#define NB_IGNORED(name, reason) {name, Kind::Ignored, cl::ValueOptional, reason},
#include "bridge/options.def"
};

/* What is said of one row: on the command line, every occurrence is added while that is parsed. */
struct Given {
  const Row *row;
  std::string text;
  bool given = false;

  explicit Given(const Row &row) : row(&row) {}

  void add(const std::string &more) {
    if (given && !text.empty())
      text += ';';
    text += more;
    given = true;
  }
};

struct Spelling {
  std::string flag;
  cl::list<std::string> values;

  template <class Callback>
  Spelling(std::string spelled, const Row &row, Callback callback)
      : flag(std::move(spelled)), values(StringRef(flag), cl::desc(row.text), cl::Hidden,
                                         cl::ZeroOrMore, row.value, cl::callback(callback)) {}
};

} // namespace

/* Is one of the words what an option says at last? */
static bool says_one_of(StringRef text, ArrayRef<StringRef> words) {
  const size_t before = text.rfind(';');
  const StringRef last = before == StringRef::npos ? text : text.substr(before + 1);
  return any_of(words, [last](StringRef word) { return last.equals_insensitive(word); });
}

static bool is_off(StringRef text) { return says_one_of(text, {"0", "false", "no", "off"}); }

static bool is_on(StringRef text) { return says_one_of(text, {"", "1", "true", "yes", "on"}); }

/* What an option that prints adds to the stages: a word that says nothing is no stage, either. */
static std::string stages_of(const Row &row, StringRef text) {
  return is_on(text) ? row.text : text.str();
}

static std::string with(std::string text, char from, char to) {
  std::replace(text.begin(), text.end(), from, to);
  return text;
}

template <class All> static auto *find_in(All &all, StringRef name) {
  const auto found = std::find_if(all.begin(), all.end(), [name](const Given &option) {
    return name == option.row->name && option.row->kind <= Kind::Shared;
  });
  return found == all.end() ? nullptr : &*found;
}

namespace {

struct CommandLine {
  std::deque<Given> given;
  std::deque<Spelling> spellings;
  NbTypesKnown typed = NB_TYPES_UNKNOWN; /* what clang's glue said of the file */

  CommandLine() {
    for (const Row &row : rows)
      given.emplace_back(row);
    for (Given &option : given)
      spell(option);
  }

  void spell(Given &option) {
    const Row &row = *option.row;
    const auto more = [this, &option](const std::string &text) {
      if (option.row->kind != Kind::Prints)
        option.add(text);
      else if (!is_off(text))
        find_in(given, "print")->add(stages_of(*option.row, text));
    };
    const std::string name = row.name;
    if (row.kind <= Kind::Shared)
      spellings.emplace_back("nabla-" + name, row, more);
    if (row.kind == Kind::Own)
      return;
    spellings.emplace_back("enzyme-" + name, row, more);
    spellings.emplace_back("enzyme_" + with(name, '-', '_'), row, more);
  }
};

} // namespace

/* LLVM keeps pointers to its options until the process ends. */
static CommandLine &command_line() {
  static CommandLine all;
  return all;
}

bool nabla::options_taken() { return cl::getRegisteredOptions().count("nabla-print") > 0; }

void nabla::options_register() { command_line(); }

void nabla::options_know_types(NbTypesKnown known) { command_line().typed = known; }

static const char *environment_text(StringRef name) {
  const std::string variable = "NABLA_" + with(name.upper(), '-', '_');
  const char *text = std::getenv(variable.c_str());
  return text && *text ? text : nullptr;
}

/* `texts` is what the environment says in place of a row that the command line leaves out; of one
 * that prints, in place of that which names the stages. */
struct NbOptions {
  std::deque<Given> given = command_line().given;
  NbTypesKnown typed = command_line().typed;
  std::map<const Row *, std::string> texts;

  NbOptions() {
    for (const Given &option : given) {
      const char *text = environment_text(option.row->name);
      if (text && option.row->kind != Kind::Prints)
        texts[option.row] = text;
      else if (text && !is_off(text))
        add_stages(stages_of(*option.row, text));
    }
  }

  void add_stages(const std::string &stages) {
    std::string &all = texts[find_in(given, "print")->row];
    all += (all.empty() ? "" : ";") + stages;
  }
};

NbOptions *nb_options_new(void) { return new NbOptions; }

NbTypesKnown nb_options_types_known(const NbOptions *options) { return options->typed; }

void nb_options_free(NbOptions *options) { delete options; }

bool nb_options_set(NbOptions *options, const char *name, const char *value) {
  Given *option = find_in(options->given, name);
  if (option)
    option->add(value);
  return option;
}

const char *nb_option_text(const NbOptions *options, const char *name) {
  const Given *option = find_in(options->given, name);
  if (!option || option->given)
    return option ? option->text.c_str() : nullptr;
  const auto found = options->texts.find(option->row);
  return found == options->texts.end() ? nullptr : found->second.c_str();
}

bool nb_option_on(const NbOptions *options, const char *name, bool otherwise) {
  const char *text = nb_option_text(options, name);
  return text ? !is_off(text) : otherwise;
}

const char *nb_option_unclear(const NbOptions *options) {
  for (const Row &row : rows) {
    const bool flag = row.kind <= Kind::Shared && row.value == cl::ValueOptional;
    const char *text = flag ? nb_option_text(options, row.name) : nullptr;
    if (text && !is_on(text) && !is_off(text))
      return row.name;
  }
  return nullptr;
}

const char *nb_option_unused(const NbOptions *options, unsigned index, const char **reason) {
  for (const Given &option : options->given) {
    const Kind kind = option.row->kind;
    const bool said = option.given || options->texts.count(option.row);
    if (!said || kind < Kind::Ignored || index--)
      continue;
    *reason = option.row->text;
    return option.row->name;
  }
  return nullptr;
}
