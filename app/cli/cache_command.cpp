#include "app/cli/command_line.h"
#include "app/cli/commands.h"
#include "app/cli/output.h"
#include "core/session/cache_view.h"

namespace altiscope::cli {

std::string_view cacheHelp() {
    return "usage: altiscope-cli cache list|clear [--cache-dir DIR] [--json]\n"
           "\n"
           "list prints the sealed stores that were kept so that captures open faster the second time, last used "
           "first; clear\n"
           "removes them. The folder is $XDG_CACHE_HOME/altiscope (or ~/.cache/altiscope) unless --cache-dir names "
           "another.\n";
}

int runCache(std::span<const std::string> arguments, CommandContext& context) {
    const CommandArguments words = readArguments(arguments);
    if (!words.problem.empty()) return reportWrongUsage("cache", words.problem);
    if (words.words.size() != 1 || (words.words[0] != "list" && words.words[0] != "clear"))
        return reportWrongUsage("cache", "cache takes one word, list or clear.");
    const bool clears = words.words[0] == "clear";
    const CacheView cache(cacheFolder(context.options.cacheDir));
    if (!clears) {
        context.out.write(context.options.json ? cache.listJson() : cache.listText());
    } else {
        context.out.write(context.options.json ? cache.clearJson(context.cancel) : cache.clearText(context.cancel));
    }
    return clears && context.cancel.cancelled() ? kCancelled : kOk;
}

}  // namespace altiscope::cli
