#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "codes/code.hpp"
#include "xorloom/xorloom.hpp"

namespace CLI {
class App;
}

namespace xorloom::cli {

// Options that several commands share. Values are read here rather than by the parser's own types,
// so that every error names the option, the value and the bound.

/// An option that takes a whole number from lowest to highest.
void add_number(CLI::App& app, const std::string& name, std::size_t& value, std::size_t lowest,
                std::size_t highest, const std::string& help);

/// The same, where not giving it is something else than any number.
void add_number(CLI::App& app, const std::string& name, std::optional<std::size_t>& value,
                std::size_t lowest, std::size_t highest, const std::string& help);

/// An option that takes distinct whole numbers as in 0,3.
void add_numbers(CLI::App& app, const std::string& name, std::vector<std::size_t>& values,
                 std::size_t lowest, std::size_t highest, const std::string& help);

/// The same with ranges, as in 0-3,5.
void add_ranges(CLI::App& app, const std::string& name, std::vector<std::size_t>& values,
                std::size_t lowest, std::size_t highest, const std::string& help);

/// Several such lists, as in 0-4/5-9.
void add_range_lists(CLI::App& app, const std::string& name,
                     std::vector<std::vector<std::size_t>>& lists, std::size_t highest,
                     const std::string& help);

/// The same as add_numbers, where the option may be given again for a list of its own.
void add_number_lists(CLI::App& app, const std::string& name,
                      std::vector<std::vector<std::size_t>>& lists, std::size_t lowest,
                      std::size_t highest, const std::string& help);

/// An option that takes two whole numbers as in 10,4.
void add_pair(CLI::App& app, const std::string& name, const std::string& type,
              std::optional<std::pair<std::size_t, std::size_t>>& value, std::size_t lowest,
              std::size_t highest, const std::string& help);

/// An option that takes a range of whole numbers as in 10-19, both of them in it.
void add_range(CLI::App& app, const std::string& name,
               std::optional<std::pair<std::size_t, std::size_t>>& value, std::size_t highest,
               const std::string& help);

/// An option that takes one of a few words.
void add_choice(CLI::App& app, const std::string& name, std::string& value,
                const std::vector<std::string>& words, const std::string& help);

/// An option that takes distinct ones of a few words, as in isal,jerasure.
void add_words(CLI::App& app, const std::string& name, std::vector<std::string>& values,
               const std::vector<std::string>& words, const std::string& help);

/// An option that is given or not, and takes no value.
void add_flag(CLI::App& app, const std::string& name, bool& value, const std::string& help);

/// The code specs a command takes, by position.
void add_spec(CLI::App& app, std::string& spec, bool required = true);
void add_specs(CLI::App& app, std::vector<std::string>& specs, bool required);

/// --erase: the locations that are lost.
void add_erase(CLI::App& app, std::vector<std::size_t>& erased, const std::string& help);

/// -o FILE, standard output if it is not given.
void add_output(CLI::App& app, std::string& path);

/// --allow-non-mds and, where bytes matter, --packet-bytes: how a code spec is taken.
void add_allow_non_mds(CLI::App& app, Options& options);
void add_packet_bytes(CLI::App& app, Options& options);

/// --threads alone; what is not given depends on the command, and is said in the last.
void add_threads(CLI::App& app, int& threads, const std::string& otherwise);

/// How a command that touches bytes runs: --executor, --isa, --threads, --style, --engine and --effort.
void add_engine(CLI::App& app, Options& options, const std::string& executor_default,
                const std::string& threads_default);

/// What such a command takes if it is told a code, too, or makes plans for one: all of the above, and
/// --atlas.
void add_run_options(CLI::App& app, Options& options, const std::string& executor_default,
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

/// "avx512, 2 threads, ranges".
std::string how_text(const Info& info, int threads);

/// "0-3,5": ascending numbers with runs written short; "none" if there are none.
std::string short_list(const std::vector<std::size_t>& numbers);

}  // namespace xorloom::cli
