#include "core/import/monitor/monitor_reader.h"

#include "core/base/files/file.h"
#include "core/base/text/text.h"
#include "core/import/database/db_flows.h"
#include "core/import/database/db_host_scans.h"
#include "core/import/database/db_overlap.h"
#include "core/import/database_lookup/db_kernels.h"
#include "core/import/monitor/monitor_lines.h"
#include "core/store/columns/computed_position.h"

#include <algorithm>
#include <map>
#include <span>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

namespace altiscope::reader {

namespace {

/// Longer than any line of npu-monitor, whose texts are names.
constexpr std::size_t kMonitorLineLimit = std::size_t{1} << 20;
/// "No connection", as in databases (core/import/database/FORMAT.md section 1); marks have numbers above.
constexpr std::int64_t kMonitorNoConnection = 4294967295, kMarkConnections = 4000000000;
/// As in databases: each group has a row of numbers for its threads.
constexpr std::int64_t kMonitorThreadsOfGroup = 1024;

constexpr auto kMonitorKernels = RowKind::Kernel;
consteval std::size_t monitorColumn(std::string_view name) { return rowColumn(kMonitorKernels, name); }

std::string_view callPrefix(std::string_view kind) {
    // Prefixes that npu-monitor itself gives them in a database.
    if (kind == "AclAPI") return apiPrefix("acl");
    if (kind == "RuntimeAPI") return apiPrefix("runtime");
    return apiPrefix("node");
}

/// Different texts, numbered as they come.
class MonitorTexts {
public:
    std::int64_t add(std::string_view text) {
        const auto [known, isNew] = m_numbers.try_emplace(std::string(text), m_texts.size());
        if (isNew) m_texts.push_back(&known->first);
        return static_cast<std::int64_t>(known->second);
    }
    const std::string& text(std::int64_t number) const { return *m_texts[static_cast<std::size_t>(number)]; }

private:
    std::unordered_map<std::string, std::size_t> m_numbers;
    std::vector<const std::string*> m_texts;
};

/// Cuts a file into lines, whatever the pieces in which it is read.
class LineCutter {
public:
    struct Line {
        std::string_view text;               ///< Without its end.
        std::uint64_t byte = 0, number = 0;  ///< Where it begins; from 1 on.
        bool isTooLong = false, hasEnd = true;
    };
    template <class Take>
    void add(std::string_view bytes, const Take& take) {
        while (!bytes.empty()) {
            const std::size_t end = bytes.find('\n');
            const std::string_view part = bytes.substr(0, end);
            m_size += part.size();
            const bool isWhole = end != std::string_view::npos && m_begun.empty() && m_size == part.size();
            if (!isWhole && m_size <= kMonitorLineLimit) m_begun += part;
            if (end == std::string_view::npos) return;
            give(isWhole ? part : std::string_view(m_begun), true, take);
            bytes.remove_prefix(end + 1);
        }
    }
    template <class Take>
    void finish(const Take& take) {
        if (m_size > 0) give(m_begun, false, take);
    }

private:
    template <class Take>
    void give(std::string_view text, bool hasEnd, const Take& take) {
        Line line{text, m_byte, ++m_number, m_size > kMonitorLineLimit, hasEnd};
        if (line.text.ends_with('\r')) line.text.remove_suffix(1);
        if (!line.text.empty() || line.isTooLong) take(line);
        m_byte += m_size + 1;
        m_size = 0;
        m_begun.clear();
    }

    std::string m_begun;
    std::uint64_t m_byte = 0, m_number = 0, m_size = 0;
};

class MonitorReader final : public TraceReader {
public:
    Result<ReadSummary> read(const SourceFile& file, ImportContext& context) override;
    Result<Done> finish(ImportContext& context) override;

private:
    /// Names and tracks of a process, for all its files.
    struct Names {
        Names(ImportContext& context, const DbNaming& naming)
            : names(context.builder), tracks(context.builder, names, naming) {}
        TraceBuilder::Names names;
        DbTracks tracks;
    };

    void take(const LineCutter::Line& line, const SourceFile& file, Diagnostics& diagnostics);
    void add(const MonitorLine& line, SourcePos pos);
    void addDeviceSlice(const MonitorLine& line, ProvisionalTrack track, SourcePos pos);
    void addKernel(const MonitorLine& line, bool isCommunication);
    void addPoint(DbFlowPoint::Kind kind, std::optional<std::int64_t> id, const MonitorLine& line,
                  ProvisionalTrack track, SourcePos pos);
    ProvisionalTrack groupTrack(const MonitorLine& line);
    void addKernelRows(RowTablesBuilder& rows, const CancelToken& cancel);

    DbNaming m_naming;
    std::optional<Names> m_names;
    MonitorLineParser m_parser;
    MonitorTexts m_texts;
    std::map<std::pair<std::string, std::string>, ProvisionalText> m_callNames;  ///< By kind and name.
    std::map<std::string, std::int64_t, std::less<>> m_groups;                   ///< Numbers in order of appearance.
    /// By recording: a job that was started again may have the former process id, and its numbers begin anew.
    std::vector<std::vector<DbFlowPoint>> m_points{1};
    std::vector<DbInterval> m_intervals;
    std::vector<DbKernel> m_kernels;
    DbKernelInfos m_infos;
    Segment m_segment;
    std::optional<SourcePos> m_first;  ///< Position of the segment's first event.
    std::uint64_t m_taken = 0, m_lines = 0;
    bool m_hasFiles = false;
};

Result<ReadSummary> MonitorReader::read(const SourceFile& file, ImportContext& context) {
    static constexpr std::size_t kMaxAtATime = std::size_t{1} << 20;
    const auto opened = ReadOnlyFile::openText(file.path, context.cancel);
    if (!opened.ok()) return opened.as<ReadSummary>();
    if (!m_names) {
        const std::string name = file.path.filename().string();
        m_naming.file = file.number;
        if (const auto parts = monitorFileName(name)) m_naming.hostProcess = parts->pid & 0x7fffffff;
        m_names.emplace(context, m_naming);
    }
    m_taken = m_lines = 0;
    LineCutter cutter;
    const auto takeLine = [&](const LineCutter::Line& line) { take(line, file, context.diagnostics); };
    const auto commit = [&](std::uint64_t bytes) {
        m_hasFiles = m_hasFiles || m_taken > 0;
        if (m_first) context.builder.commit(*std::exchange(m_first, {}), std::exchange(m_segment, {}));
        if (context.committed) context.committed(bytes);
    };
    std::string buffer(std::clamp<std::size_t>(context.chunkBytes, 1, kMaxAtATime), '\0');
    std::uint64_t at = 0;
    while (at < opened.value().size()) {
        if (context.cancel.cancelled()) return Cancelled{};
        const auto got = opened.value().read(at, std::span(buffer));
        if (!got.ok()) return got.as<ReadSummary>();
        if (got.value() == 0) break;
        cutter.add(std::string_view(buffer).substr(0, got.value()), takeLine);
        at += got.value();
        context.progress.addDone(got.value());
        commit(at);
    }
    cutter.finish(takeLine);
    commit(at);
    if (m_lines > 0 && m_taken == 0) return Error{"monitor.no_lines", file.name, {}, {}};
    m_hasFiles = true;
    return ReadSummary{file.size, m_taken, false};
}

void MonitorReader::take(const LineCutter::Line& line, const SourceFile& file, Diagnostics& diagnostics) {
    const Place place{PlaceUnit::Row, line.number};
    ++m_lines;
    if (line.isTooLong)
        return diagnostics.add("monitor.long_line", Severity::Lost, file.name, place,
                               {{"limit", std::to_string(kMonitorLineLimit)}});
    const auto report = [&](std::string_view code, Severity severity, std::string_view key, std::string_view value) {
        diagnostics.add(code, severity, file.name, place, {{std::string(key), repairedUtf8(value.substr(0, 80))}});
    };
    switch (m_parser.read(line.text)) {
    case MonitorOutcome::Taken: break;
    case MonitorOutcome::Broken:
        return diagnostics.add(line.hasEnd ? "monitor.broken_line" : "monitor.cut", Severity::Lost, file.name, place);
    case MonitorOutcome::UnknownKind: return report("monitor.unknown_kind", Severity::Lost, "kind", m_parser.detail());
    case MonitorOutcome::BadField: return report("monitor.bad_field", Severity::Lost, "field", m_parser.detail());
    }
    ++m_taken;
    for (const std::string_view field : m_parser.oddFields())
        report("monitor.odd_field", Severity::Repaired, "field", field);
    if (m_parser.endsBeforeItBegins()) diagnostics.add("monitor.reversed", Severity::Repaired, file.name, place);
    add(m_parser.line(), SourcePos::make(file.number, line.byte));
}

void MonitorReader::addDeviceSlice(const MonitorLine& line, ProvisionalTrack track, SourcePos pos) {
    m_segment.slices.add(track, line.begin, line.end - line.begin, m_names->names.text(line.name),
                         m_names->names.text({}), pos);
}

void MonitorReader::addPoint(DbFlowPoint::Kind kind, std::optional<std::int64_t> id, const MonitorLine& line,
                             ProvisionalTrack track, SourcePos pos) {
    if (id && *id != kMonitorNoConnection) m_points.back().push_back({kind, *id, line.begin, track, pos});
}

void MonitorReader::addKernel(const MonitorLine& line, bool isCommunication) {
    DbKernelInfo info;
    info.name = m_texts.add(line.name);
    if (isCommunication) info.type = info.name;
    else if (!line.text.empty()) info.core = m_texts.add(line.text);
    info.isCommunication = isCommunication;
    m_intervals.push_back({line.begin, line.end, line.device, isCommunication});
    m_kernels.push_back({line.begin, line.end - line.begin, line.device, isCommunication ? kNoCell : line.stream,
                         line.connection.value_or(-1), kNoCell, m_infos.add(info), 0});
}

ProvisionalTrack MonitorReader::groupTrack(const MonitorLine& line) {
    const auto known = m_groups.find(line.text);
    const std::int64_t number =
        known != m_groups.end()
            ? known->second
            : m_groups.emplace(std::string(line.text), static_cast<std::int64_t>(m_groups.size())).first->second;
    return m_names->tracks.thread(DbLayer::Communication, line.device, number * kMonitorThreadsOfGroup, [&] {
        return line.text.empty() ? std::string("Communication") : "Group " + std::string(line.text) + " Communication";
    });
}

void MonitorReader::add(const MonitorLine& line, SourcePos pos) {
    using Kind = MonitorLine::Kind;
    if (line.kind == Kind::Devices && !m_points.back().empty()) m_points.emplace_back();
    if (line.kind == Kind::Devices || line.kind == Kind::Groups) return;
    if (!m_first) m_first = pos;
    const auto markId = [&] {
        return line.connection && *line.connection <= kMaxTimeNs - kMarkConnections
                   ? std::optional(*line.connection + kMarkConnections)
                   : std::nullopt;
    };
    const auto hostTrack = [&](DbLayer layer) {
        return m_names->tracks.hostThread(layer, (line.process << 32) | line.thread);
    };
    const auto streamTrack = [&] {
        return m_names->tracks.thread(DbLayer::Hardware, line.device, line.stream,
                                      [&] { return "Stream " + std::to_string(line.stream); });
    };
    switch (line.kind) {
    case Kind::Call: {
        const ProvisionalTrack track = hostTrack(DbLayer::Cann);
        const auto [made, isNew] =
            m_callNames.try_emplace({std::string(line.kindText), std::string(line.name)}, ProvisionalText{0});
        if (isNew)
            made->second = m_names->names.text(std::string(callPrefix(line.kindText)) + '@' + std::string(line.name));
        m_segment.slices.add(track, line.begin, line.end - line.begin, made->second, m_names->names.text({}), pos);
        return addPoint(DbFlowPoint::Kind::Launch, line.connection, line, track, pos);
    }
    case Kind::Kernel: {
        const ProvisionalTrack track = streamTrack();
        addDeviceSlice(line, track, pos);
        addKernel(line, false);
        return addPoint(DbFlowPoint::Kind::Task, line.connection, line, track, pos);
    }
    case Kind::Communication: {
        const ProvisionalTrack track = groupTrack(line);
        addDeviceSlice(line, track, pos);
        addKernel(line, true);
        return addPoint(DbFlowPoint::Kind::Task, line.connection, line, track, pos);
    }
    case Kind::HostMark: {
        const ProvisionalTrack track = hostTrack(DbLayer::Mstx);
        addDeviceSlice(line, track, pos);
        return addPoint(DbFlowPoint::Kind::Mark, markId(), line, track, pos);
    }
    case Kind::DeviceMark: {
        const ProvisionalTrack track = streamTrack();
        addDeviceSlice(line, track, pos);
        return addPoint(DbFlowPoint::Kind::Task, markId(), line, track, pos);
    }
    case Kind::Devices:
    case Kind::Groups: break;
    }
}

void MonitorReader::addKernelRows(RowTablesBuilder& rows, const CancelToken& cancel) {
    sortKernels(m_kernels, cancel);
    if (cancel.cancelled()) return;
    const std::vector<std::int64_t> waits = waitsOfKernels(m_kernels, true);
    RowBatch batch = rows.batch(kMonitorKernels);
    for (std::size_t i = 0; i < m_kernels.size(); ++i) {
        const DbKernel& kernel = m_kernels[i];
        const DbKernelInfo& info = m_infos.all()[kernel.info];
        batch.addRow();
        batch.setText(monitorColumn("kind"), info.isCommunication ? "communication" : "compute");
        batch.setText(monitorColumn("name"), m_texts.text(info.name));
        if (info.type != DbKernelInfo::kNoText) batch.setText(monitorColumn("type"), m_texts.text(info.type));
        if (info.isCommunication) batch.setText(monitorColumn("accelerator_core"), "COMMUNICATION");
        else if (info.core != DbKernelInfo::kNoText)
            batch.setText(monitorColumn("accelerator_core"), m_texts.text(info.core));
        if (kernel.stream != kNoCell) batch.setInteger(monitorColumn("stream"), kernel.stream);
        batch.setInteger(monitorColumn("ts"), kernel.begin);
        batch.setInteger(monitorColumn("dur"), kernel.duration);
        batch.setInteger(monitorColumn("wait"), waits[i]);
        batch.setInteger(monitorColumn("device_id"), kernel.device);
    }
    if (batch.size() > 0) rows.append(RowTablesBuilder::pack(batch));
}

Result<Done> MonitorReader::finish(ImportContext& context) {
    if (!m_hasFiles) return Done{};
    // Slices made of several lines stand in none of them.
    static constexpr std::uint64_t kOverlap = std::uint64_t{1} << 40;
    const auto position = [this](std::uint64_t number) {
        return SourcePos::make(kComputedFile | m_naming.file, number);
    };
    for (std::size_t i = 0; i < m_points.size(); ++i)
        context.builder.commit(position(i), connectRows(std::move(m_points[i]), m_names->names));
    Segment overlap;
    addOverlap(
        std::move(m_intervals),
        [&position](std::int64_t number) { return position(kOverlap + static_cast<std::uint64_t>(number)); },
        m_names->tracks, m_names->names, overlap);
    context.builder.commit(position(kOverlap), std::move(overlap));
    if (context.rows != nullptr) addKernelRows(*context.rows, context.cancel);
    if (context.cancel.cancelled()) return Cancelled{};
    return Done{};
}

class MonitorArguments final : public ArgumentSource {
public:
    explicit MonitorArguments(const SourceFile& file)
        : m_path(file.path), m_name(file.name), m_stamp(stampOf(file.path)) {}

    Result<std::string> arguments(SourcePos pos) const override {
        const Error changed{"args.source_changed", m_name, Place{PlaceUnit::Byte, pos.offset()}.text(), {}};
        if (stampOf(m_path) != m_stamp) return changed;
        const auto file = ReadOnlyFile::openText(m_path);
        if (!file.ok()) return file.as<std::string>();
        std::string text;
        for (std::size_t most = std::size_t{4} << 10; most <= 2 * kMonitorLineLimit; most *= 8) {
            text.assign(std::min<std::size_t>(most, kMonitorLineLimit + 1), '\0');
            const auto got = file.value().read(pos.offset(), std::span(text));
            if (!got.ok()) return got.as<std::string>();
            text.resize(got.value());
            const std::size_t end = text.find('\n');
            if (end != std::string::npos) text.resize(end);
            if (end != std::string::npos || got.value() < most) break;
        }
        if (text.ends_with('\r')) text.pop_back();
        std::string arguments = MonitorLineParser().arguments(text);
        return arguments.empty() ? Result<std::string>(changed) : Result<std::string>(std::move(arguments));
    }

private:
    const std::filesystem::path m_path;
    const std::string m_name;
    const altiscope::FileStamp m_stamp;
};

}  // namespace

std::unique_ptr<TraceReader> makeMonitorReader() { return std::make_unique<MonitorReader>(); }

std::shared_ptr<const ArgumentSource> makeMonitorArguments(const SourceFile& file) {
    return std::make_shared<MonitorArguments>(file);
}

MonitorFacts readMonitorFacts(const std::filesystem::path& path) {
    MonitorFacts facts;
    const auto file = ReadOnlyFile::openText(path);
    if (!file.ok()) return facts;
    const std::uint64_t from = file.value().size() > kMonitorLineLimit ? file.value().size() - kMonitorLineLimit : 0;
    std::string tail(static_cast<std::size_t>(file.value().size() - from), '\0');
    const auto got = file.value().read(from, std::span(tail));
    if (!got.ok()) return facts;
    tail.resize(got.value());
    // Two lines, the last ones of a recording; what one of several recordings says is as good as what another does.
    static constexpr std::size_t kLines = 2;
    MonitorLineParser parser;
    std::size_t lines = 0;
    for (std::size_t end = tail.find_last_not_of("\r\n") + 1; end > 0 && lines < kLines; ++lines) {
        const std::size_t before = tail.rfind('\n', end - 1);
        const std::size_t begin = before == std::string::npos ? 0 : before + 1;
        if (parser.read(std::string_view(tail).substr(begin, end - begin)) == MonitorOutcome::Taken) {
            const MonitorLine& line = parser.line();
            if (line.kind == MonitorLine::Kind::Devices && line.devices.size() == 1)
                facts.device = line.devices.front();
            if (line.kind == MonitorLine::Kind::Groups) facts.groups = line.text;
        }
        end = begin > 0 ? begin - 1 : 0;
    }
    return facts;
}

}  // namespace altiscope::reader
