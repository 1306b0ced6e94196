#include "app/cli/command_context.h"

#include "app/cli/commands.h"
#include "core/base/text/catalogue.h"
#include "core/base/text/printable_text.h"

#include <cstdio>

namespace altiscope::cli {

void printMessage(std::string_view text) {
    // Names of files may hold anything, also what a terminal obeys.
    std::fprintf(stderr, "altiscope-cli: %s\n", printableText(text).c_str());
}

int reportError(const Error& error) {
    printMessage(errorText(error, "en"));
    return kFailed;
}

int reportWrongUsage(std::string_view command, std::string_view sentence) {
    printMessage(sentence);
    const Subcommand* known = findCommand(command);
    const std::string_view help = known == nullptr ? std::string_view() : known->help();
    const std::string_view usage = help.empty() ? std::string_view("usage: altiscope-cli [OPTIONS] COMMAND ...")
                                                : help.substr(0, help.find("\n\n"));
    std::fprintf(stderr, "%.*s\n", static_cast<int>(usage.size()), usage.data());
    std::fprintf(stderr, "See altiscope-cli --help.\n");
    return kWrongUsage;
}

}  // namespace altiscope::cli
