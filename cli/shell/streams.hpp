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

// Files named on the command line; "-" is standard input or standard output. Errors of the system
// are kIo.

std::span<const std::uint8_t> bytes_of(std::string_view text);

/// Owns a descriptor, and closes it unless it is a standard one.
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

/// Reads a file, a pipe or a device from its present position to its end.
class Input {
 public:
  /// Errors: throws kIo if the path cannot be opened or is a directory.
  explicit Input(const std::string& path);

  /// Fills `bytes` and returns the number of bytes read: fewer only at the end of input. Errors:
  /// throws kIo, also if a regular file was changed while it was read.
  std::size_t read(std::span<std::uint8_t> bytes);

  /// Bytes left to read when it was opened; 0 if it is not a regular file.
  std::size_t known_bytes() const { return known_bytes_; }
  bool is_terminal() const;

  /// Permissions that a file with this content may have: see permissions_within(). For pipes all,
  /// as their own permissions say nothing about their content.
  mode_t permissions() const { return permissions_; }

  FileIdentity identity() const { return identity_; }

  /// The path, or "standard input".
  const std::string& name() const { return name_; }
  int descriptor() const { return file_.number(); }

 private:
  void check_unchanged() const;

  std::string name_;
  Descriptor file_;
  struct stat status_ {};  ///< taken when it was opened
  std::size_t known_bytes_ = 0;
  mode_t permissions_ = kAnyPermissions;
  FileIdentity identity_;
};

/// Reads the rest of `input`; `done` follows the number of bytes read.
std::vector<std::uint8_t> read_rest(Input& input, std::atomic<std::uint64_t>& done);

/// The path; "standard input" for "-".
std::string input_name(const std::string& path);

/// Default limit for texts of equations and matrices.
inline constexpr std::size_t kMostTextBytes = std::size_t{256} << 20;

/// Reads a whole text from a regular file or from standard input.
///
/// Errors: as read_text_file().
std::string read_text(const std::string& path, std::size_t most_bytes = kMostTextBytes);

/// Returns parse(text) for the text of a file. Adds the name of the file to a kParse error.
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
/// A regular file appears under its name complete or not at all. Its permissions are those of the
/// file it replaces, or of a new file, limited to `most`. A symbolic link stays one, and its target
/// is replaced. Devices, pipes and descriptors of this program, such as /dev/stdout, are written
/// directly.
class Output {
 public:
  /// Errors: throws kIo if the path cannot be written.
  explicit Output(const std::string& path, mode_t most = kAnyPermissions);

  /// True if what was written disappears unless commit() is called.
  bool can_be_taken_back() const { return file_.has_value(); }
  bool is_terminal() const;

  /// Errors: throws kIo.
  void write(std::span<const std::uint8_t> bytes);
  void write(std::string_view text);

  /// Writes `text` and commits. For results of long work: opening the output first finds errors
  /// early.
  void finish(std::string_view text);

  /// Syncs a regular file to disk and gives it its name; nothing may be written afterwards. No
  /// effect on other outputs. Errors: throws kIo.
  void commit();

 private:
  std::string name_;
  std::optional<OutputFile> file_;
  std::optional<Descriptor> device_;  ///< if this opened a device or pipe
  int descriptor_ = -1;               ///< if there is no `file_`
};

/// Writes a whole file.
void write_output(const std::string& path, std::span<const std::uint8_t> bytes,
                  mode_t most = kAnyPermissions);
void write_output(const std::string& path, std::string_view text);

/// Writes a result to standard output. Errors: see print_failure(), so that what the result comes
/// to is said on standard error all the same.
void print(std::string_view text);

/// Why the first result that could not be printed was not, a sentence; empty if all were.
const std::string& print_failure();

/// Writes a line to standard error. Never fails.
void say(std::string_view line) noexcept;

/// As say(), unless the user wants only errors: see be_quiet().
void note(std::string_view line) noexcept;

}  // namespace xorloom::cli
