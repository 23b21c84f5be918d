#include "cli/pages/durability_page.hpp"

#include <fmt/format.h>

#include "cli/document/figures.hpp"
#include "cli/shell/code_title.hpp"
#include "cli/shell/short_number.hpp"
#include "codes/text/counted.hpp"
#include "codes/text/error.hpp"
#include "codes/text/json.hpp"
#include "codes/tolerance.hpp"
#include "equations/models/durability.hpp"
#include "equations/models/lost_sets.hpp"

namespace xorloom::cli {
namespace {

/// A result by the paper's approximate formula, and the exact result.
struct Pair {
  double formula = 0;
  double exact = 0;
};

struct Durability {
  DiskGroup group;
  FullRead read;
  std::optional<double> reads;  ///< bytes read per byte rebuilt; set only with --rate
  Pair hours;
  Pair unreadable_hours;  ///< with unreadable bits
  Pair clean_read;
  std::optional<BadBatch> batch;
};

double checked_mean_reads(const Code& code) {
  if (code.promised_losses == 0) {
    fail(Status::kInvalidArgument,
         fmt::format("--rate plans repairs of 1 lost location, and {} promises to survive 0",
                     code.name()));
  }
  return mean_repair_reads(code, /*whole_chunks=*/false);
}

Durability durability_of(const Code& code, const DurabilityOptions& options) {
  Durability result;
  result.group.locations = code.locations;
  result.group.losses = code.promised_losses;
  // After `promised_losses` losses, each bit that is unreadable on another disk is lost.
  result.read.disks = code.locations - code.promised_losses;
  if (options.mttf) result.group.mttf_hours = *options.mttf;
  if (options.mttr) result.group.mttr_hours = *options.mttr;
  if (options.disk_bytes) result.read.disk_bytes = *options.disk_bytes;
  if (options.error_rate) result.read.error_rate = *options.error_rate;
  if (options.rate) {
    result.reads = checked_mean_reads(code);
    result.group.mttr_hours =
        *result.reads * result.read.disk_bytes / *options.rate / kSecondsOfHour;
  }
  if (options.latent) result.read.latent = {*options.latent, *options.scrub};
  result.hours = {approximate_hours_to_loss(result.group), hours_to_loss(result.group)};
  FullRead of_disk = result.read;
  of_disk.disks = 1;
  result.group.unreadable = 1 - clean_read_chance(of_disk);
  result.unreadable_hours = {approximate_hours_to_loss(result.group), hours_to_loss(result.group)};
  if (options.batch_mttf) {
    result.batch = BadBatch{options.batch.value_or(code.locations), *options.batch_mttf};
  }
  result.clean_read = {approximate_clean_read_chance(result.read), clean_read_chance(result.read)};
  return result;
}

/// Applies `function` to both numbers.
template <typename Function>
Pair each(const Pair& pair, const Function& function) {
  return {function(pair.formula), function(pair.exact)};
}

double years(double hours) { return hours / kHoursOfYear; }

Json json_of(const Pair& pair) { return {{"formula", pair.formula}, {"exact", pair.exact}}; }

Json data_of(const Code& code, const Durability& d) {
  Json json{{"format", "xorloom-model-durability"},
            {"version", 1},
            {"code", code.spec},
            {"locations", d.group.locations},
            {"losses", d.group.losses},
            {"mttf_hours", d.group.mttf_hours},
            {"mttr_hours", d.group.mttr_hours}};
  if (d.reads) json["bytes_read_per_byte_rebuilt"] = *d.reads;
  json["hours_to_loss"] = json_of(d.hours);
  json["years_to_loss"] = json_of(each(d.hours, years));
  json["loss_in_a_year"] = json_of(each(d.hours, loss_in_a_year));
  json["nines"] = json_of(each(d.hours, nines_of_durability));
  json["unreadable_disk"] = d.group.unreadable;
  json["hours_to_loss_with_unreadable"] = json_of(d.unreadable_hours);
  json["nines_with_unreadable"] = json_of(each(d.unreadable_hours, nines_of_durability));
  json["disks_read"] = d.read.disks;
  json["disk_bytes"] = d.read.disk_bytes;
  json["error_rate"] = d.read.error_rate;
  json["clean_read"] = json_of(d.clean_read);
  if (d.read.latent.mean_hours > 0) {
    json["latent"] = {{"mean_hours", d.read.latent.mean_hours},
                      {"scrub_hours", d.read.latent.scrub_hours},
                      {"disks_with_errors", latent_error_chance(d.read.latent)}};
  }
  if (d.batch) {
    json["batch"] = {
        {"disks", d.batch->disks},
        {"mttf_hours", d.batch->mttf_hours},
        {"recovery",
         {{"formula", approximate_recovery_chance(d.group, *d.batch)},
          {"exact", recovery_chance(d.group, *d.batch)}}},
        {"survival", {{"formula", nullptr}, {"exact", batch_survival_chance(d.group, *d.batch)}}}};
  }
  return json;
}

std::string in_hours(const Json& hours) { return fmt::format("{:.6g} hours", hours.real()); }

Facts facts(const Code& code, const Json& data) {
  const Show survives = [](const Json& model) {
    return fmt::format("{}, data survive any {}", model["locations"].whole(),
                       losses_text(model["losses"].whole()));
  };
  const Show reads = [](const Json& value) {
    return to_two_decimals(value) + " bytes read per byte rebuilt";
  };
  const Show disks_read = [](const Json& model) {
    return fmt::format("{} of {:.6g} bytes, error rate {:.6g} per bit",
                       counted(model["disks_read"].whole(), "disk"), model["disk_bytes"].real(),
                       model["error_rate"].real());
  };
  const Show latent = [](const Json& errors) {
    return fmt::format("an error of a disk after {:.6g} hours, scrubs every {:.6g} hours",
                       errors["mean_hours"].real(), errors["scrub_hours"].real());
  };
  const Show batch = [](const Json& bad) {
    return fmt::format("{} of a bad batch, MTTF {:.6g} hours",
                       counted(bad["disks"].whole(), "disk"), bad["mttf_hours"].real());
  };
  const Show name = [&](const Json&) { return short_spec(code); };
  return facts_of(data, {{"code", "code", name},
                         {"disks", "", survives},
                         {"MTTF", "mttf_hours", in_hours},
                         {"MTTR", "mttr_hours", in_hours},
                         {"", "bytes_read_per_byte_rebuilt", reads},
                         {"read", "", disks_read},
                         {"latent", "latent", latent},
                         {"batch", "batch", batch}});
}

std::string in_two_decimals_of_percent(const Json& share) {
  return fmt::format("{:.2f}", 100 * share.real());
}

/// Table of the results by the paper's formula and the exact results.
Table comparison(const Json& data) {
  constexpr std::size_t kLabel = 44;
  constexpr std::size_t kValue = 10;
  Table table{{{"", {"formula", "exact"}}}, {{"", {}}}, "", kLabel, kValue};
  std::vector<Figure> rows{
      {"mean time to data loss, hours", "hours_to_loss", in_powers},
      {"mean time to data loss, years", "years_to_loss", in_powers},
      {"probability of data loss within a year", "loss_in_a_year", in_powers},
      {"nines of durability per year", "nines", to_two_decimals},
      {"chance that every bit read is readable, %", "clean_read", in_two_decimals_of_percent},
      {"mean time with unreadable bits, hours", "hours_to_loss_with_unreadable", in_powers},
      {"nines with unreadable bits", "nines_with_unreadable", to_two_decimals}};
  if (data.contains("batch")) {
    rows.push_back(
        {"recovery from a failure in the batch, %", "batch.recovery", in_two_decimals_of_percent});
    rows.push_back({"data outlive the batch, %", "batch.survival", in_two_decimals_of_percent});
  }
  for (const Figure& row : rows) {
    const std::vector<FigureGroup> columns{
        {"", {{"formula", "formula", row.show}, {"exact", "exact", row.show}}}};
    table.blocks.back().rows.push_back(record_row(value_at(data, row.path), row.name, columns));
  }
  return table;
}

}  // namespace

Document durability_document(const Code& code, const DurabilityOptions& options) {
  Document document{fmt::format("How long data last: {}", code.name()),
                    data_of(code, durability_of(code, options))};
  document.add(facts(code, document.data));
  document.add(comparison(document.data));
  return document;
}

}  // namespace xorloom::cli
