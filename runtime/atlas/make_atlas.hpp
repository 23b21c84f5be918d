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

/// Progress of making an atlas. One thread makes it and writes this; another polls and shows it.
struct AtlasProgress {
  std::atomic<std::uint64_t> patterns{0};  ///< patterns in all
  std::atomic<std::uint64_t> done{0};
  std::atomic<std::uint64_t> resumed{0};   ///< patterns done that the journal had
  std::atomic<std::uint64_t> programs{0};  ///< distinct equations so far
};

struct AtlasBuildOptions {
  std::filesystem::path path;
  AtlasSubject subject;     ///< the code's subject, with the effort
  std::size_t threads = 1;  ///< 0: all of the machine
  /// Asked often, by any thread. True stops the work; the journal keeps what is done for another
  /// call.
  std::function<bool()> stop_requested{};
};

/// Compiles every pattern of a code into an atlas: the encoding if nothing is lost, and for each
/// set of lost locations equations of few XORs that rebuild all of them. Both also get orders for
/// machine code. On words, the programs are over symbols, chosen for kernels and for the machine
/// code of AVX2 and AVX-512. A journal beside the atlas keeps what is done. The file appears
/// complete, and then the journal is removed.
///
/// The same subject gives the same bytes, whatever the threads, the host and the interruptions. An
/// atlas of that name is replaced.
///
/// Answer: the header of the atlas; nullopt if the work was stopped before the end.
/// Errors: throws kInvalidArgument if something else has the name, what AtlasJournal throws,
///         kUnsupported if a pattern takes too many XORs, or too much for kernels, kIo.
/// Cost:   memory for the whole atlas. A pattern takes milliseconds at the effort fast and on
///         words, seconds otherwise.
std::optional<AtlasHeader> make_atlas(const Code& code, const AtlasBuildOptions& making,
                                      AtlasProgress& progress);

/// Compiles the part of pattern number `pattern`. Errors: throws kUnsupported as make_atlas().
AtlasPart compiled_part(const Code& code, const AtlasSubject& subject, std::uint64_t pattern,
                        const std::function<bool()>& stop_requested);

}  // namespace xorloom
