#include "core/import/raw/raw_sample_rows.h"

#include "core/trace/module_names.h"

#include <algorithm>
#include <cmath>
#include <string>
#include <string_view>
#include <unordered_map>

namespace altiscope::reader {

namespace {

constexpr double kBytesOfMega = 1024 * 1024, kBytesOfKilo = 1024;

/// Adds the values of one device's counters.
class SampleRows {
public:
    SampleRows(const DeviceSamples& samples, unsigned kind, RawSink& sink, Segment& segment)
        : m_samples(samples), m_kind(kind), m_sink(sink), m_segment(segment) {}

    void add() {
        addLlc();
        addDdr();
        addHccs();
        addPcie();
        addPorts(DbLayer::Nic, m_samples.nic);
        addPorts(DbLayer::Roce, m_samples.roce);
        addQos();
        addMemory();
    }

private:
    void value(DbLayer layer, const std::string& counter, std::string_view series, std::int64_t time, double value) {
        if (time < m_samples.begin) return;
        m_segment.samples.push_back({m_sink.tracks.counter(layer, m_samples.device, counter), m_sink.names.text(series),
                                     time, value, rawPosition(m_sink.file.number, m_kind, m_count++)});
    }

    void addLlc() {
        const std::string mode = m_samples.countsWrites ? "Write" : "Read";
        for (const LlcSample& one : m_samples.llc) {
            static constexpr double kPercent = 100;
            const std::string cache = "LLC " + std::to_string(one.cache) + ' ' + mode;
            // By the vendor's way to a percentage and back.
            value(DbLayer::Llc, cache + "/Hit Rate", "Hit Rate(%)", one.time, one.hitRate * kPercent / kPercent);
            value(DbLayer::Llc, cache + "/Throughput", "Throughput(MB/s)", one.time, one.megabytesPerSecond);
        }
    }
    void addDdr() {
        for (const DdrSample& one : m_samples.ddr) {
            value(DbLayer::Ddr, "DDR/Read", "Read(MB/s)", one.time, one.read);
            value(DbLayer::Ddr, "DDR/Write", "Write(MB/s)", one.time, one.write);
        }
    }
    void addHccs() {
        for (const HccsSample& one : m_samples.hccs) {
            value(DbLayer::Hccs, "Rx", "Rx(MB/s)", one.time, one.received);
            value(DbLayer::Hccs, "Tx", "Tx(MB/s)", one.time, one.sent);
        }
    }
    void addPcie() {
        static constexpr double kMicrosecondsOfSecond = 1e6, kNsOfMicrosecond = 1000;
        for (const PcieSample& one : m_samples.pcie) {
            const auto rate = [&one](PcieSample::Path path) {
                return static_cast<double>(one.values[path][2]) * kMicrosecondsOfSecond / kBytesOfMega;
            };
            const auto both = [&](const char* counter, double sent, double received) {
                value(DbLayer::Pcie, counter, "Tx", one.time, sent);
                value(DbLayer::Pcie, counter, "Rx", one.time, received);
            };
            both("PCIe_cpl", rate(PcieSample::SentCompletions), rate(PcieSample::Completions));
            both("PCIe_nonpost", rate(PcieSample::SentNonposted), rate(PcieSample::Nonposted));
            both("PCIe_nonpost_latency", static_cast<double>(one.values[PcieSample::Latency][2]) / kNsOfMicrosecond, 0);
            both("PCIe_post", rate(PcieSample::SentPosted), rate(PcieSample::Posted));
        }
    }
    void addPorts(DbLayer layer, const std::vector<PortSample>& samples) {
        for (const PortSample& one : samples) {
            // Of a port that can carry nothing no share can be said.
            if (one.megabitsPerSecond == 0) continue;
            const auto way = [&](const std::string& word, const PortSample::Way& counts) {
                static constexpr double kBitsOfByte = 8, kThousand = 1000;
                const std::string counter = "Port " + std::to_string(one.port) + '/' + word;
                const auto share = [&counts](std::uint64_t part) {
                    return counts.packets == 0 ? 0 : static_cast<double>(part) / static_cast<double>(counts.packets);
                };
                const double carried = std::trunc(counts.byteRate) * kBitsOfByte /
                                       (static_cast<double>(one.megabitsPerSecond) * kBytesOfMega);
                value(layer, counter, word + " Dropped Rate", one.time, share(counts.dropped));
                value(layer, counter, word + " Error Rate", one.time, share(counts.errors));
                value(layer, counter, word + " Packets", one.time, counts.packetRate);
                value(layer, counter, word + " Bandwidth Efficiency", one.time,
                      std::nearbyint(carried * kThousand) / kThousand);
            };
            way("Rx", one.received);
            way("Tx", one.sent);
        }
    }
    void addQos() {
        for (const QosSample& one : m_samples.qos) {
            for (std::size_t i = 0; i < m_samples.qosNames.size(); ++i)
                value(DbLayer::Qos, "QoS " + m_samples.qosNames[i], "value", one.time, one.rates[i]);
        }
    }
    void addMemory() {
        for (const NpuMemorySample& one : m_samples.memory) {
            const std::string whose = one.isDevice ? "Device/" : "APP/";
            const auto kilobytes = [](std::uint64_t bytes) { return static_cast<double>(bytes) / kBytesOfKilo; };
            value(DbLayer::NpuMem, whose + "DDR", "KB", one.time, kilobytes(one.ddr));
            value(DbLayer::NpuMem, whose + "HBM", "KB", one.time, kilobytes(one.hbm));
            value(DbLayer::NpuMem, whose + "Memory", "KB", one.time, kilobytes(one.ddr + one.hbm));
        }
    }

    const DeviceSamples& m_samples;
    const unsigned m_kind;
    RawSink& m_sink;
    Segment& m_segment;
    std::uint64_t m_count = 0;
};

void addModuleRows(const DeviceSamples& samples, RowTablesBuilder& rows) {
    static constexpr RowKind kKind = RowKind::ModuleMemory;
    if (samples.modules.empty()) return;
    RowBatch batch = rows.batch(kKind);
    for (const ModuleMemorySample& one : samples.modules) {
        if (one.time < samples.begin) continue;
        const std::string_view name = moduleName(one.module);
        batch.addRow();
        batch.setText(rowColumn(kKind, "component"), name.empty() ? "UNKNOWN" : name);
        batch.setInteger(rowColumn(kKind, "ts"), one.time);
        batch.setInteger(rowColumn(kKind, "reserved"), one.bytes);
        if (samples.device <= kGreatestDevice) batch.setInteger(rowColumn(kKind, "device_id"), samples.device);
    }
    rows.commit(batch);
}

}  // namespace

void addRawSamples(const DeviceSamples& samples, unsigned kind, RawSink& sink, Segment& segment) {
    SampleRows(samples, kind, sink, segment).add();
    if (sink.import.rows != nullptr) addModuleRows(samples, *sink.import.rows);
    for (const NpuMemorySample& one : samples.memory) {
        if (!one.isDevice && one.time >= samples.begin) sink.processMemory.emplace_back(samples.device, one);
    }
}

void addRawProcessMemory(const RawSink& sink, RowTablesBuilder& rows) {
    static constexpr RowKind kKind = RowKind::MemorySample;
    if (sink.processMemory.empty()) return;
    RowBatch batch = rows.batch(kKind);
    for (const auto& [device, one] : sink.processMemory) {
        batch.addRow();
        batch.setText(rowColumn(kKind, "component"), "APP");
        batch.setInteger(rowColumn(kKind, "ts"), one.time);
        batch.setInteger(rowColumn(kKind, "reserved"), static_cast<std::int64_t>((one.ddr + one.hbm) & INT64_MAX));
        if (device <= kGreatestDevice) batch.setInteger(rowColumn(kKind, "device_id"), device);
    }
    rows.commit(batch);
}

void addRawMarks(const std::vector<MarkRecord>& marks, unsigned kind, RawSink& sink) {
    if (marks.empty()) return;
    static constexpr unsigned kThreadBits = 32;
    Segment segment;
    const ProvisionalText noCategory = sink.names.text({});
    for (std::size_t i = 0; i < marks.size(); ++i) {
        const MarkRecord& mark = marks[i];
        const ProvisionalTrack track = sink.tracks.hostThread(
            DbLayer::Mstx, static_cast<std::int64_t>((std::uint64_t{mark.process} << kThreadBits) | mark.thread));
        const SourcePos pos = rawPosition(sink.file.number, kind, i);
        segment.slices.add(track, mark.begin, mark.end - mark.begin, sink.names.text(mark.message), noCategory, pos);
        if (mark.number != MarkRecord::kNoNumber)
            sink.points.push_back({DbFlowPoint::Kind::Mark, markConnection(mark), mark.begin, track, pos});
    }
    sink.rows += segment.slices.size();
    sink.import.builder.commit(rawPosition(sink.file.number, kind, 0), std::move(segment));
}

void addRawStreamMarks(const DeviceSamples& samples, const std::vector<MarkRecord>& marks, unsigned kind, RawSink& sink,
                       Segment& segment) {
    if (samples.marks.empty()) return;
    std::unordered_map<std::uint64_t, const MarkRecord*> known;
    for (const MarkRecord& mark : marks) {
        if (mark.number != MarkRecord::kNoNumber) known.try_emplace(mark.number, &mark);
    }
    const ProvisionalText noCategory = sink.names.text({});
    // One that nobody knows is called as the one before it, as the vendor does it.
    ProvisionalText name = sink.names.text("N/A");
    for (std::size_t i = 0; i < samples.marks.size(); ++i) {
        const StreamMark& mark = samples.marks[i];
        if (const auto found = known.find(mark.number); found != known.end())
            name = sink.names.text(found->second->message);
        const std::uint32_t stream = mark.stream;
        const ProvisionalTrack track = sink.tracks.thread(DbLayer::Hardware, samples.device, stream,
                                                          [stream] { return "Stream " + std::to_string(stream); });
        const SourcePos pos = rawPosition(sink.file.number, kind, i);
        segment.slices.add(track, mark.begin, mark.end - mark.begin, name, noCategory, pos);
        sink.points.push_back({DbFlowPoint::Kind::Task, streamMarkConnection(mark.number), mark.begin, track, pos});
    }
}

}  // namespace altiscope::reader
