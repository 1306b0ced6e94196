#include "core/report/capture_text.h"

#include "core/analysis/communication/absent_ranks.h"
#include "core/base/text/printable_text.h"
#include "core/base/values/parse.h"
#include "core/findings/run_rules.h"
#include "core/store/capture_store.h"

#include <algorithm>

namespace altiscope {

namespace {

std::string secondsText(DurationNs duration) {
    // Exact decimals; trailing zeros say nothing.
    std::string fraction = std::to_string(1'000'000'000 + duration.value % 1'000'000'000).substr(1);
    while (fraction.size() > 1 && fraction.back() == '0') fraction.pop_back();
    return std::to_string(duration.value / 1'000'000'000) + "." + fraction + " s";
}

std::string joined(const std::vector<std::string>& words) {
    std::string text;
    for (const std::string& word : words) text += (text.empty() ? "" : ", ") + word;
    return text;
}

std::string labelled(std::string_view label, const std::string& text) {
    std::string line = "  " + std::string(label);
    line.resize(11, ' ');
    return line + printableText(text) + "\n";
}

std::string rankText(const RankEntry& rank, const std::optional<RankSpan>& span) {
    const RankInfo& info = rank.info;
    std::string title = "rank " + (info.rankId ? std::to_string(*info.rankId) : "N/A");
    if (info.deviceId) title += ", device " + std::to_string(*info.deviceId);
    if (!info.host.empty()) title += ", host " + info.host;
    title += ": " + std::string(rankStateName(info.state)) + ", " + std::string(frameworkName(info.framework)) + " " +
             std::string(sourceKindName(info.source)) + ", " + info.path;
    std::string text = printableText(title) + "\n";
    if (span) {
        const auto rangeText = [](TimeRange range) {
            return std::to_string(range.begin.value) + " .. " + std::to_string(range.end.value) + " ns (" +
                   secondsText(range.length()) + ")";
        };
        text += labelled("time", rangeText(span->home));
        // Reported in the diagnostics ("far_event").
        if (span->all != span->home) text += labelled("all", rangeText(span->all) + " with events far from the others");
    }
    if (rank.window) {
        text += labelled("read", "in part: " + std::to_string(rank.window->begin.value) + " .. " +
                                     std::to_string(rank.window->end.value) + " ns (" +
                                     secondsText(rank.window->length()) + ")");
    }
    std::vector<std::string> steps;
    for (const Step& step : rank.steps) steps.push_back(std::to_string(step.number));
    if (!steps.empty()) text += labelled("steps", joined(steps));
    if (!info.present.empty()) text += labelled("present", joined(info.present));
    for (const MissingData& missing : info.missing) {
        const std::string hint = missing.switchName.empty() ? "" : " (recorded with " + missing.switchName + ")";
        text += labelled("missing", missing.what + hint);
    }
    for (const std::string& path : info.alternatives) text += labelled("also", path);
    return text;
}

std::string rowsText(const std::vector<std::pair<std::string, std::uint64_t>>& rows) {
    std::string text;
    for (const auto& [table, count] : rows) {
        if (count == 0) continue;
        std::string line = "  " + table;
        const std::string number = std::to_string(count);
        line.resize(std::max<std::size_t>(18, line.size() + 1), ' ');
        line += std::string(12 - std::min<std::size_t>(12, number.size()), ' ') + number;
        text += line + "\n";
    }
    return text;
}

/// How a list that is cut goes on.
std::string remainderText(std::size_t end, std::size_t size, const char* what) {
    if (end == size) return {};
    return "  (" + std::to_string(size) + " " + what + " in all; more: --offset " + std::to_string(end) + ")\n";
}

}  // namespace

std::string captureText(const CaptureSummary& summary, ListPart part) {
    const CaptureStore& capture = *summary.capture;
    std::string text =
        printableText(capture.path + ": " + std::string(captureStateName(capture)) + ", " +
                      std::to_string(capture.ranks.size()) + (capture.ranks.size() == 1 ? " rank" : " ranks"));
    text += '\n';
    for (const auto& [name, version] : summary.versions) text += printableText(name + " " + version) + "\n";
    const auto [firstRank, endOfRanks] = boundsOf(part, capture.ranks.size());
    for (std::size_t i = firstRank; i < endOfRanks; ++i) text += rankText(capture.ranks[i], spanOf(summary, i));
    text += remainderText(endOfRanks, capture.ranks.size(), "ranks");
    if (const AbsentRanks& absent = summary.absent; !absent.ranks.empty())
        text += "absent: rank " + numberRanges(absent.ranks) + " (" + std::to_string(absent.all - absent.ranks.size()) +
                " of " + std::to_string(absent.all) + " are here)\n";
    text += "rows\n" + rowsText(summary.rows);
    const FindingCounts findings = countFindings(summary.findings);
    text += "findings: " + std::to_string(findings.high) + " high, " + std::to_string(findings.medium) + " medium, " +
            std::to_string(findings.low) + " low\n";
    for (const Finding& finding : summary.findings) {
        if (finding.severity == FindingSeverity::Low) continue;
        text += "  " +
                printableText(std::string(findingSeverityName(finding.severity)) + " " + finding.rule + ": " +
                              findingTitle(finding, "en")) +
                "\n";
    }
    const auto entries = capture.diagnostics.entries();
    if (!entries.empty()) text += "diagnostics\n";
    const auto [first, end] = boundsOf(part, entries.size());
    for (std::size_t i = first; i < end; ++i) text += "  " + diagnosticText(entries[i]) + "\n";
    text += remainderText(end, entries.size(), "diagnostics");
    return text;
}

}  // namespace altiscope
