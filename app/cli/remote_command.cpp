#include "app/cli/command_line.h"
#include "app/cli/commands.h"
#include "app/cli/output.h"
#include "core/base/text/printable_text.h"
#include "core/base/text/text.h"
#include "core/base/values/clock_time.h"
#include "core/remote/host_packs.h"
#include "core/remote/host_program.h"

namespace altiscope::cli {

namespace {

std::string lastUseOf(const remote::HostEntry& entry) {
    // Seconds that no clock shows would overflow.
    static constexpr std::int64_t kMaxSeconds = 9'000'000'000;
    constexpr std::int64_t kNsPerSecond = 1'000'000'000;
    return entry.lastUse < 0 || entry.lastUse > kMaxSeconds ? std::string("-") : utcText(entry.lastUse * kNsPerSecond);
}

std::string listText(const std::string& host, const remote::HostCache& cache) {
    std::string text;
    std::uint64_t bytes = 0;
    for (const remote::HostEntry& entry : cache.entries) {
        const std::string size = std::to_string(entry.bytes);
        text += std::string(size.size() < 14 ? 14 - size.size() : 0, ' ') + size + "  " + lastUseOf(entry) + "  " +
                entry.kind + (entry.kind == "pack" ? "     " : "  ") + entry.name +
                (entry.content.empty() ? "" : "  " + printableText(entry.content)) + "\n";
        bytes += entry.bytes;
    }
    return text + std::to_string(cache.entries.size()) + (cache.entries.size() == 1 ? " entry, " : " entries, ") +
           std::to_string(bytes) + " bytes in " + printableText(cache.folder) + " on " + printableText(host) + "\n";
}

std::string listJson(const std::string& host, const remote::HostCache& cache) {
    std::string list;
    std::uint64_t bytes = 0;
    for (const remote::HostEntry& entry : cache.entries) {
        list += (list.empty() ? "" : ",") + ("{\"kind\":" + jsonQuoted(entry.kind)) +
                ",\"name\":" + jsonQuoted(entry.name) + ",\"content\":" + jsonQuoted(entry.content) +
                ",\"bytes\":" + std::to_string(entry.bytes) + ",\"last_use\":" + jsonQuoted(lastUseOf(entry)) + "}";
        bytes += entry.bytes;
    }
    return "{\"host\":" + jsonQuoted(host) + ",\"folder\":" + jsonQuoted(cache.folder) +
           ",\"bytes\":" + std::to_string(bytes) + ",\"entries\":[" + list + "]}\n";
}

}  // namespace

std::string_view remoteHelp() {
    return "usage: altiscope-cli remote list|remove HOST [--json]\n"
           "       altiscope-cli remote formats\n"
           "\n"
           "Every command that opens a capture takes HOST:PATH (or ssh://[user@]host[:port]/PATH) in its place: "
           "the capture is packed on\n"
           "that host by altiscope-cli, at the lowest priority and on half of its cores, into ~/.cache/altiscope "
           "there, "
           "and the pack is\n"
           "fetched. Where altiscope-cli is missing, it is put there first. Nothing is put or run without a yes, on "
           "the "
           "terminal or by --yes;\n"
           "without one, or where nothing can be run, the files themselves can be fetched. --ranks LIST (0,2,4-7) "
           "chooses ranks. The\n"
           "capture's folder stays as it is. HOST is what the user's own ssh knows; a file here that is called so "
           "comes "
           "first. What was\n"
           "fetched is kept beside the import cache, in a folder that ends with \"-remote\".\n"
           "  list     what was put on a host: programs and packs, last used first\n"
           "  remove   removes it, also what is being made\n"
           "  formats  the versions of packs that this program makes; how hosts are compared\n";
}

int runRemote(std::span<const std::string> arguments, CommandContext& context) {
    const CommandArguments words = readArguments(arguments);
    if (!words.problem.empty()) return reportWrongUsage("remote", words.problem);
    if (words.words.size() == 1 && words.words[0] == "formats") {
        context.out.write(remote::formatsLine() + "\n");
        return kOk;
    }
    if (words.words.size() != 2 || (words.words[0] != "list" && words.words[0] != "remove"))
        return reportWrongUsage("remote", "remote takes list or remove, and a host.");
    const std::string& host = words.words[1];
    const auto target = capture::parseTarget(host);
    if (!target || target->isLocal || !target->runtime.empty())
        return reportWrongUsage("remote", "\"" + host + "\" is no host: [user@]host[:port] is expected.");
    const auto shell = capture::RemoteShell::open(*target, [&context] { return context.cancel.cancelled(); });
    if (shell.cancelled()) return kCancelled;
    if (shell.failed()) return reportError(shell.error());
    const auto cache = remote::listHostCache(shell.value());
    if (cache.cancelled()) return kCancelled;
    if (cache.failed()) return reportError(cache.error());
    if (words.words[0] == "list") {
        context.out.write(context.options.json ? listJson(host, cache.value()) : listText(host, cache.value()));
        return kOk;
    }
    const auto removed = remote::removeFromHost(shell.value(), cache.value(), cache.value().entries);
    if (removed.cancelled()) return kCancelled;
    if (removed.failed()) return reportError(removed.error());
    if (context.options.json) {
        context.out.write("{\"host\":" + jsonQuoted(host) + ",\"folder\":" + jsonQuoted(cache.value().folder) +
                          ",\"removed\":" + std::to_string(removed.value()) + "}\n");
    } else {
        context.out.write("Removed " + std::to_string(removed.value()) +
                          (removed.value() == 1 ? " entry from " : " entries from ") +
                          printableText(cache.value().folder) + " on " + printableText(host) + "\n");
    }
    return kOk;
}

}  // namespace altiscope::cli
