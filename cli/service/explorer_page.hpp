#pragma once

#include <optional>
#include <string>

#include "cli/service/http_message.hpp"

namespace xorloom::cli {

/// The explorer as the service answers with it (docs/explorer.md), with its content security
/// policy. `choice` is a file, "off", or "": the page that is installed beside this program.
/// Returns nullopt for "off", and if no page is installed.
///
/// Errors: throws kIo if the file cannot be read, kInvalidArgument if it is no page of the
///         explorer.
std::optional<HttpAnswer> explorer_page(const std::string& choice);

}  // namespace xorloom::cli
