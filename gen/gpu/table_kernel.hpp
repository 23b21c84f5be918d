#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "codes/code.hpp"
#include "equations/ir/program.hpp"
#include "gen/gpu/kernel_draft.hpp"

namespace xorloom {

/// The most bytes of tables in the memory of a group, and in constant memory: what every device
/// has.
inline constexpr std::size_t kMostLocalTables = 32 * 1024;
inline constexpr std::size_t kMostConstantTables = 64 * 1024;

/// A kernel that looks products of single bytes up: a baseline, to measure what published GPU
/// coders do. Each input is multiplied into every sum that it is in.
///
///     xl_vec e4 = xl_product(0x1d, e0);
///     e4 ^= xl_product(0x02, e1); e5 ^= e1;
///
/// Shape:  the program is over the code's symbols, and its equations read inputs alone.
/// Errors: throws kUnsupported for symbols of other than 8 bits, for shift-and-add over another
///         basis, and for tables that are too large for the memory that is asked for.
KernelDraft table_kernel(const Code& code, const Program& direct,
                         const std::vector<std::size_t>& chunks, const KernelOptions& options,
                         std::size_t vector_bytes);

/// A kernel ENTRY_tables that writes the tables that a kernel takes as an argument into memory of
/// the device, one byte by each work item, and the bytes in constant memory. It is what a file for
/// people has in place of KernelText::tables. "" if there are none.
std::string write_table_kernel(KernelLanguage language, const KernelText& kernel);

}  // namespace xorloom
