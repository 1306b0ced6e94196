#include "core/capture/session/printed_steps.h"

#include "core/base/values/digits.h"
#include "core/base/values/parse.h"

#include <algorithm>
#include <utility>
#include <vector>

namespace altiscope::capture {

namespace {

constexpr std::string_view kDigits = "0123456789";
/// No job has so many; beyond it is no number of a step.
constexpr std::int64_t kMaxPrinted = 1'000'000'000'000;
/// More steps than any job lets pass between two lines.
constexpr std::int64_t kMaxGap = 1000;
constexpr std::size_t kMaxPrefix = 80;

bool isWordChar(char c) { return isAlnum(c) || c == '_'; }

/// In small letters, without what colours it on a terminal.
std::string plainLine(std::string_view line) {
    std::string plain;
    for (std::size_t i = 0; i < line.size(); ++i) {
        if (line[i] == '\x1b' && i + 1 < line.size() && line[i + 1] == '[') {
            i += 2;
            while (i < line.size() && !(line[i] >= '@' && line[i] <= '~')) ++i;
            continue;
        }
        plain += line[i] >= 'A' && line[i] <= 'Z' ? static_cast<char>(line[i] + ('a' - 'A')) : line[i];
    }
    return plain;
}

template <class Take>
void forEachLine(std::string_view text, const Take& take) {
    for (std::size_t at = 0; at < text.size();) {
        const std::size_t end = std::min(text.find('\n', at), text.size());
        if (end > at) take(text.substr(at, end - at));
        at = end + 1;
    }
}

/// The number that begins at `at`, which is moved behind it.
std::optional<std::int64_t> numberAt(std::string_view text, std::size_t& at) {
    const std::size_t end = std::min(text.find_first_not_of(kDigits, at), text.size());
    const auto number = wholeNumber(text.substr(at, end - at));
    at = end;
    return number && *number <= kMaxPrinted ? number : std::nullopt;
}

/// "/ 500" or "of 500" behind a number.
std::optional<std::int64_t> totalAt(std::string_view text, std::size_t at) {
    at = std::min(text.find_first_not_of(' ', at), text.size());
    if (at >= text.size() || text[at] != '/') return std::nullopt;
    at = std::min(text.find_first_not_of(' ', at + 1), text.size());
    return numberAt(text, at);
}

struct NamedNumber {
    std::int64_t number = 0;
    std::size_t begin = 0;  ///< Where its name begins.
    std::optional<std::int64_t> total;
};

/// The number behind a word: "step 7", "step: 7", "step=7", "step:[ 7/ 500]".
std::optional<NamedNumber> namedNumber(std::string_view line, std::string_view word) {
    for (std::size_t at = line.find(word); at != std::string_view::npos; at = line.find(word, at + 1)) {
        if (at > 0 && isWordChar(line[at - 1])) continue;
        const std::size_t first = line.find_first_not_of(" \t:=#[(", at + word.size());
        if (first == std::string_view::npos || first == at + word.size() || !isDigit(line[first])) continue;
        std::size_t end = first;
        const auto number = numberAt(line, end);
        // "step 1.5", "step 12ms" are no numbers of steps.
        const bool isCut = end < line.size() && (isWordChar(line[end]) ||
                                                 (line[end] == '.' && end + 1 < line.size() && isDigit(line[end + 1])));
        if (!number || isCut) continue;
        return NamedNumber{*number, at, totalAt(line, end)};
    }
    return std::nullopt;
}

/// " 7/500 [00:04<03:12": the number before the slash.
std::optional<NamedNumber> barNumber(std::string_view line) {
    const std::size_t bracket = line.find(" [");
    if (bracket == std::string_view::npos || line.find('|') == std::string_view::npos) return std::nullopt;
    const std::size_t blank = line.substr(0, bracket).rfind(' ');
    std::size_t at = blank == std::string_view::npos ? 0 : blank + 1;
    const std::size_t begin = at;
    if (at >= line.size() || !isDigit(line[at])) return std::nullopt;
    const auto number = numberAt(line, at);
    const auto total = totalAt(line, at);
    if (!number || !total) return std::nullopt;
    return NamedNumber{*number, begin, total};
}

/// Lines of the tools themselves, which are no progress of the job.
bool isOfTool(std::string_view line) {
    for (const std::string_view part : {"dynamic profil", "start_step", "start step", "stop_step", "profiler.py"}) {
        if (line.find(part) != std::string_view::npos) return true;
    }
    return false;
}

struct LineOfStep {
    std::string kind;  ///< Text before the number, without digits.
    std::int64_t step = 0;
    bool isUsable = true;
};

std::optional<LineOfStep> lineOfStep(std::string_view raw) {
    const std::string line = plainLine(raw);
    if (isOfTool(line)) return std::nullopt;
    std::optional<NamedNumber> found;
    for (const std::string_view word : {"iteration", "global_step", "global step", "step", "iter", "steps"}) {
        if ((found = namedNumber(line, word))) break;
    }
    if (!found) found = barNumber(line);
    if (!found) return std::nullopt;
    LineOfStep one;
    for (const char c : std::string_view(line).substr(0, std::min(found->begin, kMaxPrefix))) {
        if (!isDigit(c)) one.kind += c;
    }
    one.step = found->number;
    // Where each epoch begins with step 1 again: these count epochs from 1, others may count from 0.
    const auto epoch = namedNumber(line, "epoch");
    const bool isMindspore = line.find("epoch:") != std::string::npos && line.find("step:") != std::string::npos;
    if (epoch && epoch->number > 0 && line.find("iteration") == std::string::npos &&
        line.find("global") == std::string::npos) {
        one.isUsable = isMindspore && (epoch->number == 1 || found->total);
        if (one.isUsable && found->total) {
            const std::int64_t each = std::max<std::int64_t>(*found->total, 1);
            if (epoch->number - 1 > (kMaxPrinted - std::min(one.step, kMaxPrinted)) / each) return std::nullopt;
            one.step += (epoch->number - 1) * *found->total;
        }
    }
    return one;
}

/// Without "[rank3]: ", which torch puts before each line of a rank.
std::string_view withoutRank(std::string_view line) {
    if (!line.starts_with("[rank")) return line;
    const std::size_t end = line.find("]: ");
    return end == std::string_view::npos ? line : line.substr(end + 3);
}

/// "ValueError: ...", "torch.OutOfMemoryError: ...", "KeyboardInterrupt".
bool isReason(std::string_view line) {
    const std::string_view name = line.substr(0, line.find(':'));
    if (name.empty() || !std::all_of(name.begin(), name.end(), [](char c) { return isWordChar(c) || c == '.'; }))
        return false;
    for (const std::string_view end : {"Error", "Exception", "Interrupt", "Exit", "Failure"}) {
        if (name.ends_with(end)) return true;
    }
    return false;
}

constexpr std::string_view kStarts = "Start Dynamic Profiler at ", kTaken = "tart step will be set to ",
                           kPoll = "poll interval time change to ";

}  // namespace

std::optional<std::int64_t> numberAfter(std::string_view line, std::string_view before) {
    const std::size_t at = line.find(before);
    if (at == std::string_view::npos) return std::nullopt;
    std::size_t first = at + before.size();
    return first < line.size() && isDigit(line[first]) ? numberAt(line, first) : std::nullopt;
}

std::optional<PrintedStep> printedStep(std::string_view text) {
    struct Kind {
        std::vector<std::int64_t> steps;
        bool isUsable = true;
        std::size_t last = 0;
    };
    std::map<std::string, Kind> kinds;
    std::size_t count = 0;
    forEachLine(text, [&](std::string_view line) {
        auto one = lineOfStep(line.substr(0, 2000));
        if (!one) return;
        Kind& kind = kinds[std::move(one->kind)];
        kind.steps.push_back(one->step);
        kind.isUsable = one->isUsable;
        kind.last = ++count;
    });
    const Kind* best = nullptr;
    for (const auto& [name, kind] : kinds) {
        if (best == nullptr || std::pair(kind.steps.size(), kind.last) > std::pair(best->steps.size(), best->last))
            best = &kind;
    }
    if (best == nullptr || !best->isUsable) return std::nullopt;
    PrintedStep printed{best->steps.back(), 1};
    // Several ranks may print to one file: the one before is another's, and may be a step further.
    for (std::size_t i = best->steps.size(); i-- > 0;) {
        const std::int64_t before = best->steps[i];
        if (before == printed.step + 1) printed.step = before;
        if (before >= printed.step) continue;
        printed.gap = std::min(printed.step - before, kMaxGap);
        break;
    }
    return printed;
}

std::string_view refusalLine(std::string_view text) {
    std::string_view last;
    forEachLine(text, [&last](std::string_view line) {
        const std::string plain = plainLine(line.substr(0, 2000));
        const std::size_t what = std::min(plain.find("step"), plain.find("profil"));
        if (what == std::string::npos) return;
        for (const char* end : {"not effective", "not valid", "is over", "must be greater than step_num"}) {
            if (plain.find(end, what) != std::string::npos) last = line;
        }
    });
    return last;
}

std::string tracebackReason(std::string_view text) {
    std::string reason;
    bool isInside = false, isTraced = false;
    forEachLine(text, [&](std::string_view raw) {
        const std::string_view line = withoutRank(raw);
        if (line.starts_with("Traceback (most recent call last)")) {
            isInside = true;
            return;
        }
        if (line.empty() || line[0] == ' ' || line[0] == '\t') return;
        const bool is = isReason(line);
        // A launcher's own error only says that a rank had one; what an end of a longer traceback leaves counts less.
        const bool isLaunchers = line.find("ChildFailedError") != std::string_view::npos;
        if (is && !(isLaunchers && !reason.empty()) && (isInside || !isTraced)) {
            reason = std::string(line.substr(0, 500));
            isTraced = isInside;
        }
        if (isInside && !line.starts_with("The above exception") && !line.starts_with("During handling"))
            isInside = false;
    });
    return reason;
}

WatcherSays watcherSays(std::string_view log) {
    WatcherSays says;
    forEachLine(log, [&says](std::string_view line) {
        if (const auto seconds = numberAfter(line, kPoll); seconds && *seconds > 0) says.poll = seconds;
        if (line.find(kTaken) != std::string_view::npos) {
            says.hasTaken = true;
            says.started.reset();
        }
        if (const auto step = numberAfter(line, kStarts)) says.started = step;
    });
    return says;
}

std::map<std::int64_t, std::int64_t> startsByProcess(std::string_view text) {
    std::map<std::int64_t, std::int64_t> starts;
    forEachLine(text, [&starts](std::string_view line) {
        const auto step = numberAfter(line, kStarts);
        if (!step) return;
        // "[2026-01-01 12:00:00] [INFO] [4242] profiler.py: ..."
        for (std::size_t at = line.find('['); at != std::string_view::npos; at = line.find('[', at + 1)) {
            const auto process = wholeNumber(line.substr(at + 1, line.find(']', at) - at - 1));
            if (process && *process > 0) starts[*process] = *step;
        }
    });
    return starts;
}

}  // namespace altiscope::capture
