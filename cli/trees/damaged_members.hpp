#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "cli/trees/tree_roots.hpp"

namespace xorloom::cli {

/// The paths of regular files below the roots that are what damage left of members of an older
/// archive. An edit changes a file's time, and damage does not. So a file is damaged if it has the
/// time of a member that no file is any more, and the member's name, or some of its bytes in their
/// places; or its size, and a time that is known to the nanosecond; or if it is zeros, and no
/// longer. Times are the same if one is the other, cut: see is_same_time().
///
/// `read` fills a span with the next bytes of the older archive, fewer only at its end. If it throws
/// an Error, the rest of the archive is not compared.
///
/// Cost: reads the archive once, and the files that were not edited; those that share a time
///       several times.
std::vector<std::string> damaged_members(
    const std::vector<TreeRoot>& roots,
    const std::function<std::size_t(std::span<std::uint8_t>)>& read);

}  // namespace xorloom::cli
