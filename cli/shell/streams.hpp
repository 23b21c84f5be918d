#pragma once

#include <sys/stat.h>

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "codes/text/error.hpp"
#include "runtime/files/open_file.hpp"
#include "runtime/files/output_file.hpp"

namespace xorloom::cli {

// Files as they are named on the command line; "-" is standard input or standard output.
// What the system refuses is kIo.

/// The bytes of a text.
std::span<const std::uint8_t> bytes_of(std::string_view text);

/// A descriptor that was opened here, and is closed here unless it is a standard one.
class Descriptor {
 public:
  explicit Descriptor(int number) : number_(number) {}
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  ~Descriptor();

  int number() const { return number_; }

 private:
  int number_;
};

/// A file, or whatever else has an end, that is read from where it stands to there.
class Input {
 public:
  /// Errors: throws kIo if the path cannot be opened or is a directory.
  explicit Input(const std::string& path);

  /// Fills the bytes and returns how many it filled: fewer only at the end, after which there is
  /// nothing to read. Errors: throws kIo, also at the end of a file that changed in the meantime.
  std::size_t read(std::span<std::uint8_t> bytes);

  /// How many bytes there were to read when it was opened, 0 if it is not a regular file.
  std::size_t known_bytes() const { return known_bytes_; }
  bool is_terminal() const;

  /// What a file may allow that holds bytes of it: see permissions_within(). Pipes narrow nothing,
  /// as their permissions say nothing of what comes through.
  mode_t permissions() const { return permissions_; }

  FileIdentity identity() const { return identity_; }

  /// The path, or "standard input".
  const std::string& name() const { return name_; }
  int descriptor() const { return file_.number(); }

 private:
  void check_unchanged() const;

  std::string name_;
  Descriptor file_;
  struct stat status_ {};  ///< when it was opened
  std::size_t known_bytes_ = 0;
  mode_t permissions_ = kAnyPermissions;
  FileIdentity identity_;
};

/// What is left of an input; done follows how many bytes of it have come.
std::vector<std::uint8_t> read_rest(Input& input, std::atomic<std::uint64_t>& done);

/// The path, or "standard input" for "-".
std::string input_name(const std::string& path);

/// What is read of a text at most: of equations and of matrices.
inline constexpr std::size_t kMostTextBytes = std::size_t{256} << 20;

/// The text of a regular file, or of standard input.
///
/// Errors: as read_text_file.
std::string read_text(const std::string& path, std::size_t most_bytes = kMostTextBytes);

/// What `parse` makes of the text of a file. Errors of it that are of the text name the file.
template <typename Parse>
auto parsed(const std::string& path, const Parse& parse) {
  const std::string text = read_text(path);
  try {
    return parse(text);
  } catch (const Error& error) {
    if (error.kind() != Status::kParse) throw;
    fail(Status::kParse, input_name(path) + ": " + error.what());
  }
}

/// A file that is written from its beginning to its end.
///
/// It is an output file, which appears under its name complete or not at all, has the permissions
/// of what it replaces, or those of a new file, as far as `most` has them too, and leaves a symbolic
/// link one. Devices, pipes and what a descriptor of
/// this program leads to, as /dev/stdout does, are written as they are.
class Output {
 public:
  /// Errors: throws kIo if the path cannot be written.
  explicit Output(const std::string& path, mode_t most = kAnyPermissions);

  /// Whether nothing is left of what was written unless it is committed.
  bool can_be_taken_back() const { return file_.has_value(); }
  bool is_terminal() const;

  /// Errors: throws kIo.
  void write(std::span<const std::uint8_t> bytes);
  void write(std::string_view text);

  /// Writes a text and commits: what a command has to say, and finds out by long work. The output
  /// is opened before that.
  void finish(std::string_view text);

  /// Syncs an output file to disk and gives it its name, after which nothing is written; all else
  /// has been written already. Errors: throws kIo.
  void commit();

 private:
  std::string name_;
  std::optional<OutputFile> file_;
  std::optional<Descriptor> device_;  ///< if it was opened here
  int descriptor_ = -1;               ///< where there is no output file
};

/// Writes a whole file.
void write_output(const std::string& path, std::span<const std::uint8_t> bytes,
                  mode_t most = kAnyPermissions);
void write_output(const std::string& path, std::string_view text);

/// Writes to standard output.
void print(std::string_view text);

/// Writes a line to standard error. Never fails.
void say(std::string_view line) noexcept;

/// The same, unless the user wants errors alone: see be_quiet().
void note(std::string_view line) noexcept;

}  // namespace xorloom::cli
