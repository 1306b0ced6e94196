#include "app/cli/commands.h"
#include "app/cli/output.h"
#include "core/session/cache_folder.h"

namespace altiscope::cli {

std::string_view cacheHelp() {
    return "usage: altiscope-cli cache list|clear [--cache-dir DIR] [--json]\n"
           "\n"
           "list prints the sealed stores that were kept so that captures open faster the second time, last used first; clear\n"
           "removes them. The folder is $XDG_CACHE_HOME/altiscope (or ~/.cache/altiscope) unless --cache-dir names another.\n";
}

int runCache(std::span<const std::string> arguments, CommandContext& context) {
    if (arguments.size() != 1 || (arguments[0] != "list" && arguments[0] != "clear")) {
        return reportWrongUsage("cache", "cache takes one word, list or clear.");
    }
    const CacheView cache(cacheFolder(context.options.cacheDir));
    if (arguments[0] == "list") {
        context.out.write(context.options.json ? cache.listJson() : cache.listText());
    } else {
        context.out.write(context.options.json ? cache.clearJson() : cache.clearText());
    }
    return kOk;
}

}  // namespace altiscope::cli
