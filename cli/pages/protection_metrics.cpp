#include "cli/pages/protection_metrics.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>

#include "cli/document/metrics.hpp"
#include "runtime/protection/redundancy_plan.hpp"

namespace xorloom::cli {

std::string protection_metrics(const std::vector<CheckedProtection>& all) {
  using FileKind = FileState::Kind;
  Metrics metrics;
  const auto label = [](const CheckedProtection& checked) {
    return fmt::format("protection=\"{}\"", to_string(checked.protection.parts.front().header.id));
  };
  const auto add_each = [&](std::string_view name, std::string_view help, const auto& value_of) {
    metrics.begin(name, help);
    for (const CheckedProtection& checked : all) metrics.add(label(checked), value_of(checked));
  };
  metrics.begin("protected_files", "Protected files by their state.");
  for (const CheckedProtection& checked : all) {
    for (const FileKind kind :
         {FileKind::kWhole, FileKind::kDamaged, FileKind::kEdited, FileKind::kReplaced,
          FileKind::kMoved, FileKind::kMissing, FileKind::kUnreadable}) {
      if (!checked.has_read_files) continue;
      metrics.add(fmt::format("{},state=\"{}\"", label(checked), to_string(kind)),
                  std::to_string(count_files(checked.check, kind)));
    }
  }
  add_each("unprotected_files", "New files below protected directories.",
           [](const auto& checked) { return std::to_string(checked.unprotected.size()); });
  add_each("protection_links", "Symbolic links where protected files or directories were.",
           [](const auto& checked) { return std::to_string(checked.linked.size()); });
  add_each("protection_recoverable", "Whether no byte is known to be lost that was not edited.",
           [](const auto& checked) {
             return std::string(bytes_beyond_repair(checked.check, Loss::kLost) == 0 ? "1" : "0");
           });
  add_each("protection_bad_blocks", "Damaged blocks of redundancy.",
           [](const auto& checked) { return std::to_string(num_bad_blocks(checked.check)); });
  add_each("protection_may_be_lost", "Chunks of a row that may be lost.",
           [](const auto& checked) { return std::to_string(checked.protection.code.m); });
  add_each("protection_most_lost", "Chunks that are lost or given up in a row, at most.",
           [](const auto& checked) {
             return std::to_string(
                 std::max(checked.check.most_lost, most_given_up(checked.protection.manifest)));
           });
  add_each("protection_verified_bytes", "Bytes read by the last verify.",
           [](const auto& checked) { return std::to_string(checked.check.bytes_read); });
  add_each("protection_verify_seconds", "Time that the last verify took.",
           [](const auto& checked) { return fmt::format("{:.3f}", checked.seconds); });
  add_each("protection_verified_timestamp_seconds", "When the last verify ended, in Unix time.",
           [](const auto&) { return unix_time(); });
  return metrics.text();
}

}  // namespace xorloom::cli
