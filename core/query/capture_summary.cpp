#include "core/query/capture_summary.h"

#include "core/analysis/account/account.h"
#include "core/analysis/capture_analysis.h"
#include "core/analysis/communication/parallel_groups.h"
#include "core/analysis/communication/pipeline_blocks.h"
#include "core/base/text/printable_text.h"
#include "core/findings/run_rules.h"
#include "core/query/schema/schema.h"
#include "core/query/tables/kernel_metric_table.h"
#include "core/query/tables/summary_table.h"
#include "core/store/capture_store.h"
#include "core/store/rows/row_traits.h"

#include <set>

namespace altiscope {

namespace {

using RowsOfStore = std::size_t (*)(const TraceStore&);

constexpr std::pair<std::string_view, RowsOfStore> kRowsOfStore[] = {
    {"track", [](const TraceStore& s) { return s.tracks().size(); }},
    {"slice", [](const TraceStore& s) { return s.sliceCount(); }},
    {"instant", [](const TraceStore& s) { return s.columns().instantTime.size(); }},
    {"counter", [](const TraceStore& s) { return s.columns().sampleTime.size(); }},
    {"flow", [](const TraceStore& s) { return s.flowCount(); }},
    {"name_stat", [](const TraceStore& s) { return s.columns().nameStats.size(); }},
};

std::uint64_t summaryRowCount(const CaptureAnalysis& analysis, RowKind kind) {
    std::uint64_t rows = 0;
    const CaptureStore& capture = analysis.capture();
    for (const SummaryPart& part : summaryParts(capture, kind)) rows += part.table->size();
    if (!hasComputedRows(kind)) return rows;
    for (RankIndex r; r.value < capture.ranks.size(); ++r.value) {
        if (!hasComputation(capture.ranks[r.value])) continue;
        const auto computation = analysis.rank(r, CancelToken());  // known by now
        const RowTable* table = computation->rows == nullptr ? nullptr : computation->rows->find(kind);
        rows += table == nullptr ? 0 : table->size();
    }
    return rows;
}

std::uint64_t rowCount(const CaptureAnalysis& analysis, std::string_view table) {
    const CaptureStore& capture = analysis.capture();
    if (table == "rank") return capture.ranks.size();
    if (table == "diagnostic") return capture.diagnostics.entries().size();
    if (table == "kernel_metric") return kernelMetricCount(capture);
    if (const auto kind = summaryKind(table)) return summaryRowCount(analysis, *kind);
    std::uint64_t rows = 0;
    for (const RankEntry& entry : capture.ranks) {
        if (table == "step") rows += entry.steps.size();
        if (table == "metadata") rows += entry.info.metadata.size();
        if (entry.trace == nullptr) continue;
        for (const auto& [name, rowsOf] : kRowsOfStore) {
            if (name == table) rows += rowsOf(*entry.trace);
        }
    }
    return rows;
}

/// Rows of tables that are made of the whole job; nullopt for others, and if cancelled.
std::optional<std::uint64_t> rowsOfJob(const CaptureAnalysis& analysis, const CaptureFacts& facts,
                                       std::string_view table, const CancelToken& cancel) {
    std::uint64_t rows = 0;
    if (table == "blame") return facts.account->job.waits.size();
    if (table == "gap") {
        for (const RankAccount& rank : facts.account->ranks) rows += rank.gaps;
        return rows;
    }
    if (table == "critical_path" || table == "slack") {
        const auto paths = analysis.paths(cancel);
        if (paths == nullptr) return std::nullopt;
        return table == "slack" ? paths->slacks.size() : paths->path.size();
    }
    if (table == "parallel_group") {
        const auto layout = analysis.layout(cancel);
        return layout == nullptr ? std::nullopt : std::optional<std::uint64_t>(layout->groups.size());
    }
    if (table != "pipeline_block") return std::nullopt;
    const auto blocks = analysis.pipeline(cancel);
    if (blocks == nullptr) return std::nullopt;
    for (const auto& ofRank : *blocks) rows += ofRank.size();
    return rows;
}

}  // namespace

std::vector<std::pair<std::string, std::string>> versionsOf(const CaptureStore& capture) {
    std::vector<std::pair<std::string, std::string>> versions;
    for (const std::string_view name : {"torch_npu", "mindspore", "cann"}) {
        std::set<std::string> values;
        for (const RankEntry& rank : capture.ranks) {
            for (const auto& [key, value] : rank.info.metadata) {
                if (key == std::string(name) + "_version" && !value.empty()) values.insert(value);
            }
        }
        std::string joined;
        for (const std::string& value : values) joined += (joined.empty() ? "" : ", ") + value;
        if (!joined.empty()) versions.emplace_back(name, joined);
    }
    return versions;
}

std::vector<std::optional<RankSpan>> spansOf(const CaptureStore& capture) {
    std::vector<std::optional<RankSpan>> spans;
    for (const RankEntry& rank : capture.ranks) {
        auto& span = spans.emplace_back();
        if (rank.trace != nullptr && !rank.trace->tracks().empty())
            span = RankSpan{rank.trace->homeRange(), rank.trace->range()};
    }
    return spans;
}

std::optional<RankSpan> spanOf(const CaptureSummary& summary, std::size_t rank) {
    return rank < summary.spans.size() ? summary.spans[rank] : std::nullopt;
}

std::optional<CaptureSummary> summariseCapture(std::shared_ptr<const CaptureStore> capture, const CancelToken& cancel) {
    const CaptureAnalysis analysis(capture);
    return summariseCapture(std::move(capture), analysis, cancel);
}

std::optional<CaptureSummary> summariseCapture(std::shared_ptr<const CaptureStore> capture,
                                               const CaptureAnalysis& analysis, const CancelToken& cancel) {
    CaptureSummary summary;
    const auto facts = analysis.facts(cancel);
    if (cancel.cancelled() || !facts) return std::nullopt;
    summary.findings = runRules(*facts, memoryUsage(*capture, *facts, cancel), {}, cancel);
    if (cancel.cancelled()) return std::nullopt;
    for (const TableInfo& table : tableSchema()) {
        const auto ofJob = rowsOfJob(analysis, *facts, table.name, cancel);
        if (cancel.cancelled()) return std::nullopt;
        const std::uint64_t rows = table.name == "finding" ? summary.findings.size()
                                   : ofJob                 ? *ofJob
                                                           : rowCount(analysis, table.name);
        summary.rows.emplace_back(table.name, rows);
    }
    summary.versions = versionsOf(*capture);
    summary.spans = spansOf(*capture);
    summary.absent = absentRanks(*capture);
    summary.capture = std::move(capture);
    return summary;
}

std::string_view captureStateName(const CaptureStore& capture) {
    switch (capture.state) {
    case CaptureStore::State::Ok: return "ok";
    case CaptureStore::State::Loading:
    case CaptureStore::State::Partial: return "partial";
    case CaptureStore::State::Failed: return "failed";
    }
    return {};
}

bool isUnreadable(const CaptureStore& capture) { return capture.state == CaptureStore::State::Failed; }

bool holdsPartialData(const CaptureStore& capture) {
    return capture.state != CaptureStore::State::Ok || capture.diagnostics.anyLost();
}

std::vector<Diagnostic> diagnosticsOf(const CaptureStore& capture) { return capture.diagnostics.entries(); }

std::string diagnosticText(const Diagnostic& diagnostic) {
    std::string text(severityName(diagnostic.severity));
    text += ' ' + diagnostic.code + ", " + std::to_string(diagnostic.count) + " x";
    if (!diagnostic.file.empty()) text += ", " + diagnostic.file;
    if (!diagnostic.places.empty() && diagnostic.places.front().unit != PlaceUnit::Whole)
        text += ", " + diagnostic.places.front().text();
    return printableText(text + ": " + diagnostic.message("en"));
}

}  // namespace altiscope
