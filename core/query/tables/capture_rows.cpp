#include "core/query/tables/capture_rows.h"

#include "core/query/functions/sqlite_values.h"

#include <algorithm>

namespace altiscope {

void RankRows::column(sqlite3_context* result, std::size_t row, int column) const {
    enum Column { kRank, kDevice, kHost, kFramework, kSource, kPath, kStart, kEnd, kOffset, kResidual };
    const RankIndex place = rankIndex(row);
    const RankInfo& info = m_index.rank(place).info;
    const TraceStore* store = m_index.trace(place);
    // A trace in which nothing was recorded has no time, as in the object of `info`.
    if (store != nullptr && store->tracks().empty()) store = nullptr;
    switch (column) {
    case kRank: return resultInteger(result, info.rankId);
    case kDevice: return resultInteger(result, info.deviceId);
    case kHost: return resultTextOrNull(result, info.host);
    case kFramework: return resultText(result, frameworkName(info.framework));
    case kSource: return resultText(result, sourceKindName(info.source));
    case kPath: return resultText(result, info.path);
    case kStart:
        if (store != nullptr) resultInteger(result, store->range().begin.value);
        return;
    case kEnd:
        if (store != nullptr) resultInteger(result, store->range().end.value);
        return;
    case kOffset:
    case kResidual:
        // Null if the query is being cancelled.
        if (const auto clocks = m_index.clocks(m_context.cancel); clocks && clocks->ranks[place.value].isAligned())
            resultInteger(result, column == kOffset ? clocks->ranks[place.value].offset
                                                    : clocks->ranks[place.value].offsetResidual);
        return;
    default: return;
    }
}

StepRows::StepRows(const QueryContext& context)
    : ItemRows(context.index, [](const RankEntry& entry) -> const std::vector<Step>& { return entry.steps; }),
      m_index(context.index) {}

void StepRows::column(sqlite3_context* result, std::size_t number, int column) const {
    enum Column { kRank, kStep, kStart, kEnd };
    const Step& step = *row(number).item;
    switch (column) {
    case kRank: return resultInteger(result, m_index.rankId(row(number).rank));
    case kStep: return resultInteger(result, step.number);
    case kStart:
        if (step.range) resultInteger(result, step.range->begin.value);
        return;
    case kEnd:
        if (step.range) resultInteger(result, step.range->end.value);
        return;
    default: return;
    }
}

MetadataRows::MetadataRows(const QueryContext& context)
    : ItemRows(
          context.index, [](const RankEntry& entry) -> const auto& { return entry.info.metadata; }),
      m_index(context.index) {}

void MetadataRows::column(sqlite3_context* result, std::size_t number, int column) const {
    enum Column { kRank, kKey, kValue };
    switch (column) {
    case kRank: return resultInteger(result, m_index.rankId(row(number).rank));
    case kKey: return resultText(result, row(number).item->first);
    case kValue: return resultText(result, row(number).item->second);
    default: return;
    }
}

void DiagnosticRows::column(sqlite3_context* result, std::size_t row, int column) const {
    enum Column { kSeverity, kCode, kCount, kFile, kPlace, kMessage };
    const Diagnostic& entry = m_entries[row];
    switch (column) {
    case kSeverity: return resultText(result, severityName(entry.severity));
    case kCode: return resultText(result, entry.code);
    case kCount: return resultInteger(result, static_cast<std::int64_t>(entry.count));
    case kFile: return resultTextOrNull(result, entry.file);
    case kPlace:
        if (!entry.places.empty() && entry.places.front().unit != PlaceUnit::Whole)
            resultCopy(result, entry.places.front().text());
        return;
    case kMessage: return resultCopy(result, entry.message("en"));
    default: return;
    }
}

bool FindingRows::prepare() const {
    if (!m_findings) m_findings = m_context.index.findings(m_context.cancel);
    return m_findings != nullptr;
}

RankIndex FindingRows::rankOf(std::size_t row) const {
    const Finding& finding = (*m_findings)[row];
    if (finding.rank) return *finding.rank;
    std::vector<RankIndex> ranks = finding.evidence.peers;
    for (const auto& slice : finding.evidence.slices) ranks.push_back(slice.rank);
    for (const auto& range : finding.evidence.ranges) ranks.push_back(range.rank);
    const CaptureIndex& index = m_context.index;
    const bool isOfOne = !ranks.empty() && std::all_of(ranks.begin(), ranks.end(), [&](RankIndex rank) {
        return index.recording(rank) == index.recording(ranks.front());
    });
    return isOfOne ? ranks.front() : kNoRank;
}

void FindingRows::column(sqlite3_context* result, std::size_t row, int column) const {
    enum Column {
        kRule,
        kSeverity,
        kRank,
        kStep,
        kTime,
        kDuration,
        kRecoverable,
        kTitle,
        kDetail,
        kParameters,
        kEvidence,
        kThresholds
    };
    const Finding& finding = (*m_findings)[row];
    switch (column) {
    case kRule: return resultText(result, finding.rule);
    case kSeverity: return resultText(result, findingSeverityName(finding.severity));
    case kRank: return resultInteger(result, finding.rankId);
    case kStep: return resultInteger(result, finding.step);
    case kTime:
        if (finding.range) resultInteger(result, finding.range->begin.value);
        return;
    case kDuration:
        if (finding.range) resultInteger(result, finding.range->length().value);
        return;
    case kRecoverable: return resultInteger(result, finding.recoverable);
    case kTitle: return resultCopy(result, findingTitle(finding, "en"));
    case kDetail: return resultCopy(result, findingDetail(finding, "en"));
    case kParameters: return resultCopy(result, findingParametersJson(finding));
    case kEvidence: return resultCopy(result, findingEvidenceJson(finding));
    case kThresholds: return resultCopy(result, findingThresholdsJson(finding));
    default: return;
    }
}

}  // namespace altiscope
