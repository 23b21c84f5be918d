#pragma once

#include <optional>
#include <string>

#include "runtime/sets/convert_set.hpp"

namespace xorloom {

/// Gives a set another code if its data shards can stay as they are: writes only the new
/// redundancy, and the headers of the data shards.
///
/// The new redundancy is written complete as pending shards. Then journals say which headers the
/// data shards get. Once the journals have their names the change is made, and settle_journals
/// carries it out. So a conversion that is interrupted is completed, or dropped, as any change in
/// place is.
///
/// Returns nullopt, or in a phrase why the data shards cannot stay; then nothing is changed, but
/// interrupted changes may have been carried out.
/// Errors: throws kIo if the change is not made, or it cannot be told whether it is; kDamaged if
///         the file cannot be recovered.
/// Cost:   reads the data once, and writes the redundancy.
std::optional<std::string> convert_in_place(const SetConversion& conversion, ConvertedSet& result,
                                            Progress& progress);

}  // namespace xorloom
