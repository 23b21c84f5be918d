#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "cli/shell/code_options.hpp"
#include "cli/shell/command.hpp"
#include "codes/code.hpp"
#include "xorloom/xorloom.hpp"

namespace xorloom::cli {

// Adders of options that several commands share. They read values themselves, not by the parser's
// types, so that every error names the option, the value and the bound.

/// Adds an option with one value, which `read` takes; `read` throws Error if the value is wrong.
/// Most functions below use it.
CommandOption& add_value(Command& command, const std::string& names, const std::string& type,
                         const std::string& help,
                         const std::function<void(const std::string&)>& read);

/// Adds an option that takes any text.
CommandOption& add_text(Command& command, const std::string& names, const std::string& type,
                        std::string& value, const std::string& help);
CommandOption& add_text(Command& command, const std::string& names, const std::string& type,
                        std::optional<std::string>& value, const std::string& help);

/// Adds an option that takes any text and may be given several times.
void add_texts(Command& command, const std::string& names, const std::string& type,
               std::vector<std::string>& values, const std::string& help);

/// Add a required positional argument, and one that stands for a list of one or more (none, if not
/// `required`).
CommandOption& add_argument(Command& command, const std::string& name, std::string& value,
                            const std::string& help);
void add_arguments(Command& command, const std::string& name, std::vector<std::string>& values,
                   const std::string& help, bool required = true);

/// Adds an option that takes a whole number from `lowest` to `highest`.
void add_number(Command& command, const std::string& name, std::size_t& value, std::size_t lowest,
                std::size_t highest, const std::string& help);

/// Adds an option that takes a whole number; `value` stays nullopt if it is not given.
void add_number(Command& command, const std::string& name, std::optional<std::size_t>& value,
                std::size_t lowest, std::size_t highest, const std::string& help);

/// Adds an option that takes a finite number above 0, such as 24 or 1.2e6. If `type` is BYTES, a
/// binary suffix is allowed: 4T. `example` is a good value, for errors.
void add_positive(Command& command, const std::string& name, const std::string& type,
                  std::optional<double>& value, const std::string& help,
                  const std::string& example = "1.2e6");

/// Adds an option that takes a number of bytes, such as 65536 or 64K; K, M, G and T are powers of
/// 1024.
void add_bytes(Command& command, const std::string& name, std::size_t& value, std::size_t lowest,
               std::size_t highest, const std::string& help);
void add_bytes(Command& command, const std::string& name, std::optional<std::size_t>& value,
               std::size_t lowest, std::size_t highest, const std::string& help);

/// Adds an option that takes a list of distinct numbers of bytes, such as 4K,64K.
void add_byte_list(Command& command, const std::string& name, std::vector<std::size_t>& values,
                   std::size_t lowest, std::size_t highest, const std::string& help);

/// Adds an option that takes a list of distinct whole numbers and ranges, such as 0-3,5.
void add_numbers(Command& command, const std::string& name, std::vector<std::size_t>& values,
                 std::size_t lowest, std::size_t highest, const std::string& help);

/// Adds an option that takes lists as add_numbers() does, separated by '/': 0-4/5-9.
void add_range_lists(Command& command, const std::string& name,
                     std::vector<std::vector<std::size_t>>& lists, std::size_t highest,
                     const std::string& help);

/// Adds an option that takes a list as add_numbers() does and may be given several times, each time
/// adding one list to `lists`.
void add_number_lists(Command& command, const std::string& name,
                      std::vector<std::vector<std::size_t>>& lists, std::size_t lowest,
                      std::size_t highest, const std::string& help);

/// Adds an option that takes two whole numbers, such as 10,4.
void add_pair(Command& command, const std::string& name, const std::string& type,
              std::optional<std::pair<std::size_t, std::size_t>>& value, std::size_t lowest,
              std::size_t highest, const std::string& help);

/// Adds an option that takes an inclusive range of bytes, such as 10-19.
void add_byte_range(Command& command, const std::string& name,
                    std::optional<std::pair<std::size_t, std::size_t>>& value, std::size_t highest,
                    const std::string& help);

/// Adds an option that takes one of `words`.
void add_choice(Command& command, const std::string& name, std::string& value,
                const std::vector<std::string>& words, const std::string& help);

/// Adds an option that takes one of `words` and passes it to `take`.
void add_choice(Command& command, const std::string& name, const std::vector<std::string>& words,
                const std::function<void(const std::string&)>& take, const std::string& help);

/// Adds an option that takes a list of distinct words among `words`, such as isal,jerasure.
void add_words(Command& command, const std::string& name, std::vector<std::string>& values,
               const std::vector<std::string>& words, const std::string& help);

/// Adds an option without a value, which sets `value` to true.
void add_flag(Command& command, const std::string& name, bool& value, const std::string& help);

/// Adds --erase: the locations that are lost.
void add_erase(Command& command, std::vector<std::size_t>& erased, const std::string& help);

/// Adds -o,--output FILE. Default: standard output.
void add_output(Command& command, std::string& path);

/// Adds --store, which also answers to its old name. It sets `place` to a word or directory of
/// Store or, if `file` is not null, may set `file` to a file that the user names. `files` says in
/// words what this file can be. `when` begins the help if another option is needed, for example
/// "with --suggest: ".
void add_store(Command& command, std::string& place, std::string* file, const char* files,
               const char* old_name, const std::string& when = "");

/// Adds --threads; `otherwise` ends its help and states the default.
void add_threads(Command& command, int& threads, const std::string& otherwise);

/// Sets the executor by its name. If it runs on devices, the library's messages go to standard
/// error, such as that a device is not used.
void set_executor(Options& options, const std::string& name);

/// Adds the options for how bytes are coded: --executor, --isa, --threads, --awake, --style,
/// --engine, --effort and --store, which sets `atlas` to a file if that is not null.
void add_engine(Command& command, Options& options, const std::string& executor_default,
                const std::string& threads_default, std::string* atlas = nullptr);

/// Adds the options of add_engine(), --packet-bytes and --allow-non-mds. --store also takes an
/// atlas. For commands that take a code or make plans for one.
void add_run_options(Command& command, Options& options, const std::string& executor_default,
                     const std::string& threads_default);

inline constexpr std::size_t kMaxThreads = 1024;
inline constexpr std::size_t kMaxLocation = 65'535;
inline constexpr std::size_t kMaxRow = 65'535;
inline constexpr std::size_t kMaxChunkBytes = std::size_t{1} << 40;
inline constexpr std::size_t kMaxLength = std::size_t{1} << 56;

/// Number of processors that this process may use, at least 1.
std::size_t machine_threads();

/// Describes how a codec runs: "avx512, 2 threads, ranges" or, on devices, "opencl: " and their
/// names. `threads` 0: all of the machine.
std::string how_text(const Info& info, int threads);

/// Writes ascending numbers with runs as ranges: "0-3,5". "none" if empty.
std::string short_list(const std::vector<std::size_t>& numbers);

/// short_list() behind a noun: "chunk 3", "chunks 0-2,5". Precondition: `numbers` is not empty.
std::string named_list(const char* noun, const std::vector<std::size_t>& numbers);

}  // namespace xorloom::cli
