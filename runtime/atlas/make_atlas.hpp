#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>

#include "codes/code.hpp"
#include "runtime/atlas/atlas_header.hpp"
#include "runtime/atlas/atlas_journal.hpp"

namespace xorloom {

/// How far an atlas has come. Who makes it writes it, who shows it polls it from another thread.
struct AtlasProgress {
  std::atomic<std::uint64_t> patterns{0};  ///< all there are
  std::atomic<std::uint64_t> done{0};
  std::atomic<std::uint64_t> resumed{0};   ///< of these, what the journal had
  std::atomic<std::uint64_t> programs{0};  ///< distinct ones so far
};

struct AtlasBuildOptions {
  std::filesystem::path path;
  AtlasSubject subject;     ///< of the code, with the effort
  std::size_t threads = 1;  ///< 0: all the machine has
  /// Asked often, by any thread: what is done until then stays in the journal, for another call.
  std::function<bool()> stop_requested{};
};

/// Compiles every pattern of a code into an atlas: for none lost the encoding, for each set of lost
/// locations equations of few XORs that rebuild all of them, and of both the orders for machine
/// code. On words these are programs over symbols, chosen for kernels and for the machine code of
/// AVX2 and AVX-512. A journal beside the atlas keeps what is done. The file appears complete, and
/// then the journal goes.
///
/// The same subject gives the same bytes, whatever the threads and the host and however often it
/// was interrupted. An atlas of that name is replaced.
///
/// Answer: what was made, or none if it is over before that.
/// Errors: throws kInvalidArgument if something else has the name, what AtlasJournal throws,
///         kUnsupported if a pattern takes too many XORs, or too much for kernels, kIo.
/// Cost:   memory for the whole atlas. A pattern takes milliseconds at the effort fast and on
///         words, seconds otherwise.
std::optional<AtlasHeader> make_atlas(const Code& code, const AtlasBuildOptions& making,
                                      AtlasProgress& progress);

/// The part of one pattern, by its number. Errors: throws kUnsupported as above.
AtlasPart compiled_part(const Code& code, const AtlasSubject& subject, std::uint64_t pattern,
                        const std::function<bool()>& stop_requested);

}  // namespace xorloom
