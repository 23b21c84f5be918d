#pragma once

#include "equations/ir/program.hpp"

namespace xorloom {

/// The program without the equations that no output depends on; the others keep their order.
Program drop_unread(const Program& program);

}  // namespace xorloom
