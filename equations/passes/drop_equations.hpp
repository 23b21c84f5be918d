#pragma once

#include "equations/ir/program.hpp"

namespace xorloom {

/// Drops the equations that no output depends on; the others keep their order.
Program drop_unread(const Program& program);

/// Propagates copies and zeros: a reader of a copy reads its source instead. In the result only
/// outputs are copies or zeros, and no equation reads them.
///
/// Shape: an XOR program.
Program drop_copies(const Program& program);

}  // namespace xorloom
