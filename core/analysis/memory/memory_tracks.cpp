#include "core/analysis/memory/memory_tracks.h"

#include "core/analysis/memory/memory_series.h"
#include "core/store/seal/trace_builder.h"

#include <array>
#include <string>
#include <utility>

namespace altiscope {

namespace {

struct Part {
    MemoryQuantity quantity;
    const char* name;
};
constexpr std::array<Part, 3> kParts{{{MemoryQuantity::Allocated, "Allocated(MiB)"},
                                      {MemoryQuantity::Reserved, "Reserved(MiB)"},
                                      {MemoryQuantity::Active, "Active(MiB)"}}};
constexpr double kMiB = 1024.0 * 1024.0;
/// Samples between two looks at the token.
constexpr std::size_t kPollEvery = 1 << 16;

std::string memoryTrackName(const MemoryOwner& owner) {
    return owner.device ? owner.component + ", NPU " + std::to_string(*owner.device) : owner.component;
}

void addSamples(const MemorySeries& series, const Part& part, ProvisionalTrack track, ProvisionalText name,
                Segment& segment, const CancelToken& cancel) {
    std::optional<std::int64_t> last;
    for (std::size_t i = 0; i < series.size(); ++i) {
        if (i % kPollEvery == 0 && cancel.cancelled()) return;
        const auto value = series.value(part.quantity, i);
        if (!value || value == last) continue;
        last = value;
        segment.samples.push_back({track, name, series.time(i).value, static_cast<double>(*value) / kMiB,
                                   SourcePos::make(0, segment.samples.size())});
    }
}

}  // namespace

std::shared_ptr<const TraceStore> memoryTracks(const std::shared_ptr<const RowTables>& rows,
                                               const CancelToken& cancel) {
    const auto found = hasMemorySamples(rows.get()) ? memorySeries(rows, false, cancel) : std::nullopt;
    if (!found) return nullptr;
    TraceBuilder builder(kMemoryPid);
    TraceBuilder::Names names(builder);
    Segment segment;
    for (const auto& series : found->series) {
        const ProvisionalTrack track = names.counter(kMemoryPid, memoryTrackName(series->owner()));
        for (const Part& part : kParts) {
            if (series->has(part.quantity)) addSamples(*series, part, track, names.text(part.name), segment, cancel);
        }
    }
    if (cancel.cancelled() || segment.samples.empty()) return nullptr;
    builder.setProcessName(kMemoryPid, "Memory", SourcePos::make(0, 0));
    builder.commit(SourcePos::make(0, 0), std::move(segment));
    // Nothing can be wrong with them that was not reported when they were read.
    Diagnostics diagnostics;
    auto sealed = builder.seal(kMemoryPid, diagnostics, cancel);
    return sealed.ok() ? std::move(sealed).value() : nullptr;
}

bool hasMemorySamples(const RowTables* rows) {
    const RowTable* table = rows == nullptr ? nullptr : rows->find(RowKind::MemorySample);
    return table != nullptr && table->size() > 0;
}

}  // namespace altiscope
