#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "cli/shell/command.hpp"
#include "codes/code.hpp"
#include "xorloom/xorloom.hpp"

namespace xorloom::cli {

// Options that several commands share. Values are read here rather than by the parser's own types,
// so that every error names the option, the value and the bound.

/// An option whose value `read` takes, and throws Error if it is wrong. What the others below are
/// made of.
CommandOption& add_value(Command& command, const std::string& names, const std::string& type,
                         const std::string& help,
                         const std::function<void(const std::string&)>& read);

/// An option that takes any text.
CommandOption& add_text(Command& command, const std::string& names, const std::string& type,
                        std::string& value, const std::string& help);
CommandOption& add_text(Command& command, const std::string& names, const std::string& type,
                        std::optional<std::string>& value, const std::string& help);

/// The same, where the option may be given again.
void add_texts(Command& command, const std::string& names, const std::string& type,
               std::vector<std::string>& values, const std::string& help);

/// An argument that has to be there, and one or more of them.
void add_argument(Command& command, const std::string& name, std::string& value,
                  const std::string& help);
void add_arguments(Command& command, const std::string& name, std::vector<std::string>& values,
                   const std::string& help, bool required = true);

/// An option that takes a whole number from lowest to highest.
void add_number(Command& command, const std::string& name, std::size_t& value, std::size_t lowest,
                std::size_t highest, const std::string& help);

/// The same, where not giving it is something else than any number.
void add_number(Command& command, const std::string& name, std::optional<std::size_t>& value,
                std::size_t lowest, std::size_t highest, const std::string& help);

/// An option that takes a number above 0 such as 24 or 1.2e6; infinity is refused.
void add_positive(Command& command, const std::string& name, const std::string& type,
                  std::optional<double>& value, const std::string& help);

/// An option that takes distinct whole numbers as in 0,3.
void add_numbers(Command& command, const std::string& name, std::vector<std::size_t>& values,
                 std::size_t lowest, std::size_t highest, const std::string& help);

/// The same with ranges, as in 0-3,5.
void add_ranges(Command& command, const std::string& name, std::vector<std::size_t>& values,
                std::size_t lowest, std::size_t highest, const std::string& help);

/// Several such lists, as in 0-4/5-9.
void add_range_lists(Command& command, const std::string& name,
                     std::vector<std::vector<std::size_t>>& lists, std::size_t highest,
                     const std::string& help);

/// The same as add_numbers, where the option may be given again for a list of its own.
void add_number_lists(Command& command, const std::string& name,
                      std::vector<std::vector<std::size_t>>& lists, std::size_t lowest,
                      std::size_t highest, const std::string& help);

/// An option that takes two whole numbers as in 10,4.
void add_pair(Command& command, const std::string& name, const std::string& type,
              std::optional<std::pair<std::size_t, std::size_t>>& value, std::size_t lowest,
              std::size_t highest, const std::string& help);

/// An option that takes a range of whole numbers as in 10-19, both of them in it.
void add_range(Command& command, const std::string& name,
               std::optional<std::pair<std::size_t, std::size_t>>& value, std::size_t highest,
               const std::string& help);

/// An option that takes one of a few words.
void add_choice(Command& command, const std::string& name, std::string& value,
                const std::vector<std::string>& words, const std::string& help);

/// The same, for a word that `take` takes.
void add_choice(Command& command, const std::string& name, const std::vector<std::string>& words,
                const std::function<void(const std::string&)>& take, const std::string& help);

/// An option that takes distinct ones of a few words, as in isal,jerasure.
void add_words(Command& command, const std::string& name, std::vector<std::string>& values,
               const std::vector<std::string>& words, const std::string& help);

/// An option that is given or not, and takes no value.
void add_flag(Command& command, const std::string& name, bool& value, const std::string& help);

/// The code specs a command takes, by position.
void add_spec(Command& command, std::string& spec);
void add_specs(Command& command, std::vector<std::string>& specs, bool required);

/// --erase: the locations that are lost.
void add_erase(Command& command, std::vector<std::size_t>& erased, const std::string& help);

/// -o FILE; default: standard output.
void add_output(Command& command, std::string& path);

/// --allow-non-mds and, where bytes matter, --packet-bytes: how a code spec is taken.
void add_allow_non_mds(Command& command, Options& options);
void add_packet_bytes(Command& command, Options& options);

/// --store alone: `place` becomes a word or directory of Store, and `file`, if given, a file that the
/// user names. If it needs another option, `when` says so: "with --suggest: ".
void add_store(Command& command, std::string& place, std::string* file,
               const std::string& when = "");

/// An old name of --store for a place, which help does not show.
void add_old_store(Command& command, const char* name, std::string& place);

/// --threads alone; its default depends on the command, and is said in the last argument.
void add_threads(Command& command, int& threads, const std::string& otherwise);

/// Sets an executor by its name. Where it runs on devices, the user hears if they do not do it.
void set_executor(Options& options, const std::string& name);

/// How a command that touches bytes runs: --executor, --isa, --threads, --style, --engine and
/// --effort.
void add_engine(Command& command, Options& options, const std::string& executor_default,
                const std::string& threads_default);

/// What such a command takes if it is told a code, too, or makes plans for one: all of the above,
/// and an atlas as a store.
void add_run_options(Command& command, Options& options, const std::string& executor_default,
                     const std::string& threads_default);

inline constexpr std::size_t kMaxThreads = 1024;
inline constexpr std::size_t kMaxLocation = 65'535;
inline constexpr std::size_t kMaxRow = 65'535;
inline constexpr std::size_t kMaxChunkBytes = std::size_t{1} << 40;
inline constexpr std::size_t kMaxLength = std::size_t{1} << 56;

/// The code of a spec, as the options take it.
Code code_of(const std::string& spec, const Options& options);

/// Threads this process may run at once, at least 1.
std::size_t machine_threads();

/// "avx512, 2 threads, ranges", or on devices "opencl: " and their names.
std::string how_text(const Info& info, int threads);

/// "0-3,5": ascending numbers with runs written short; "none" if there are none.
std::string short_list(const std::vector<std::size_t>& numbers);

}  // namespace xorloom::cli
