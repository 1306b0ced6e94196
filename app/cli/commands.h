#pragma once

#include <span>
#include <string>

namespace altiscope::cli {

/// One function per subcommand, each in a file of its own. `arguments` are the words behind the subcommand; options that
/// all commands share were taken out before, see common_options.h.
/// @return The exit status of product.md section 3.
int runInfo(std::span<const std::string> arguments);
int runQuery(std::span<const std::string> arguments);
int runCache(std::span<const std::string> arguments);
int runGenerate(std::span<const std::string> arguments);

} // namespace altiscope::cli
