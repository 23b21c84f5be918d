#include "cli/shell/options.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <sched.h>
#include <strings.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <filesystem>
#include <memory>
#include <set>
#include <string_view>
#include <system_error>
#include <utility>

#include "cli/shell/streams.hpp"
#include "codes/families/families.hpp"
#include "codes/text/counted.hpp"
#include "codes/text/error.hpp"
#include "runtime/engine/cost_model.hpp"
#include "runtime/engine/executor.hpp"
#include "runtime/gpu/device_set.hpp"
#include "runtime/kernels/isa.hpp"
#include "runtime/machine/option_names.hpp"
#include "runtime/machine/threads.hpp"
#include "runtime/store/store.hpp"

namespace xorloom::cli {
namespace {

constexpr const char* kRunGroup = "How it runs";
constexpr std::array kStoreWords = {"user", "shipped", "off"};  // see Store; others are directories

using Kind = CommandOption::Kind;
using Values = std::vector<std::string>;

CommandOption& add(Command& command, Kind kind, const std::string& names, const std::string& type,
                   const std::string& help, const std::function<void(const Values&)>& read) {
  command.options.push_back({kind, names, type, help, read});
  return command.options.back();
}

enum class NumberOf { kAnything, kBytes };

/// Suffixes of numbers of bytes: 2^10, 2^20, 2^30, 2^40.
constexpr std::string_view kByteUnits = "KMGT";

/// Moves `end` past a unit if that is the last letter before `last`. Returns the exponent of 2 that
/// the unit stands for; 0: there is none.
std::size_t take_unit(const char*& end, const char* last) {
  const std::size_t at = end + 1 == last ? kByteUnits.find(*end) : std::string_view::npos;
  if (at == std::string_view::npos) return 0;
  ++end;
  return 10 * (at + 1);
}

/// Reads a whole number. Numbers of bytes may end in K, M, G or T (powers of 1024).
std::size_t parse_number(const std::string& name, std::string_view text, std::size_t lowest,
                         std::size_t highest, NumberOf what = NumberOf::kAnything) {
  std::size_t value = 0;
  const char* const last = text.data() + text.size();
  auto [end, error] = std::from_chars(text.data(), last, value);
  const bool may_have_unit = what == NumberOf::kBytes && error == std::errc{};
  const std::size_t shift = may_have_unit ? take_unit(end, last) : 0;
  const bool is_good =
      error == std::errc{} && end == last && value <= highest >> shift && value << shift >= lowest;
  if (!is_good) {
    fail(Status::kInvalidArgument,
         fmt::format("{} = {} is not a whole number from {} to {}{}", name,
                     text.empty() ? "''" : excerpt(text), lowest, highest,
                     may_have_unit && end != last ? ", such as 64K" : ""));
  }
  return value << shift;
}

/// Reads a list of distinct numbers and ranges, such as 0-3,5.
std::vector<std::size_t> parse_numbers(const std::string& name, std::string_view text,
                                       std::size_t lowest, std::size_t highest,
                                       NumberOf what = NumberOf::kAnything) {
  std::vector<std::size_t> values;
  std::set<std::size_t> seen;
  for (;;) {
    const std::string_view item = text.substr(0, text.find(','));
    const std::size_t dash = item.find('-', 1);  // a leading '-' is a sign
    if (dash != std::string_view::npos && dash + 1 == item.size()) {
      fail(Status::kInvalidArgument, "{} = {} is not a number, nor a range such as 0-3", name,
           excerpt(item));
    }
    const std::size_t first = parse_number(name, item.substr(0, dash), lowest, highest, what);
    const std::size_t last = dash == std::string_view::npos
                                 ? first
                                 : parse_number(name, item.substr(dash + 1), lowest, highest, what);
    if (last < first) {
      fail(Status::kInvalidArgument,
           fmt::format("{} = {} goes down: write the lower number first", name, excerpt(item)));
    }
    for (std::size_t value = first; value <= last; ++value) {
      if (!seen.insert(value).second) {
        fail(Status::kInvalidArgument, fmt::format("{} names {} twice", name, value));
      }
      values.push_back(value);
    }
    if (item.size() == text.size()) return values;
    text.remove_prefix(item.size() + 1);
  }
}

/// Joins `words`: "a", "a or b", "a, b or c".
std::string either(const std::vector<std::string>& words) {
  std::string text = words.front();
  for (std::size_t i = 1; i < words.size(); ++i) {
    text += (i + 1 == words.size() ? " or " : ", ") + words[i];
  }
  return text;
}

std::string last_name(const std::string& names) { return names.substr(names.rfind(',') + 1); }

}  // namespace

CommandOption& add_value(Command& command, const std::string& names, const std::string& type,
                         const std::string& help,
                         const std::function<void(const std::string&)>& read) {
  return add(command, Kind::kValue, names, type, help,
             [read](const Values& values) { read(values.front()); });
}

CommandOption& add_text(Command& command, const std::string& names, const std::string& type,
                        std::string& value, const std::string& help) {
  return add_value(command, names, type, help, [&value](const std::string& text) { value = text; });
}

CommandOption& add_text(Command& command, const std::string& names, const std::string& type,
                        std::optional<std::string>& value, const std::string& help) {
  return add_value(command, names, type, help, [&value](const std::string& text) { value = text; });
}

void add_texts(Command& command, const std::string& names, const std::string& type,
               std::vector<std::string>& values, const std::string& help) {
  add(command, Kind::kValues, names, type, help,
      [&values](const Values& texts) { values = texts; });
}

CommandOption& add_argument(Command& command, const std::string& name, std::string& value,
                            const std::string& help) {
  CommandOption& argument = add(command, Kind::kArgument, name, "", help,
                                [&value](const Values& texts) { value = texts.front(); });
  argument.is_required = true;
  return argument;
}

void add_arguments(Command& command, const std::string& name, std::vector<std::string>& values,
                   const std::string& help, bool required) {
  add(command, Kind::kArguments, name, "", help, [&values](const Values& texts) {
    values = texts;
  }).is_required = required;
}

void add_number(Command& command, const std::string& name, std::size_t& value, std::size_t lowest,
                std::size_t highest, const std::string& help) {
  add_value(command, name, "N", help, [&value, name, lowest, highest](const std::string& text) {
    value = parse_number(last_name(name), text, lowest, highest);
  });
}

void add_number(Command& command, const std::string& name, std::optional<std::size_t>& value,
                std::size_t lowest, std::size_t highest, const std::string& help) {
  add_value(command, name, "N", help, [&value, name, lowest, highest](const std::string& text) {
    value = parse_number(last_name(name), text, lowest, highest);
  });
}

void add_bytes(Command& command, const std::string& name, std::size_t& value, std::size_t lowest,
               std::size_t highest, const std::string& help) {
  add_value(command, name, "BYTES", help, [&value, name, lowest, highest](const std::string& text) {
    value = parse_number(last_name(name), text, lowest, highest, NumberOf::kBytes);
  });
}

void add_bytes(Command& command, const std::string& name, std::optional<std::size_t>& value,
               std::size_t lowest, std::size_t highest, const std::string& help) {
  add_value(command, name, "BYTES", help, [&value, name, lowest, highest](const std::string& text) {
    value = parse_number(last_name(name), text, lowest, highest, NumberOf::kBytes);
  });
}

void add_byte_list(Command& command, const std::string& name, std::vector<std::size_t>& values,
                   std::size_t lowest, std::size_t highest, const std::string& help) {
  add_value(command, name, "BYTES,…", help,
            [&values, name, lowest, highest](const std::string& text) {
              values = parse_numbers(last_name(name), text, lowest, highest, NumberOf::kBytes);
            });
}

void add_positive(Command& command, const std::string& name, const std::string& type,
                  std::optional<double>& value, const std::string& help,
                  const std::string& example) {
  const bool is_bytes = type == "BYTES";
  add_value(command, name, type, help, [&value, name, is_bytes, example](const std::string& text) {
    double number = 0;
    const char* const last = text.data() + text.size();
    auto [end, error] = std::from_chars(text.data(), last, number);
    if (is_bytes && error == std::errc{}) {
      number = std::ldexp(number, static_cast<int>(take_unit(end, last)));
    }
    if (error != std::errc{} || end != last || !std::isfinite(number) || number <= 0) {
      fail(Status::kInvalidArgument,
           fmt::format("{} = {} is not a number above 0, such as {}", name,
                       text.empty() ? "''" : excerpt(text), example));
    }
    value = number;
  });
}

void add_numbers(Command& command, const std::string& name, std::vector<std::size_t>& values,
                 std::size_t lowest, std::size_t highest, const std::string& help) {
  add_value(command, name, "N-N,…", help,
            [&values, name, lowest, highest](const std::string& text) {
              values = parse_numbers(last_name(name), text, lowest, highest);
            });
}

void add_range_lists(Command& command, const std::string& name,
                     std::vector<std::vector<std::size_t>>& lists, std::size_t highest,
                     const std::string& help) {
  add_value(command, name, "N-N,…/…", help, [&lists, name, highest](const std::string& text) {
    lists.clear();
    for (std::size_t begin = 0; begin <= text.size();) {
      const std::size_t end = std::min(text.find('/', begin), text.size());
      const std::string_view list = std::string_view(text).substr(begin, end - begin);
      lists.push_back(parse_numbers(last_name(name), list, 0, highest));
      begin = end + 1;
    }
  });
}

void add_number_lists(Command& command, const std::string& name,
                      std::vector<std::vector<std::size_t>>& lists, std::size_t lowest,
                      std::size_t highest, const std::string& help) {
  add(command, Kind::kValues, name, "N-N,…", help,
      [&lists, name, lowest, highest](const Values& texts) {
        for (const std::string& text : texts) {
          lists.push_back(parse_numbers(last_name(name), text, lowest, highest));
        }
      });
}

void add_pair(Command& command, const std::string& name, const std::string& type,
              std::optional<std::pair<std::size_t, std::size_t>>& value, std::size_t lowest,
              std::size_t highest, const std::string& help) {
  add_value(command, name, type, help, [&value, name, lowest, highest](const std::string& text) {
    const std::size_t comma = text.find(',');
    if (comma == std::string::npos || text.find(',', comma + 1) != std::string::npos) {
      fail(Status::kInvalidArgument,
           fmt::format("{} = '{}' is not two numbers such as 10,4", name, excerpt(text)));
    }
    value = {parse_number(name, std::string_view(text).substr(0, comma), lowest, highest),
             parse_number(name, std::string_view(text).substr(comma + 1), lowest, highest)};
  });
}

void add_byte_range(Command& command, const std::string& name,
                    std::optional<std::pair<std::size_t, std::size_t>>& value, std::size_t highest,
                    const std::string& help) {
  add_value(command, name, "A-B", help, [&value, name, highest](const std::string& text) {
    const std::size_t dash = text.find('-');
    if (dash == std::string::npos || dash == 0 || dash + 1 == text.size()) {
      fail(Status::kInvalidArgument,
           fmt::format("{} = {} is not a range such as 10-19", name, excerpt(text)));
    }
    const std::size_t first =
        parse_number(name, std::string_view(text).substr(0, dash), 0, highest, NumberOf::kBytes);
    const std::size_t last =
        parse_number(name, std::string_view(text).substr(dash + 1), 0, highest, NumberOf::kBytes);
    if (last < first) {
      fail(Status::kInvalidArgument,
           fmt::format("{} = {} goes down: write the lower number first", name, excerpt(text)));
    }
    value = {first, last};
  });
}

void add_choice(Command& command, const std::string& name, std::string& value,
                const std::vector<std::string>& words, const std::string& help) {
  add_choice(
      command, name, words, [&value](const std::string& word) { value = word; }, help);
}

void add_choice(Command& command, const std::string& name, const std::vector<std::string>& words,
                const std::function<void(const std::string&)>& take, const std::string& help) {
  add_value(command, name, fmt::format("{}", fmt::join(words, "|")), help,
            [take, name, words](const std::string& text) {
              if (std::ranges::find(words, text) == words.end()) {
                fail(Status::kInvalidArgument, fmt::format("{} = '{}' is not {}", last_name(name),
                                                           excerpt(text), either(words)));
              }
              take(text);
            });
}

void add_words(Command& command, const std::string& name, std::vector<std::string>& values,
               const std::vector<std::string>& words, const std::string& help) {
  const auto read = [&values, name, words](const std::string& text) {
    for (std::size_t begin = 0; begin <= text.size();) {
      const std::size_t end = std::min(text.find(',', begin), text.size());
      const std::string word = text.substr(begin, end - begin);
      if (std::ranges::find(words, word) == words.end()) {
        fail(Status::kInvalidArgument,
             fmt::format("{} = '{}' is not {}", name, excerpt(word), either(words)));
      }
      if (std::ranges::find(values, word) != values.end()) {
        fail(Status::kInvalidArgument, fmt::format("{} names {} twice", name, word));
      }
      values.push_back(word);
      begin = end + 1;
    }
  };
  add_value(command, name, fmt::format("{}", fmt::join(words, ",")), help, read);
}

void add_flag(Command& command, const std::string& name, bool& value, const std::string& help) {
  add(command, Kind::kFlag, name, "", help, [&value](const Values&) { value = true; });
}

void add_erase(Command& command, std::vector<std::size_t>& erased, const std::string& help) {
  add_numbers(command, "--erase", erased, 0, kMaxLocation, help);
}

void add_output(Command& command, std::string& path) {
  add_text(command, "-o,--output", "FILE", path,
           "write to FILE instead of standard output; an existing FILE is replaced")
      .writes = true;
}

void add_threads(Command& command, int& threads, const std::string& otherwise) {
  add_value(command, "--threads", "N",
            "number of threads; 0: all that the machine has; " + otherwise,
            [&threads](const std::string& text) {
              threads = static_cast<int>(parse_number("--threads", text, 0, kMaxThreads));
            })
      .group = kRunGroup;
}

void add_store(Command& command, std::string& place, std::string* file, const char* files,
               const char* old_name, const std::string& when) {
  place = Store::kUser;
  const std::string help = fmt::format(
      "{}the programs that were searched before, from which a search goes on. user: what comes "
      "with Xorloom, and what earlier searches kept in xorloom/wisdom below $XDG_CACHE_HOME or "
      "~/.cache; shipped: what comes with Xorloom; off: none; DIR: also a directory, which keeps "
      "what is found instead of the cache{}; default: user",
      when, file == nullptr ? "" : fmt::format("; FILE: also {}", files));
  add(command, Kind::kValues, "--store", file == nullptr ? "user|shipped|off|DIR" : "PLACE", help,
      [&place, file](const Values& values) {
        std::array<std::string, 2> given;  // a place, and a file
        for (const std::string& text : values) {
          std::error_code unknown;
          const std::filesystem::path path = text;
          const std::filesystem::file_status status = std::filesystem::status(path, unknown);
          const bool is_file = std::filesystem::is_regular_file(status);
          if (is_file && file == nullptr) {
            fail(Status::kInvalidArgument, "--store = {} is a file, not a directory",
                 excerpt(text));
          }
          for (const char* const word : kStoreWords) {
            if (text == word || ::strcasecmp(text.c_str(), word) != 0) continue;
            if (std::filesystem::exists(status)) continue;
            fail(Status::kInvalidArgument, "--store = {}: write {}, or ./{} for a directory", text,
                 word, text);
          }
          if (path.has_extension() && !std::filesystem::exists(status)) {
            fail(Status::kIo,
                 "--store = {} is not there; a new directory has a name without a point",
                 excerpt(text));
          }
          if (!given[is_file].empty() && given[is_file] != text) {
            fail(Status::kInvalidArgument, "--store = {} and --store = {}: a command takes {}",
                 excerpt(given[is_file]), excerpt(text),
                 is_file ? "one file" : "one of user, shipped, off and DIR");
          }
          given[is_file] = text;
          (is_file ? *file : place) = text == "shipped" ? "" : text;
        }
      })
      .old_name = old_name;
  option_of(command, "--store").words = {kStoreWords.begin(), kStoreWords.end()};
}

void set_executor(Options& options, const std::string& name) {
  options.executor = parse_executor(name);
  if (!runs_on_devices(options.executor)) return;
  set_log([](const char* sentence, void*) { note(fmt::format("xorloom: {}", sentence)); }, nullptr);
}

void add_engine(Command& command, Options& options, const std::string& executor_default,
                const std::string& threads_default, std::string* atlas) {
  options.improves_plans = true;
  command.settle.push_back([&options] { check_devices(options.executor); });
  add_choice(
      command, "--executor", {"ranges", "graph", "plan", "auto", "opencl", "cuda", "hybrid"},
      [&options](const std::string& name) { set_executor(options, name); },
      "how threads share the work. ranges: each takes a range of the bytes; graph: they take "
      "groups of equations; plan: each takes the equations of one core of a plan; auto: xorloom "
      "chooses; opencl and cuda: devices such as a GPU do it; hybrid: devices and threads share "
      "the bytes; " +
          executor_default);
  add_choice(
      command, "--isa", {isa_names().begin(), isa_names().end()},
      [&options](const std::string& name) { options.isa = parse_isa(name); },
      "instruction set; default: XORLOOM_ISA if it is set, else the machine's best");
  add_threads(command, options.threads, threads_default);
  add_value(command, "--awake", "N",
            fmt::format("microseconds that threads stay awake after their work: small stripes gain "
                        "from a second thread then, but processors are kept busy; default: {}",
                        options.awake_microseconds),
            [&options](const std::string& text) {
              options.awake_microseconds =
                  static_cast<int>(parse_number("--awake", text, 0, kMostAwakeMicroseconds));
            });
  add_choice(
      command, "--style", {"direct", "iterative", "auto"},
      [&options](const std::string& name) { options.style = parse_equation_form(name); },
      fmt::format("direct: each equation stands alone; iterative: equations share temporaries; "
                  "default: auto, iterative up to {} direct XORs and direct above",
                  kQuicklyShared));
  add_choice(
      command, "--engine", {"code", "kernels", "auto"},
      [&options](const std::string& name) { options.engine = parse_engine(name); },
      "code: machine code made for the equations; kernels: functions of the library; "
      "default: auto, code if it can be made and stays small, otherwise kernels");
  add_choice(
      command, "--effort", {"auto", "fast", "quick", "normal"},
      [&options](const std::string& name) { options.effort = parse_effort(name); },
      "how long to search for the equations of each computation and for their order: fast "
      "takes milliseconds, normal up to ten seconds; default: auto, fast first and then tens of "
      "milliseconds for what runs often");
  option_of(command, "--effort").type = "auto|fast|normal";  // quick is only what auto chooses
  add_store(command, options.wisdom, atlas, "an atlas", "--wisdom");
  for (const char* name :
       {"--executor", "--awake", "--isa", "--style", "--engine", "--effort", "--store"}) {
    option_of(command, name).group = kRunGroup;
  }
}

void add_run_options(Command& command, Options& options, const std::string& executor_default,
                     const std::string& threads_default) {
  add_packet_bytes(command, options);
  add_allow_non_mds(command, options);
  add_engine(command, options, executor_default, threads_default, &options.atlas);
  add_value(command, "--atlas", "FILE", "the same as --store", [&options](const std::string& path) {
    options.atlas = path;
  }).is_hidden = true;
}

std::size_t machine_threads() {
  cpu_set_t set;
  CPU_ZERO(&set);
  if (::sched_getaffinity(0, sizeof set, &set) != 0) return 1;
  return static_cast<std::size_t>(std::max(1, CPU_COUNT(&set)));
}

std::string how_text(const Info& info, int threads) {
  if (!info.devices.empty()) return fmt::format("{}: {}", to_string(info.executor), info.devices);
  const std::size_t count = threads == 0 ? machine_threads() : static_cast<std::size_t>(threads);
  return fmt::format("{}, {}, {}", to_string(info.isa), counted(count, "thread"),
                     to_string(info.executor));
}

std::string short_list(const std::vector<std::size_t>& numbers) {
  if (numbers.empty()) return "none";
  std::string text;
  for (std::size_t i = 0; i < numbers.size();) {
    std::size_t last = i;
    while (last + 1 < numbers.size() && numbers[last + 1] == numbers[last] + 1) ++last;
    text += text.empty() ? "" : ",";
    text +=
        last > i ? fmt::format("{}-{}", numbers[i], numbers[last]) : fmt::format("{}", numbers[i]);
    i = last + 1;
  }
  return text;
}

std::string named_list(const char* noun, const std::vector<std::size_t>& numbers) {
  return fmt::format("{}{} {}", noun, numbers.size() == 1 ? "" : "s", short_list(numbers));
}

}  // namespace xorloom::cli
