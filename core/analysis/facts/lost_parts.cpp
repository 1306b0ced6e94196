#include "core/analysis/facts/lost_parts.h"

#include <cstddef>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace altiscope {

namespace {

/// Tables with one row for each step, collective or link: every one that is missing changes what they say of a rank.
/// Of timelines there is no word here, since of their many events few are lost.
LostParts lostPartsOf(std::string_view file) {
    const std::string_view name = file.substr(file.rfind('/') + 1);
    const auto has = [name](std::string_view part) { return name.find(part) != std::string_view::npos; };
    if (name.ends_with(".db")) return {.steps = true, .collectives = true, .links = true};
    if (has("communication_matrix")) return {.links = true};
    if (has("communication")) return {.collectives = true, .links = true};
    if (has("step_trace") || has("kernel_details") || has("op_summary")) return {.steps = true};
    return {};
}

void add(LostParts& to, const LostParts& from) {
    to.steps |= from.steps;
    to.collectives |= from.collectives;
    to.links |= from.links;
}

bool isTimeline(std::string_view file) {
    const std::string_view name = file.substr(file.rfind('/') + 1);
    return name.find("trace_view") != std::string_view::npos || name.starts_with("msprof") ||
           name.find("timeline") != std::string_view::npos;
}

}  // namespace

bool hasCutTimeline(const CaptureStore& capture, const RankInfo& rank) {
    for (const Diagnostic& entry : capture.diagnostics.entries()) {
        const bool isCut = entry.code == "trace.cut" || (entry.code == "archive.truncated" && isTimeline(entry.file));
        if (!isCut || entry.severity != Severity::Lost) continue;
        if (rank.path == "." || entry.file == rank.path || entry.file.starts_with(rank.path + '/')) return true;
    }
    return false;
}

void readLostParts(const CaptureStore& capture, CaptureFacts& facts) {
    std::map<std::string_view, std::vector<std::size_t>> ranksOf;  // by path; several devices may share a folder
    for (std::size_t r = 0; r < facts.ranks.size(); ++r) {
        const RankInfo& info = capture.ranks[r].info;
        facts.ranks[r].isPartial = info.state == RankState::Partial;
        facts.ranks[r].isCut = hasCutTimeline(capture, info);
        ranksOf[info.path].push_back(r);
    }
    for (const Diagnostic& entry : capture.diagnostics.entries()) {
        if (entry.severity != Severity::Lost) continue;
        const LostParts parts = lostPartsOf(entry.file);
        std::string_view folder = entry.file;
        auto owners = ranksOf.find(folder);
        while (owners == ranksOf.end() && !folder.empty()) {
            const std::size_t slash = folder.rfind('/');
            folder = slash == std::string_view::npos ? std::string_view() : folder.substr(0, slash);
            owners = ranksOf.find(folder.empty() ? "." : folder);
        }
        if (owners != ranksOf.end()) {
            for (const std::size_t r : owners->second) add(facts.ranks[r].lost, parts);
        } else {
            for (RankFacts& rank : facts.ranks) add(rank.lost, parts);
        }
    }
}

}  // namespace altiscope
