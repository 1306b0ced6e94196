#include "app/cli/remote_words.h"

#include "app/cli/command_line.h"
#include "app/cli/progress_line.h"
#include "core/base/values/parse.h"
#include "core/remote/host_program.h"
#include "core/remote/open_remote.h"
#include "core/session/cache_view.h"

#include <cstdio>
#include <optional>
#include <utility>

#include <poll.h>
#include <unistd.h>

namespace altiscope::cli {

namespace {

constexpr std::string_view kRanks = "--ranks", kBase = "--base";

/// The places among the words of a command that a capture may stand at: with the part of the word that is in front.
struct CapturePlace {
    std::size_t index = 0;
    std::string_view before;  ///< "--base=", or nothing.
};

/// The words of a command, as far as they matter for captures on hosts.
struct WordPlaces {
    std::vector<CapturePlace> captures;
    std::optional<std::string> ranks;
    std::vector<std::size_t> rankWords;  ///< Places of the option.
};

WordPlaces placesIn(const std::vector<std::string>& words) {
    static constexpr std::string_view kBaseIs = "--base=", kRanksAre = "--ranks=";
    WordPlaces places;
    bool areOptionsOver = false;
    for (std::size_t i = 0; i < words.size(); ++i) {
        const std::string_view word = words[i];
        if (areOptionsOver || !word.starts_with('-')) {
            places.captures.push_back({i, {}});
        } else if (word == "--") {
            areOptionsOver = true;
        } else if (word.starts_with(kBaseIs)) {
            places.captures.push_back({i, kBaseIs});
        } else if (word.starts_with(kRanksAre)) {
            places.ranks = word.substr(kRanksAre.size());
            places.rankWords.push_back(i);
        } else if (isValueOption(word) && i + 1 < words.size()) {
            if (word == kBase) places.captures.push_back({i + 1, {}});
            if (word == kRanks) {
                places.ranks = words[i + 1];
                places.rankWords.insert(places.rankWords.end(), {i, i + 1});
            }
            ++i;
        }
    }
    return places;
}

/// One line of standard input; nothing once the program is to end.
std::string typedLine(const CancelToken& cancel) {
    std::string line;
    while (!cancel.cancelled()) {
        struct pollfd input {
            STDIN_FILENO, POLLIN, 0
        };
        if (::poll(&input, 1, 50) <= 0) continue;
        char c = 0;
        if (::read(STDIN_FILENO, &c, 1) != 1 || c == '\n') return line;
        line += c;
    }
    return {};
}

Result<std::string> fetched(const remote::RemotePlace& place, const std::optional<std::vector<std::int64_t>>& ranks,
                            bool onlyFiles, const CommandContext& context) {
    ProgressSlot progress;
    // From the first message on: what wipes its line would wipe prompts of ssh, too.
    std::optional<ProgressLine> line;
    const auto agrees = consentOnTerminal(context);
    const remote::RemoteRequest request{.place = place,
                                        .ranks = ranks,
                                        .onlyFiles = onlyFiles,
                                        .importCache = cacheFolder(context.options.cacheDir),
                                        .programFolders = remote::standardProgramFolders(),
                                        .agrees =
                                            [&](const remote::ConsentRequest& wanted) {
                                                line.reset();
                                                return agrees(wanted);
                                            },
                                        .onMessage =
                                            [&](const std::string& text) {
                                                line.reset();
                                                if (!context.options.quiet) printMessage(text);
                                                line.emplace(progress, context, percentText);
                                            }};
    auto opened = remote::openRemote(request, progress, context.cancel);
    line.reset();
    if (!opened.ok()) return opened.as<std::string>();
    return opened.value().string();
}

}  // namespace

std::function<bool(const remote::ConsentRequest&)> consentOnTerminal(const CommandContext& context) {
    return [&context](const remote::ConsentRequest& request) {
        printMessage(consentText(request));
        if (context.options.yes) return true;
        if (::isatty(STDIN_FILENO) != 1 || ::isatty(STDERR_FILENO) != 1) return false;
        std::fprintf(stderr, "Go on? [y/N] ");
        std::fflush(stderr);
        const std::string typed = typedLine(context.cancel);
        return typed == "y" || typed == "Y" || typed == "yes";
    };
}

int fetchRemoteWords(std::string_view command, RemoteUse use, std::vector<std::string>& words,
                     const CommandContext& context) {
    if (use == RemoteUse::None) return kOk;
    const WordPlaces places = placesIn(words);
    std::vector<std::pair<CapturePlace, remote::RemotePlace>> found;
    for (const CapturePlace& place : places.captures) {
        auto named = remote::remotePlaceOf(words[place.index].substr(place.before.size()));
        if (named.failed()) return reportError(named.error());
        if (named.ok() && named.value()) found.emplace_back(place, *named.value());
    }
    if (found.empty()) return kOk;
    std::optional<std::vector<std::int64_t>> ranks;
    if (places.ranks && (use == RemoteUse::ByRank || use == RemoteUse::OwnRanks)) {
        ranks = numbersOf(*places.ranks);
        if (!ranks || ranks->empty())
            return reportWrongUsage(command, "--ranks takes numbers as in 0,2,4-7, not \"" + *places.ranks + "\".");
    }
    for (const auto& [place, named] : found) {
        const bool onlyFiles = context.options.remoteFiles || use == RemoteUse::RawFiles;
        const auto opened = fetched(named, ranks, onlyFiles, context);
        if (opened.cancelled()) return kCancelled;
        if (opened.failed()) return reportError(opened.error());
        words[place.index] = std::string(place.before) + opened.value();
    }
    if (use != RemoteUse::ByRank) return kOk;
    for (std::size_t i = places.rankWords.size(); i-- > 0;)
        words.erase(words.begin() + static_cast<std::ptrdiff_t>(places.rankWords[i]));
    return kOk;
}

}  // namespace altiscope::cli
