#include "app/cli/command_line.h"
#include "app/cli/commands.h"
#include "app/cli/output.h"
#include "core/base/text/printable_text.h"
#include "core/base/text/text.h"
#include "core/base/values/clock_time.h"
#include "core/remote/fetched_cache.h"
#include "core/session/cache_view.h"

#include <chrono>

namespace altiscope::cli {

namespace {

std::string fetchedAt(const remote::FetchedCache::Entry& entry) {
    return utcText(std::chrono::file_clock::to_sys(entry.lastUse));
}

/// Nothing where nothing was ever fetched.
std::string fetchedText(const remote::FetchedCache& cache) {
    std::string text;
    std::uint64_t bytes = 0;
    const auto entries = cache.entries();
    for (const auto& entry : entries) {
        const std::string size = std::to_string(entry.bytes);
        text += std::string(size.size() < 14 ? 14 - size.size() : 0, ' ') + size + "  " + fetchedAt(entry) + "  " +
                (entry.content.empty() ? "(fetched in part)" : printableText(entry.content)) + "\n";
        bytes += entry.bytes;
    }
    if (entries.empty()) return text;
    return text + std::to_string(entries.size()) + (entries.size() == 1 ? " entry, " : " entries, ") +
           std::to_string(bytes) + " bytes fetched from hosts in " + printableText(cache.folder().string()) + "\n";
}

std::string fetchedJson(const remote::FetchedCache& cache) {
    std::string list;
    std::uint64_t bytes = 0;
    for (const auto& entry : cache.entries()) {
        list += (list.empty() ? "" : ",") + ("{\"content\":" + jsonQuoted(entry.content)) +
                ",\"bytes\":" + std::to_string(entry.bytes) + ",\"last_use\":" + jsonQuoted(fetchedAt(entry)) +
                ",\"folder\":" + jsonQuoted(entry.path.string()) + "}";
        bytes += entry.bytes;
    }
    return "{\"folder\":" + jsonQuoted(cache.folder().string()) + ",\"bytes\":" + std::to_string(bytes) +
           ",\"entries\":[" + list + "]}";
}

std::string removedText(const remote::FetchedCache& cache, std::size_t removed) {
    if (removed == 0) return {};
    return "Removed " + std::to_string(removed) + (removed == 1 ? " entry from " : " entries from ") +
           printableText(cache.folder().string()) + "\n";
}

/// A JSON object, as CacheView writes it, with one more member.
std::string withFetched(std::string object, const std::string& value) {
    object.resize(object.rfind('}'));
    return object + ",\"fetched\":" + value + "}\n";
}

}  // namespace

std::string_view cacheHelp() {
    return "usage: altiscope-cli cache list|clear [--cache-dir DIR] [--json]\n"
           "\n"
           "list prints the sealed stores that were kept so that captures open faster the second time, last used "
           "first, and what\n"
           "was fetched from hosts; clear removes both, but for captures that another program has fetched and still "
           "uses.\n"
           "The folder is $XDG_CACHE_HOME/altiscope (or ~/.cache/altiscope) unless --cache-dir names "
           "another; what was\n"
           "fetched lies beside it, in one that ends with \"-remote\".\n";
}

int runCache(std::span<const std::string> arguments, CommandContext& context) {
    const CommandArguments words = readArguments(arguments);
    if (!words.problem.empty()) return reportWrongUsage("cache", words.problem);
    if (words.words.size() != 1 || (words.words[0] != "list" && words.words[0] != "clear"))
        return reportWrongUsage("cache", "cache takes one word, list or clear.");
    const bool clears = words.words[0] == "clear";
    const CacheView cache(cacheFolder(context.options.cacheDir));
    const remote::FetchedCache fetched(cacheFolder(context.options.cacheDir));
    if (!clears) {
        context.out.write(context.options.json ? withFetched(cache.listJson(), fetchedJson(fetched))
                                               : cache.listText() + fetchedText(fetched));
    } else {
        const std::string text =
            context.options.json ? cache.clearJson(context.cancel) : cache.clearText(context.cancel);
        const std::size_t removed = context.cancel.cancelled() ? 0 : fetched.clear();
        context.out.write(context.options.json ? withFetched(text, std::to_string(removed))
                                               : text + removedText(fetched, removed));
    }
    return clears && context.cancel.cancelled() ? kCancelled : kOk;
}

}  // namespace altiscope::cli
