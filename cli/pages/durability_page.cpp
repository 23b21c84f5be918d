#include "cli/pages/durability_page.hpp"

#include <fmt/format.h>

#include "cli/shell/help.hpp"
#include "cli/shell/short_number.hpp"
#include "codes/text/error.hpp"
#include "codes/text/json.hpp"
#include "codes/tolerance.hpp"
#include "equations/models/durability.hpp"
#include "equations/models/lost_sets.hpp"

namespace xorloom::cli {
namespace {

/// A number by the formula of the paper, and the exact one.
struct Pair {
  double formula = 0;
  double exact = 0;
};

struct Durability {
  DiskGroup group;
  FullRead read;
  std::optional<double> reads;  ///< bytes read per byte rebuilt, where MTTR follows from them
  Pair hours;
  Pair clean_read;
};

double checked_mean_reads(const Code& code) {
  if (code.promised_losses == 0) {
    fail(Status::kInvalidArgument,
         fmt::format("--rate plans repairs of 1 lost location, and {} promises to survive 0",
                     code.name()));
  }
  return mean_repair_reads(code);
}

Durability durability_of(const Code& code, const DurabilityOptions& options) {
  Durability result;
  result.group.locations = code.locations;
  result.group.losses = code.promised_losses;
  // Once that many are lost, whatever cannot be read of the others is lost.
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
  result.hours = {approximate_hours_to_loss(result.group), hours_to_loss(result.group)};
  result.clean_read = {approximate_clean_read_chance(result.read), clean_read_chance(result.read)};
  return result;
}

/// A function of both.
template <typename Function>
Pair each(const Pair& pair, const Function& function) {
  return {function(pair.formula), function(pair.exact)};
}

double years(double hours) { return hours / kHoursOfYear; }

Json json_of(const Pair& pair) { return {{"formula", pair.formula}, {"exact", pair.exact}}; }

std::string json_page(const Code& code, const Durability& d) {
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
  json["disks_read"] = d.read.disks;
  json["disk_bytes"] = d.read.disk_bytes;
  json["error_rate"] = d.read.error_rate;
  json["clean_read"] = json_of(d.clean_read);
  return json.dump(2) + "\n";
}

std::string row(const std::string& label, const Pair& pair) {
  return fmt::format("{:<44}{:>12.2e}{:>12.2e}\n", label, pair.formula, pair.exact);
}

/// The same with two digits after the point.
std::string fixed_row(const std::string& label, const Pair& pair) {
  return fmt::format("{:<44}{:>12.2f}{:>12.2f}\n", label, pair.formula, pair.exact);
}

std::string table_page(const Code& code, const Durability& d) {
  std::string text = fmt::format("code    {}\n", wrapped(code.spec, 8));
  text += fmt::format("disks   {}, data survive any {}\n", d.group.locations,
                      losses_text(d.group.losses));
  text += fmt::format("MTTF    {:.6g} hours\n", d.group.mttf_hours);
  text += fmt::format("MTTR    {:.6g} hours\n", d.group.mttr_hours);
  if (d.reads) text += fmt::format("        {:.2f} bytes read per byte rebuilt\n", *d.reads);
  text += fmt::format("read    {} disks of {:.6g} bytes, error rate {:.6g} per bit\n\n",
                      d.read.disks, d.read.disk_bytes, d.read.error_rate);
  text += fmt::format("{:<44}{:>12}{:>12}\n", "", "formula", "exact");
  text += row("mean time to data loss, hours", d.hours);
  text += row("mean time to data loss, years", each(d.hours, years));
  text += row("probability of data loss within a year", each(d.hours, loss_in_a_year));
  text += fixed_row("nines of durability per year", each(d.hours, nines_of_durability));
  text += fixed_row("chance that every bit read is readable, %",
                    each(d.clean_read, [](double chance) { return 100 * chance; }));
  return text;
}

}  // namespace

std::string durability_page(const Code& code, const DurabilityOptions& options,
                            const std::string& format) {
  const Durability durability = durability_of(code, options);
  return format == "json" ? json_page(code, durability) : table_page(code, durability);
}

}  // namespace xorloom::cli
