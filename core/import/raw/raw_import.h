#pragma once

#include "core/import/contracts/trace_reader.h"
#include "core/import/database/db_pass.h"
#include "core/import/database_lookup/db_kernels.h"
#include "core/import/database_lookup/db_tracks.h"
#include "core/import/raw_files/raw_clock.h"
#include "core/import/raw_host/raw_collectives.h"
#include "core/import/raw_host/raw_host.h"
#include "core/import/raw_host/raw_join.h"
#include "core/import/raw_records/raw_device.h"
#include "core/import/raw_records/raw_metrics.h"
#include "core/import/raw_records/raw_totals.h"
#include "core/store/raw/sample_records.h"

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

namespace altiscope::reader {

/// Kind of an event's record, in its position above the record's number; part of slice ids, so that it never changes.
/// PROF folders follow one after the other: of each kRawKindsOfHost, then of each device kRawKindsOfDevice.
enum class RawRecordKind : std::uint8_t {
    None = 0,
    TorchOp = 1,
    QueueMark = 2,
    PythonCall = 3,
    Collection = 4,
    MindsporeRange = 5,
    MindsporeCpu = 6,
    FirstProf = 8,
};
inline constexpr unsigned kRawNumberBits = 34;
inline constexpr unsigned kRawKinds = 256;
/// Kinds of a host: calls, marks. Of a device: tasks, parts of collectives, collectives, overlap, frequency, bandwidth,
/// other samples, marks of streams.
inline constexpr unsigned kRawKindsOfHost = 2, kRawKindsOfDevice = 8;
inline constexpr unsigned kRawSampleKind = 6, kRawStreamMarkKind = 7;

SourcePos rawPosition(std::uint32_t file, unsigned kind, std::uint64_t number);

/// Room for slices that are about to come.
inline void makeRoom(Segment::Slices& slices, std::size_t count) {
    slices.track.reserve(count);
    slices.begin.reserve(count);
    slices.duration.reserve(count);
    slices.name.reserve(count);
    slices.category.reserve(count);
    slices.pos.reserve(count);
}

/// Facts that the kernels of one device share.
struct RawKernelDevice {
    std::int64_t device = 0;
    const RawHost* host = nullptr;
    const RawSettings* settings = nullptr;
    const RawMetrics* metrics = nullptr;
};

/// A task or a collective, as a row of `kernel`.
struct RawKernel {
    static constexpr std::uint32_t kNone = 0xffffffff;

    std::int64_t begin = 0, duration = 0;  ///< ns
    std::int64_t connection = -1;          ///< Connection of its launch; -1: none.
    const RawKernelDevice* of = nullptr;
    const RawCollectiveRun* collective = nullptr;  ///< Then there is no op.
    std::uint32_t op = kNone;                      ///< Index in RawHost::ops.
    std::uint32_t metrics = kNone;                 ///< Index in RawMetrics; kNone: none were recorded of it.
    std::uint32_t stream = kNone;
};

/// Where a flow from the host ends on a device.
struct RawLaunchEnd {
    enum class Kind : std::uint8_t { Task, Copy, Collective };
    std::int64_t launch = 0;  ///< Begin of the call.
    std::int64_t call = 0;    ///< Connection id.
    Kind kind = Kind::Task;
    std::int64_t begin = 0;
    ProvisionalTrack track = 0;
    SourcePos pos;
    std::uint32_t thread = 0;  ///< Thread of the call.
};

/// The way of all raw files of a rank into its store.
struct RawSink {
    RawSink(const SourceFile& source, ImportContext& importContext)
        : file(source), import(importContext), names(import.builder), tracks(import.builder, names, naming) {
        naming.file = source.number;
    }

    const SourceFile& file;
    ImportContext& import;
    DbNaming naming;
    TraceBuilder::Names names;
    DbTracks tracks;
    RawContext context{import.diagnostics, import.progress, import.cancel};
    unsigned nextKind = static_cast<unsigned>(RawRecordKind::FirstProf);
    std::int64_t nextConnection = 1;
    std::vector<DbFlowPoint> points;
    std::vector<RawLaunchEnd> launchEnds;
    std::vector<DbLaunch> launches;
    std::vector<RawKernel> kernels;
    RawTotals totals;
    std::vector<std::pair<std::int64_t, NpuMemorySample>> processMemory;  ///< By device.
    std::optional<RawMetricNames> metricNames;                            ///< Those of the first device with metrics.
    std::uint64_t calls = 0, tasks = 0, rows = 0;
};

/// Puts the content of one PROF folder's files into a store. Must live until the tables are written.
class RawProf {
public:
    /// @param name  The folder's, relative to the capture.
    RawProf(std::filesystem::path folder, std::string name, RawSink& sink);
    ~RawProf();
    RawProf(const RawProf&) = delete;
    RawProf& operator=(const RawProf&) = delete;

    /// Reads the small files, of which the framework's records need some.
    void readSettings();
    const RawSettings& settings() const { return m_settings; }
    void read();
    const RawHost& host() const { return m_host; }

private:
    /// Words that all tasks of a type share.
    struct TaskType {
        std::string name;
        ProvisionalText title = 0;
        bool isCopy = false, fallsBack = false, countsForReach = true;
    };
    /// Facts in the name of an operator.
    struct OpName {
        ProvisionalText text = 0;
        bool isAiv = false, isAicpu = false;
    };
    struct DrawnCall {
        std::int64_t begin = 0;
        ProvisionalTrack track = 0;
        bool isDrawn = false;
    };
    /// State of one device while its tasks go by.
    struct Device;

    void addCalls();
    void joinDevice(Device& device, bool hasExpandedStreams);
    void lookAtName(std::uint64_t hash);
    void addDevice(Device& device);
    void addTask(const RawDeviceTask& task, const RawJoinedTask& joined, Device& device);
    void addTotals(const Device& device);
    bool takeMetricNames(const Device& device);
    void addCounters(Device& device);
    void addCollectives(Device& device);
    void addOverlap(Device& device);
    bool addLaunch(std::int64_t call, const RawLaunchEnd& end);
    bool isEventCall(const RawCall& call);
    std::string callName(std::uint16_t level, std::uint64_t item) const;
    const TaskType& typeOf(std::uint64_t type);
    const OpName& nameOf(std::uint64_t hash);

    const std::filesystem::path m_folder;
    const std::string m_name;
    RawSink& m_sink;
    RawFiles m_files;
    RawSettings m_settings;
    RawHost m_host;
    std::int64_t m_firstConnection = 1;
    unsigned m_callKind = 0;
    std::vector<DrawnCall> m_drawn;                     // by call
    std::vector<bool> m_isLaunch;                       // by call: a flow begins there
    std::unordered_map<std::uint32_t, bool> m_isEvent;  // by type of call
    const ProvisionalText m_noText;
    std::unordered_map<std::uint64_t, TaskType> m_types;
    std::unordered_map<std::uint64_t, OpName> m_texts;
    std::vector<std::unique_ptr<Device>> m_devices;
    std::vector<MarkRecord> m_marks;
    std::uint64_t m_ambiguous = 0;
    std::set<std::uint64_t> m_unnamed;  // hashes
};

/// Fills `kernel` and what communication files hold.
/// @param steps        Of the host.
/// @param isFramework  See addRawCollectives.
void addRawKernels(RawSink& sink, const std::vector<Step>& steps, bool isFramework);

}  // namespace altiscope::reader
