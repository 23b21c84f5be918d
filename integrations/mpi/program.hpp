#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "xorloom/mpi.hpp"

// The parts of the program xorloom-mpi.

namespace xorloom::mpi {

/// The text with each %r replaced by the rank.
std::string with_rank(std::string text, int rank);

/// The route of a name, or of a file with lines "RANK PARENT"; null for "direct".
///
/// Errors: throws kIo or kParse.
Route route_of(const std::string& name);

/// Returns, on all ranks, the first of the ranks' texts that is not empty; empty if all are.
std::string first_of_all(const std::string& own);

/// A file mapped into memory.
///
/// Errors: throws kIo.
class InputFile {
 public:
  explicit InputFile(const std::string& path);
  InputFile(const InputFile&) = delete;
  InputFile& operator=(const InputFile&) = delete;
  ~InputFile();
  const void* data() const noexcept { return data_; }
  std::size_t bytes() const noexcept { return bytes_; }
  unsigned permissions() const noexcept { return permissions_; }

 private:
  void* data_ = nullptr;
  std::size_t bytes_ = 0;
  unsigned permissions_ = 0;
};

/// Writes a file under another name, syncs it, and gives it its name. It allows at most
/// `permissions`, which its owner can read and write, and what the umask leaves of them.
///
/// Errors: throws kIo.
void write_file(const std::string& path, std::span<const std::uint8_t> bytes, unsigned permissions);

/// Prints, on rank 0, why a call failed, or what it took; and returns the exit status.
int report(const Outcome& outcome, bool quiet);
/// Prints, on rank 0, what is left; and returns the exit status: 1 if something is missing that can
/// be rebuilt, 3 if something cannot.
int print(const State& state);
void print(const Survival& survival, const Options& options);
/// Prints one line of JSON, which the script scaling reads.
void print(const Phases& phases, const std::string& spec, std::size_t bytes);

}  // namespace xorloom::mpi
