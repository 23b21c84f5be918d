#include "tests/cli/change_scene.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <filesystem>
#include <stdexcept>

namespace xorloom::test {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kDirectories = 7;
constexpr std::size_t kMayBeLost = 4;  // losses that the default code survives

void must(const Outcome& outcome) {
  if (outcome.status != 0) throw std::runtime_error(outcome.err);
}

}  // namespace

ChangeScene::ChangeScene(Command command, Layout layout, std::size_t file_bytes)
    : command_(command), layout_(layout), old_(random_bytes(file_bytes, 2)), new_(old_) {
  const std::string bytes = random_bytes(file_bytes / 2 + 1, 3);
  offset_ = file_bytes / 4;
  switch (command) {
    case Command::kPatch:
    case Command::kRepair:
      new_.replace(offset_, bytes.size(), bytes);
      break;
    case Command::kAppend:
      new_ += bytes;
      break;
    case Command::kTruncate:
      new_.resize(offset_);
      break;
    case Command::kConvertToMore:
    case Command::kConvertToFewer:
      break;
  }
  write_file(input_, bytes);
  write_file(folder_ / "old", old_);
  fs::create_directory(folder_ / "set");
  must(xorloom({"encode", folder_ / "old", "-o", folder_ / "set/0"}));
  std::vector<std::string> shards = folder_.names("set/0");
  for (std::size_t i = 0; i < kDirectories; ++i) {
    fs::create_directories(folder_ / fmt::format("set/{}", i));
    directories_.push_back(folder_ / fmt::format("d/{}", i));
    if (layout != Layout::kSpread) break;
  }
  for (std::size_t i = 0; i < shards.size(); ++i) {
    const std::string from = folder_ / ("set/0/" + shards[i]);
    const std::string to =
        fmt::format("{}/set/{}/{}", folder_.path().string(), i % directories_.size(), shards[i]);
    const bool is_lost = layout == Layout::kMissing && i % 3 == 0 && i / 3 < kMayBeLost;
    if (is_lost) fs::remove(from);
    if (!is_lost && from != to) fs::rename(from, to);
  }
  if (command == Command::kRepair) {
    // The shards of one directory, or the first ones, are away while the others are patched.
    prepare();
    const std::string away = folder_ / "away";
    fs::create_directory(away);
    const std::string first = directories_.front();
    std::size_t left = layout == Layout::kMissing ? 0 : layout == Layout::kSpread ? 2 : kMayBeLost;
    for (const std::string& name : folder_.names("d/0")) {
      if (left == 0) break;
      fs::rename(first + "/" + name, away + "/" + name);
      --left;
    }
    must(xorloom(with({"patch", "--at", std::to_string(offset_), input_}, directories_)));
    for (const fs::directory_entry& entry : fs::directory_iterator(away)) {
      fs::rename(entry.path(), first / entry.path().filename());
    }
    fs::remove_all(folder_ / "set");
    fs::copy(folder_ / "d", folder_ / "set", fs::copy_options::recursive);
    old_ = new_;
  }
  prepare();
}

void ChangeScene::prepare() {
  fs::remove_all(folder_ / "d");
  fs::copy(folder_ / "set", folder_ / "d", fs::copy_options::recursive);
  settled_.clear();
}

std::vector<std::string> ChangeScene::with(std::vector<std::string> command,
                                           const std::vector<std::string>& directories) const {
  command.insert(command.begin() + 1, directories.begin(), directories.end());
  return command;
}

std::vector<std::string> ChangeScene::arguments() const {
  switch (command_) {
    case Command::kPatch:
      return with({"patch", "--at", std::to_string(offset_), input_, "--threads", "1"},
                  directories_);
    case Command::kAppend:
      return with({"append", input_, "--threads", "1"}, directories_);
    case Command::kTruncate:
      return with({"truncate", "--length", std::to_string(new_.size())}, directories_);
    case Command::kConvertToMore:
      return with({"convert", "--code", "cauchy-good:10,6", "--threads", "1"}, directories_);
    case Command::kConvertToFewer:
      return with({"convert", "--code", "cauchy-good:10,2", "--threads", "1"}, directories_);
    case Command::kRepair:
      break;
  }
  return with({"repair", "--threads", "1"}, directories_);
}

bool ChangeScene::converts() const {
  return command_ == Command::kConvertToMore || command_ == Command::kConvertToFewer;
}

bool ChangeScene::is_committed() const {
  return std::ranges::any_of(directories_, [](const std::string& directory) {
    std::error_code none;
    for (const fs::directory_entry& entry : fs::directory_iterator(directory, none)) {
      const std::string name = entry.path().filename().string();
      if (name[0] != '.' && name.ends_with(".journal")) return true;
    }
    return false;
  });
}

std::string ChangeScene::phase() const {
  std::size_t hidden = 0;
  std::size_t named = 0;
  for (const fs::directory_entry& entry : fs::recursive_directory_iterator(folder_ / "d")) {
    const std::string name = entry.path().filename().string();
    if (name.find(".journal") == std::string::npos) continue;
    ++(name[0] == '.' ? hidden : named);
  }
  if (hidden != 0) return named != 0 ? "names being given" : "hidden journals";
  return named != 0 ? "journals" : "no journals";
}

std::string ChangeScene::decoded(const std::vector<std::string>& directories) const {
  const Outcome outcome = xorloom(with({"decode", "-o", back_}, directories));
  return outcome.status == 0 ? read_file(back_) : "nothing: " + outcome.err;
}

bool ChangeScene::is_one_of(const std::string& content) const {
  if (!settled_.empty()) return content == settled_;
  return content == old_ || content == new_;
}

/// Takes as many directories away as may be lost, checks the others, perhaps repairs them, and
/// brings the directories back.
std::string ChangeScene::flaw_without_some(std::mt19937& random) {
  std::vector<std::string> left = directories_;
  std::ranges::shuffle(left, random);
  const bool is_one = command_ == Command::kRepair || command_ == Command::kConvertToFewer;
  const std::size_t most = is_one ? 1 : 2;
  const std::vector<std::string> gone(left.end() - static_cast<std::ptrdiff_t>(most), left.end());
  left.resize(left.size() - most);
  for (const std::string& directory : gone) fs::rename(directory, directory + "-gone");
  const std::string content = decoded(left);
  std::string flaw;
  if (!is_one_of(content)) flaw = "without some directories there is " + content.substr(0, 300);
  if (flaw.empty() && random() % 2 == 0) {
    const Outcome outcome = xorloom(with({"repair"}, left));
    if (outcome.status != 0) flaw = "then repair fails: " + outcome.err;
    settled_ = content;
    if (flaw.empty() && decoded(left) != content) flaw = "repair has changed the file";
  }
  for (const std::string& directory : gone) fs::rename(directory + "-gone", directory);
  return flaw;
}

/// Takes as many shards away as both codes may lose, whatever their names, decodes, and brings the
/// shards back.
std::string ChangeScene::flaw_without_shards(std::mt19937& random) const {
  std::vector<std::string> shards;
  for (const std::string& directory : directories_) {
    for (const fs::directory_entry& entry : fs::directory_iterator(directory)) {
      const std::string name = entry.path().filename().string();
      if (name.find(".shard") != std::string::npos) shards.push_back(entry.path().string());
    }
  }
  std::ranges::shuffle(shards, random);
  shards.resize(command_ == Command::kConvertToFewer ? 2 : kMayBeLost);
  const fs::path away = fs::path(folder_ / "lost");
  fs::create_directory(away);
  for (std::size_t i = 0; i < shards.size(); ++i) fs::rename(shards[i], away / std::to_string(i));
  const std::string content = decoded(directories_);
  for (std::size_t i = 0; i < shards.size(); ++i) fs::rename(away / std::to_string(i), shards[i]);
  return is_one_of(content) ? "" : "without some shards there is " + content.substr(0, 300);
}

std::string ChangeScene::flaw(std::mt19937& random) {
  if (converts() && layout_ != Layout::kMissing) {
    if (std::string flaw = flaw_without_shards(random); !flaw.empty()) return flaw;
  }
  if (layout_ == Layout::kSpread) {
    if (std::string flaw = flaw_without_some(random); !flaw.empty()) return flaw;
  }
  const std::string content = decoded(directories_);
  if (!is_one_of(content)) return "there is " + content.substr(0, 300);
  settled_ = content;
  // The same command, run again, does its work. Not tried for append, which would add twice.
  const bool again = command_ != Command::kAppend && random() % 2 == 0;
  if (again) {
    const Outcome outcome = xorloom(arguments());
    if (outcome.status != 0) return "the same command fails: " + outcome.err;
    settled_ = new_;
  }
  const Outcome repaired = xorloom(with({"repair"}, directories_));
  if (repaired.status != 0) return "in the end repair fails: " + repaired.err;
  const Outcome verified = xorloom(with({"verify"}, directories_));
  if (verified.status != 0) return "in the end verify says: " + verified.out + verified.err;
  if (!is_one_of(decoded(directories_))) return "in the end the file is another";
  for (const fs::directory_entry& entry : fs::recursive_directory_iterator(folder_ / "d")) {
    const std::string name = entry.path().filename().string();
    if (!entry.is_directory() && (name[0] == '.' || !name.ends_with(".shard"))) {
      return "in the end there is " + entry.path().string();
    }
  }
  return "";
}

}  // namespace xorloom::test
