#include "cli/pages/protected_base.hpp"

#include <fmt/format.h>
#include <sys/stat.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>

#include "codes/text/error.hpp"
#include "runtime/files/open_file.hpp"
#include "runtime/protection/file_changes.hpp"

namespace xorloom::cli {
namespace fs = std::filesystem;

namespace {

/// If there may be many directories, one of this number of files is looked for in each.
std::size_t step_between(const std::vector<ProtectedFile>& files) {
  constexpr std::size_t kMostLookedFor = 64;
  return files.size() / kMostLookedFor + 1;
}

std::size_t num_looked_for(const std::vector<ProtectedFile>& files) {
  return (files.size() + step_between(files) - 1) / step_between(files);
}

/// Whether something has the name of a protected file, and the file's size and time.
struct NameThere {
  bool is_there = false;
  bool has_size = false;
  bool has_time = false;
};
NameThere look_for(const ProtectedFile& file, const fs::path& base) {
  struct stat status {};
  if (::lstat((base / file.name).c_str(), &status) != 0) return {};
  return {true, static_cast<std::uint64_t>(status.st_size) == file.bytes,
          is_same_time(time_of(file), time_of(status))};
}

/// Numbers of sampled files that a directory has: with their size and time, and at all.
using Fit = std::pair<std::size_t, std::size_t>;
Fit fit_of(const fs::path& base, const std::vector<ProtectedFile>& files) {
  Fit fit;
  for (std::size_t file = 0; file < files.size(); file += step_between(files)) {
    const NameThere found = look_for(files[file], base);
    fit.first += found.has_size && found.has_time ? 1 : 0;
    fit.second += found.is_there ? 1 : 0;
  }
  return fit;
}

}  // namespace

std::optional<fs::path> own_base(const Protection& protection) {
  const ProtectionPart& part = protection.parts.front();
  if (part.header.part == 0) return directory_of(part.path);
  for (const PlaceOfPart& place : protection.places) {
    if (place.header.part == 0) return directory_of(place.path);
  }
  return std::nullopt;
}

fs::path base_of(const BasePlaces& places, const Protection& protection) {
  if (!places.given.empty()) return places.given;
  const std::vector<ProtectedFile>& files = protection.manifest.files;
  std::optional<fs::path> base = own_base(protection);
  const auto is_like = [&](const ProtectedFile& file) {
    if (file.bytes <= protection.block_bytes()) return false;
    const NameThere found = look_for(file, *base);
    return found.has_size && found.has_time;
  };
  if (!base || (!places.named.empty() && std::ranges::none_of(files, is_like))) {
    Fit best;
    if (base) best = fit_of(*base, files);
    const auto take_best = [&](const std::vector<std::string>& others, std::size_t least) {
      const bool is_any_there = best.second != 0;
      for (const std::string& other : others) {
        const Fit fit = fit_of(other, files);
        const bool is_better = is_any_there ? fit.first > best.first : fit > best;
        if (!is_better || fit.second < least) continue;
        best = fit;
        base = other;
      }
    };
    take_best(places.named, 1);
    if (best.first == 0) take_best(places.likely, (num_looked_for(files) + 1) / 2);
  }
  if (base) return *base;
  const ProtectionPart& part = protection.parts.front();
  fail(Status::kInvalidArgument,
       fmt::format(
           "{} is file {} of {}, and names are relative to the directory of file 1: say with "
           "--base which one that is",
           part.path.string(), part.header.part + 1, part.header.parts));
}

std::vector<fs::path> doubles_of(const BasePlaces& places, const Protection& protection,
                                 const fs::path& base) {
  std::vector<fs::path> doubles;
  for (const std::string& other : places.named) {
    if (is_same_directory(other, base)) continue;
    if (fit_of(other, protection.manifest.files).first != 0) doubles.emplace_back(other);
  }
  return doubles;
}

}  // namespace xorloom::cli
