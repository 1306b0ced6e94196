#include "core/report/export/trace_parts.h"

#include <algorithm>
#include <limits>
#include <set>

namespace altiscope {

namespace {

using Kind = ExportPart::Kind;

constexpr std::int64_t kPartEvents = 1024;

/// Stands for the thread of a flow's end that lies in no slice; nothing else may be on it.
constexpr ChromeWriter::Thread kNowhere{"\"no slice\"", "0"};

void addCut(std::vector<ExportPart>& parts, ExportPart part) {
    for (std::int64_t at = part.first; at < part.last; at += kPartEvents) {
        parts.push_back(part);
        parts.back().first = at;
        parts.back().last = std::min(at + kPartEvents, part.last);
    }
}

void addSlices(std::vector<ExportPart>& parts, const TraceStore& trace, std::uint32_t selected, std::uint32_t track,
               const std::optional<TimeRange>& range) {
    for (const DepthRun& run : trace.runs(TrackIndex{track})) {
        std::int64_t first = run.first, last = std::int64_t{run.first} + run.count;
        if (range) {
            first = trace.firstEndingAfter(run, {range->begin.value - 1});
            last = std::max<std::int64_t>(first, trace.firstBeginningAt(run, range->end));
        }
        addCut(parts, {Kind::Slices, selected, track, first, last});
    }
}

/// All series of a counter together, cut in time.
void addSamples(std::vector<ExportPart>& parts, const TraceStore& trace, std::uint32_t selected, std::uint32_t track,
                const std::optional<TimeRange>& range) {
    const TrackExtent& extent = trace.extent({track});
    const auto series = trace.series().subspan(extent.firstSeries, extent.seriesCount);
    const auto longest = std::max_element(
        series.begin(), series.end(), [](const CounterSeries& a, const CounterSeries& b) { return a.count < b.count; });
    if (longest == series.end()) return;
    const std::int64_t end = range ? range->end.value : std::numeric_limits<std::int64_t>::max();
    ExportPart part{Kind::Samples, selected, track,
                    range ? range->begin.value : std::numeric_limits<std::int64_t>::min(), end};
    for (std::uint64_t i = kPartEvents; i < longest->count; i += kPartEvents) {
        const std::int64_t time = trace.columns().sampleTime[longest->first + i];
        if (time <= part.first) continue;
        if (time >= end) break;
        part.last = time;
        parts.push_back(part);
        part.first = time;
    }
    part.last = end;
    parts.push_back(part);
}

void addInstants(std::vector<ExportPart>& parts, const TraceStore& trace, std::uint32_t selected, std::uint32_t track,
                 const std::optional<TimeRange>& range) {
    const TrackExtent& extent = trace.extent({track});
    const auto times = trace.columns().instantTime.span().subspan(extent.firstInstant, extent.instantCount);
    std::int64_t first = 0, last = static_cast<std::int64_t>(times.size());
    if (range) {
        first = std::lower_bound(times.begin(), times.end(), range->begin.value) - times.begin();
        last = std::lower_bound(times.begin(), times.end(), range->end.value) - times.begin();
    }
    const auto offset = static_cast<std::int64_t>(extent.firstInstant);
    addCut(parts, {Kind::Instants, selected, track, offset + first, offset + last});
}

/// Writes one part.
class PartWriter {
public:
    PartWriter(const std::vector<ExportedRank>& ranks, const ExportPart& part, WrittenPart& written)
        : m_rank(ranks[part.selected]), m_several(ranks.size() > 1), m_part(part), m_trace(m_rank.trace()),
          m_written(written), m_json(written.text) {}

    void write() {
        switch (m_part.kind) {
        case Kind::Names: return names();
        case Kind::Slices: return slices();
        case Kind::Samples: return samples();
        case Kind::Instants: return instants();
        case Kind::Flows: return flows();
        }
    }

private:
    ChromeWriter::Thread threadOf(std::uint32_t track) const { return {m_rank.process[track], m_rank.thread[track]}; }
    void names();
    void nameProcess(const Track& track, ChromeWriter::Thread process);
    void slices();
    void samples();
    void instants();
    void flows();
    void readArguments(const Column<SourcePos>& positions);
    /// The thread of an end of a flow; nullopt if that is not exported.
    std::optional<ChromeWriter::Thread> endOf(std::uint32_t slice, std::int64_t time) const;

    const ExportedRank& m_rank;
    const bool m_several;
    const ExportPart& m_part;
    const TraceStore& m_trace;
    WrittenPart& m_written;
    ChromeWriter m_json;
    std::vector<std::string> m_arguments;  // of [first, last)
};

void PartWriter::names() {
    std::set<std::string_view> named;
    for (std::uint32_t t = 0; t < m_trace.tracks().size(); ++t) {
        const Track& track = m_trace.track({t});
        if (!m_rank.takes[t]) continue;
        if (named.insert(m_rank.process[t]).second) nameProcess(track, {m_rank.process[t], {}});
        if (track.kind == TrackKind::Counter) continue;
        m_json.metadata("thread_name", threadOf(t), "name", track.thread);
        if (track.hasThreadSort) m_json.metadata("thread_sort_index", threadOf(t), "sort_index", track.threadSort);
    }
}

void PartWriter::nameProcess(const Track& track, ChromeWriter::Thread process) {
    m_json.metadata("process_name", process, "name", track.process);
    std::string labels = track.labels;
    if (m_several) {
        const auto& id = m_rank.entry->info.rankId;
        const std::string rank = id ? "rank " + std::to_string(*id) : m_rank.entry->info.path;
        labels = labels.empty() ? rank : rank + ", " + labels;
    }
    if (!labels.empty()) m_json.metadata("process_labels", process, "labels", labels);
    // Without it each of several ranks stays together, in the capture's order: readers keep the file's order then.
    if (track.hasProcessSort && !m_several)
        m_json.metadata("process_sort_index", process, "sort_index", track.processSort);
}

void PartWriter::readArguments(const Column<SourcePos>& positions) {
    m_arguments.assign(static_cast<std::size_t>(m_part.last - m_part.first), {});
    if (m_rank.entry->arguments == nullptr) return;
    const auto wanted = positions.span().subspan(static_cast<std::size_t>(m_part.first), m_arguments.size());
    m_rank.entry->arguments->each(wanted, [&](std::size_t i, const Result<std::string_view>& text) {
        if (text.ok()) {
            m_arguments[i] = text.value();
        } else if (text.failed()) {
            const Error& error = text.error();
            const std::string& file = error.file.empty() ? m_rank.entry->info.path : error.file;
            m_written.diagnostics.add(error.code, Severity::Lost, file, {PlaceUnit::Byte, wanted[i].offset()},
                                      error.parameters);
        }
    });
}

void PartWriter::slices() {
    readArguments(m_trace.columns().pos);
    for (std::int64_t i = m_part.first; i < m_part.last; ++i) {
        const SliceIndex slice{static_cast<std::uint32_t>(i)};
        m_json.slice({.name = m_trace.name(slice),
                      .category = m_trace.category(slice),
                      .colour = m_trace.colourName(slice),
                      .begin = m_trace.begin(slice),
                      .duration = m_trace.duration(slice),
                      .arguments = m_arguments[static_cast<std::size_t>(i - m_part.first)]},
                     threadOf(m_part.track));
    }
    m_written.slices += static_cast<std::uint64_t>(m_part.last - m_part.first);
}

void PartWriter::samples() {
    struct Line {
        std::string_view name;
        std::uint64_t at, end;
    };
    const TraceColumns& columns = m_trace.columns();
    const auto times = columns.sampleTime.span();
    const TrackExtent& extent = m_trace.extent({m_part.track});
    std::vector<Line> lines;
    for (const CounterSeries& series : m_trace.series().subspan(extent.firstSeries, extent.seriesCount)) {
        const auto part = times.subspan(series.first, series.count);
        const auto at = std::lower_bound(part.begin(), part.end(), m_part.first) - part.begin();
        const auto end = std::lower_bound(part.begin(), part.end(), m_part.last) - part.begin();
        lines.push_back({m_trace.text(series.name), series.first + static_cast<std::uint64_t>(at),
                         series.first + static_cast<std::uint64_t>(end)});
    }
    for (;;) {
        // Samples of one time make one event, as they did in the source.
        std::optional<std::int64_t> next;
        for (const Line& line : lines) {
            if (line.at < line.end && (!next || times[line.at] < *next)) next = times[line.at];
        }
        if (!next) return;
        m_json.beginCounter(m_trace.track({m_part.track}).name, m_rank.process[m_part.track], {*next});
        for (Line& line : lines) {
            if (line.at == line.end || times[line.at] != *next) continue;
            m_json.counterValue(line.name, columns.sampleValue[line.at++]);
            ++m_written.samples;
        }
        m_json.endCounter();
    }
}

void PartWriter::instants() {
    readArguments(m_trace.columns().instantPos);
    const TraceColumns& columns = m_trace.columns();
    for (std::int64_t i = m_part.first; i < m_part.last; ++i) {
        const auto n = static_cast<std::size_t>(i);
        m_json.instant(m_trace.text(columns.instantName[n]), threadOf(m_part.track), {columns.instantTime[n]},
                       m_arguments[static_cast<std::size_t>(i - m_part.first)]);
    }
    m_written.instants += static_cast<std::uint64_t>(m_part.last - m_part.first);
}

std::optional<ChromeWriter::Thread> PartWriter::endOf(std::uint32_t slice, std::int64_t time) const {
    const auto& range = m_rank.range;
    if (slice == kNoSlice.value) return !range || range->contains({time}) ? std::optional(kNowhere) : std::nullopt;
    const std::uint32_t track = m_trace.runOf({slice}).track;
    if (!m_rank.takes[track]) return std::nullopt;
    if (range && (m_trace.end({slice}) < range->begin || m_trace.begin({slice}) >= range->end)) return std::nullopt;
    return threadOf(track);
}

void PartWriter::flows() {
    const TraceColumns& columns = m_trace.columns();
    for (auto flow = static_cast<std::size_t>(m_part.first); flow < static_cast<std::size_t>(m_part.last); ++flow) {
        const auto from = endOf(columns.flowFrom[flow], columns.flowFromTime[flow]);
        const auto to = endOf(columns.flowTo[flow], columns.flowToTime[flow]);
        if (!from || !to) continue;
        const std::uint64_t id = m_rank.firstFlow + m_trace.flowNumber(flow) + 1;
        m_json.flowEnd(true, m_trace.flowCategory(flow), id, *from, {columns.flowFromTime[flow]});
        m_json.flowEnd(false, m_trace.flowCategory(flow), id, *to, {columns.flowToTime[flow]});
        ++m_written.flows;
    }
}

}  // namespace

std::vector<ExportPart> partsOf(const std::vector<ExportedRank>& ranks) {
    std::vector<ExportPart> parts;
    for (std::uint32_t r = 0; r < ranks.size(); ++r) {
        const TraceStore& trace = ranks[r].trace();
        parts.push_back({.kind = Kind::Names, .selected = r});
        for (std::uint32_t t = 0; t < trace.tracks().size(); ++t) {
            if (!ranks[r].takes[t]) continue;
            addSlices(parts, trace, r, t, ranks[r].range);
            addSamples(parts, trace, r, t, ranks[r].range);
            addInstants(parts, trace, r, t, ranks[r].range);
        }
        addCut(parts, {Kind::Flows, r, 0, 0, static_cast<std::int64_t>(trace.flowCount())});
    }
    return parts;
}

void writePart(const std::vector<ExportedRank>& ranks, const ExportPart& part, WrittenPart& written) {
    PartWriter(ranks, part, written).write();
}

}  // namespace altiscope
