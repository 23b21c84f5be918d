#include "cli/service/explorer_page.hpp"

#include <fmt/format.h>

#include <filesystem>
#include <memory>
#include <string_view>
#include <system_error>
#include <utility>

#include "codes/text/error.hpp"
#include "codes/text/text_file.hpp"

namespace xorloom::cli {
namespace {

constexpr std::size_t kMostPageBytes = std::size_t{8} << 20;

/// Text before the policy in the page. The policy allows the page's own script, and no request.
constexpr std::string_view kPolicyBegin = "<meta http-equiv=\"Content-Security-Policy\" content=\"";

/// The page of the package xorloom-web, for a program in PREFIX/bin; "" if it is not there.
std::string installed_page() {
  std::error_code unknown;
  const std::filesystem::path program = std::filesystem::read_symlink("/proc/self/exe", unknown);
  const std::filesystem::path page =
      program.parent_path().parent_path() / "share/xorloom/explorer.html";
  return std::filesystem::exists(page, unknown) ? page.string() : "";
}

}  // namespace

std::optional<HttpAnswer> explorer_page(const std::string& choice) {
  const std::string path = choice.empty() ? installed_page() : choice;
  if (path.empty() || path == "off") return std::nullopt;
  std::string text = read_text_file(path, kMostPageBytes);
  const std::size_t found = text.find(kPolicyBegin);
  const std::size_t begin = found + kPolicyBegin.size();
  const std::size_t end = found == std::string::npos ? found : text.find('"', begin);
  // A line break would end the field of the answer's head.
  if (end == std::string::npos || text.find_first_of("\r\n", begin) < end) {
    fail(Status::kInvalidArgument,
         fmt::format("--page = {} is no page of the explorer, which scripts/make-page makes",
                     excerpt(path)));
  }
  HttpAnswer answer;
  answer.type = "text/html; charset=utf-8";
  // Only a field of the head can forbid frames.
  answer.policy = text.substr(begin, end - begin) + "; frame-ancestors 'none'";
  answer.etag = etag_of(text);
  answer.body = std::make_shared<const std::string>(std::move(text));
  return answer;
}

}  // namespace xorloom::cli
