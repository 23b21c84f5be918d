#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "cli/trees/tree_roots.hpp"

namespace xorloom::cli {

/// The paths of regular files below the roots that have the name, the size and the modification
/// time of a member of an older archive, and other bytes. An edit changes a file's time, and damage
/// does not.
///
/// `read` fills a span with the next bytes of the older archive, fewer only at its end. If it throws
/// an Error, the rest of the archive is not compared.
///
/// Cost: reads the archive once, and the files that were not edited.
std::vector<std::string> damaged_members(
    const std::vector<TreeRoot>& roots,
    const std::function<std::size_t(std::span<std::uint8_t>)>& read);

}  // namespace xorloom::cli
