#include "tests/support/capture_dump.h"

#include "core/base/text/text.h"
#include "core/base/threads/parallel.h"
#include "core/import/import_capture.h"

#include <cstdlib>
#include <fstream>
#include <span>
#include <sstream>

namespace altiscope::test {

ImportResult importForTest(const std::filesystem::path& path, const ImportTestOptions& options) {
    WorkerArena arena(options.threads);
    ProgressSlot progress;
    const CancelToken cancel;
    reader::ImportOptions import;
    import.chunkBytes = options.chunkBytes;
    import.ranks = options.ranks;
    import.preferDatabase = options.preferDatabase;
    ImportResult result = Cancelled{};
    arena.run([&] { result = reader::importCapture(path, import, progress, cancel); });
    return result;
}

TestFolder::TestFolder() {
    std::string pattern = (std::filesystem::temp_directory_path() / "altiscope-test-XXXXXX").string();
    if (::mkdtemp(pattern.data()) != nullptr) m_path = std::filesystem::canonical(pattern);
}

TestFolder::~TestFolder() {
    std::error_code ignored;
    std::filesystem::remove_all(m_path, ignored);
}

std::filesystem::path TestFolder::write(const std::string& name, std::string_view content) const {
    const std::filesystem::path path = m_path / name;
    std::filesystem::create_directories(path.parent_path());
    std::ofstream(path, std::ios::binary) << content;
    return path;
}

namespace {

std::string place(SourcePos pos) { return '@' + std::to_string(pos.offset()); }

std::string threadName(const Track& track) {
    return track.pid + '/' + (track.kind == TrackKind::Counter ? track.name : track.tid);
}

std::string sliceEnd(const TraceStore& store, std::uint32_t slice) {
    return slice == kNoSlice.value ? "-" : std::to_string(store.pos({slice}).offset());
}

void dumpSlices(const TraceStore& store, std::ostream& out) {
    for (const DepthRun& run : store.runs()) {
        const std::string thread = threadName(store.track({run.track}));
        for (std::uint32_t i = run.first; i < run.first + run.count; ++i) {
            const SliceIndex slice{i};
            out << "slice " << thread << " d" << run.depth << ' ' << store.name(slice) << " ["
                << store.begin(slice).value << ",+" << store.duration(slice).value << ')';
            if (!store.category(slice).empty()) out << " cat=" << store.category(slice);
            if (!store.colourName(slice).empty()) out << " cname=" << store.colourName(slice);
            out << ' ' << place(store.pos(slice)) << '\n';
        }
    }
}

void dumpArguments(const RankEntry& rank, std::ostream& out) {
    if (!rank.trace || !rank.arguments) return;
    for (std::uint32_t i = 0; i < rank.trace->sliceCount(); ++i) {
        const SourcePos pos = rank.trace->pos({i});
        const auto text = rank.arguments->arguments(pos);
        out << "args " << place(pos) << ' '
            << (!text.ok()             ? text.error().code
                : text.value().empty() ? "-"
                                       : text.value())
            << '\n';
    }
}

}  // namespace

std::string dumpRows(const TraceStore& store) {
    std::ostringstream out;
    const TraceColumns& columns = store.columns();
    dumpSlices(store, out);
    for (std::uint32_t t = 0; t < store.tracks().size(); ++t) {
        const TrackExtent& extent = store.extent({t});
        for (std::uint64_t i = extent.firstInstant; i < extent.firstInstant + extent.instantCount; ++i) {
            out << "instant " << threadName(store.track({t})) << ' ' << store.text(columns.instantName[i]) << ' '
                << columns.instantTime[i] << ' ' << place(columns.instantPos[i]) << '\n';
        }
    }
    for (const CounterSeries& series : store.series()) {
        for (std::uint64_t i = series.first; i < series.first + series.count; ++i) {
            out << "counter " << threadName(store.track({series.track})) << ' ' << store.text(series.name) << ' '
                << columns.sampleTime[i] << ' ' << shortestNumber(columns.sampleValue[i]) << '\n';
        }
    }
    for (std::size_t i = 0; i < store.flowCount(); ++i) {
        out << "flow " << store.flowCategory(i) << ' ' << sliceEnd(store, columns.flowFrom[i]) << " -> "
            << sliceEnd(store, columns.flowTo[i]) << '\n';
    }
    return out.str();
}

std::string dumpDiagnostics(const Diagnostics& diagnostics) {
    std::ostringstream out;
    for (const Diagnostic& one : diagnostics.entries()) {
        out << severityName(one.severity) << ' ' << one.code << ' ' << (one.file.empty() ? "-" : one.file) << " x"
            << one.count;
        const char* separator = " ";
        for (const Place& where : one.places) {
            if (where.unit == PlaceUnit::Whole) continue;
            out << separator << where.text();
            separator = ", ";
        }
        out << '\n';
    }
    return out.str();
}

namespace {

std::string stateLine(const ImportResult& result) {
    static constexpr const char* kStates[] = {"loading", "ok", "partial", "failed"};
    if (result.cancelled()) return "cancelled\n";
    if (result.failed())
        return "error " + result.error().code + (result.error().place.empty() ? "" : ' ' + result.error().place) + '\n';
    return std::string("state ") + kStates[static_cast<int>(result.value()->state)] + '\n';
}

void dumpIdentity(const RankInfo& info, std::ostream& out) {
    const auto number = [](const std::optional<std::int64_t>& id) {
        return id ? std::to_string(*id) : std::string("-");
    };
    out << "rank " << number(info.rankId) << " device " << number(info.deviceId) << " host "
        << (info.host.empty() ? "-" : info.host) << ' ' << frameworkName(info.framework) << ' '
        << sourceKindName(info.source) << ' ' << rankStateName(info.state) << ' ' << info.path << "\n  present";
    for (const std::string& what : info.present) out << ' ' << what;
    out << "\n  missing";
    for (const MissingData& missing : info.missing) out << ' ' << missing.what << ':' << missing.switchName;
    out << '\n';
    for (const std::string& path : info.alternatives) out << "  alternative " << path << '\n';
    for (const auto& [key, value] : info.metadata) out << "  " << key << " = " << value << '\n';
}

}  // namespace

std::string dumpImport(const ImportResult& result) {
    std::string text = stateLine(result);
    if (!result.ok()) return text;
    for (const RankEntry& rank : result.value()->ranks) {
        if (rank.trace) text += dumpRows(*rank.trace);
    }
    return text + dumpDiagnostics(result.value()->diagnostics);
}

std::string dumpCapture(const ImportResult& result) {
    std::ostringstream out;
    out << stateLine(result);
    if (!result.ok()) return out.str();
    for (const RankEntry& rank : result.value()->ranks) {
        dumpIdentity(rank.info, out);
        if (!rank.trace) continue;
        for (const Track& track : rank.trace->tracks()) {
            out << "track " << threadName(track) << ' ' << trackKindName(track.kind) << " \"" << track.process
                << "\" \"" << track.name << "\" labels \"" << track.labels << "\"\n";
        }
        out << dumpRows(*rank.trace);
        dumpArguments(rank, out);
    }
    out << dumpDiagnostics(result.value()->diagnostics);
    return out.str();
}

namespace {

template <class T>
void append(std::string& bytes, const Column<T>& column) {
    const auto span = std::as_bytes(column.span());
    bytes.append(reinterpret_cast<const char*>(span.data()), span.size());
}

}  // namespace

std::string storeBytes(const TraceStore& store) {
    // Columns of plain numbers; what structures hold besides is in the dump.
    const TraceColumns& c = store.columns();
    std::string bytes = dumpRows(store);
    for (const Track& track : store.tracks())
        bytes += std::to_string(track.id.value) + track.process + '\0' + track.thread + '\0' + track.labels + '\0';
    append(bytes, c.begin);
    append(bytes, c.duration);
    append(bytes, c.selfDuration);
    append(bytes, c.name);
    append(bytes, c.category);
    append(bytes, c.parent);
    append(bytes, c.pos);
    append(bytes, c.blocks);
    append(bytes, c.sampleTime);
    append(bytes, c.sampleValue);
    append(bytes, c.instantTime);
    append(bytes, c.flowPos);
    append(bytes, c.flowFrom);
    append(bytes, c.flowTo);
    append(bytes, c.flowFromTime);
    append(bytes, c.flowToTime);
    append(bytes, c.texts.offsets());
    append(bytes, c.texts.bytes());
    return bytes;
}

}  // namespace altiscope::test
