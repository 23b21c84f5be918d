#pragma once

namespace xorloom {

// The parts of a Zigzag unit that are the same for every plan. They follow the localparams and
// tables, which give the widths and bounds their names.

/// Starting a task, the first address of each row, and the slices one after the other.
extern const char* const kUnitControl;

/// Asking the memory unit for the words of a slice, and taking them as they arrive.
extern const char* const kUnitLoader;

/// Walking the outputs of a slice, up to the operands.
extern const char* const kUnitWalk;

}  // namespace xorloom
