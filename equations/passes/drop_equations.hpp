#pragma once

#include "equations/ir/program.hpp"

namespace xorloom {

/// The program without the equations that no output depends on; the others keep their order.
Program drop_unread(const Program& program);

/// The program with copies and zeros left out of what others read: a reader of a copy reads what
/// that is a copy of. Only outputs may then be copies or zeros, and nothing reads these.
///
/// Shape: an XOR program.
Program drop_copies(const Program& program);

}  // namespace xorloom
