#include "core/import/raw/raw_sample_rows.h"

#include "core/trace/module_names.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

namespace altiscope::reader {

namespace {

constexpr double kBytesOfMega = 1024 * 1024, kBytesOfKilo = 1024;

/// Adds the values of one device's counters.
class SampleRows {
public:
    SampleRows(const DeviceSamples& samples, unsigned kind, RawSink& sink, Segment& segment)
        : m_samples(samples), m_kind(kind), m_sink(sink), m_segment(segment) {}

    /// @return How many values are of before the collection.
    std::uint64_t add() {
        addLlc();
        addDdr();
        addHccs();
        addPcie();
        addPorts(DbLayer::Nic, m_samples.nic);
        addPorts(DbLayer::Roce, m_samples.roce);
        addQos();
        addMemory();
        addAccelerators();
        addChip();
        return m_early;
    }

private:
    /// A series of a counter; the import knows it from its first value on.
    struct Series {
        DbLayer layer;
        std::string counter;
        std::string_view name;
        std::optional<std::pair<ProvisionalTrack, ProvisionalText>> known{};
    };
    void value(Series& series, std::int64_t time, double value) {
        if (time < m_samples.begin) {
            ++m_early;
            return;
        }
        if (!series.known)
            series.known.emplace(m_sink.tracks.counter(series.layer, m_samples.device, series.counter),
                                 m_sink.names.text(series.name));
        m_segment.samples.push_back({series.known->first, series.known->second, time, value,
                                     rawPosition(m_sink.file.number, m_kind, m_count++)});
    }

    void addLlc() {
        struct Cache {
            Series hits, rate;
        };
        std::map<std::uint32_t, Cache> caches;
        const std::string mode = m_samples.countsWrites ? " Write" : " Read";
        for (const LlcSample& one : m_samples.llc) {
            static constexpr double kPercent = 100;
            auto cache = caches.find(one.cache);
            if (cache == caches.end()) {
                const std::string name = "LLC " + std::to_string(one.cache) + mode;
                cache = caches
                            .emplace(one.cache, Cache{{DbLayer::Llc, name + "/Hit Rate", "Hit Rate(%)"},
                                                      {DbLayer::Llc, name + "/Throughput", "Throughput(MB/s)"}})
                            .first;
            }
            // By the vendor's way to a percentage and back.
            value(cache->second.hits, one.time, one.hitRate * kPercent / kPercent);
            value(cache->second.rate, one.time, one.megabytesPerSecond);
        }
    }
    void addDdr() {
        Series read{DbLayer::Ddr, "DDR/Read", "Read(MB/s)"}, write{DbLayer::Ddr, "DDR/Write", "Write(MB/s)"};
        for (const DdrSample& one : m_samples.ddr) {
            value(read, one.time, one.read);
            value(write, one.time, one.write);
        }
    }
    void addHccs() {
        Series received{DbLayer::Hccs, "Rx", "Rx(MB/s)"}, sent{DbLayer::Hccs, "Tx", "Tx(MB/s)"};
        for (const HccsSample& one : m_samples.hccs) {
            value(received, one.time, one.received);
            value(sent, one.time, one.sent);
        }
    }
    void addPcie() {
        static constexpr double kMicrosecondsOfSecond = 1e6, kNsOfMicrosecond = 1000;
        struct Both {
            explicit Both(const char* counter)
                : sent{DbLayer::Pcie, counter, "Tx"}, received{DbLayer::Pcie, counter, "Rx"} {}
            Series sent, received;
        };
        Both completions("PCIe_cpl"), nonposted("PCIe_nonpost"), latency("PCIe_nonpost_latency"), posted("PCIe_post");
        for (const PcieSample& one : m_samples.pcie) {
            const auto rate = [&one](PcieSample::Path path) {
                return static_cast<double>(one.values[path][2]) * kMicrosecondsOfSecond / kBytesOfMega;
            };
            const auto both = [&](Both& counter, double sent, double received) {
                value(counter.sent, one.time, sent);
                value(counter.received, one.time, received);
            };
            both(completions, rate(PcieSample::SentCompletions), rate(PcieSample::Completions));
            both(nonposted, rate(PcieSample::SentNonposted), rate(PcieSample::Nonposted));
            both(latency, static_cast<double>(one.values[PcieSample::Latency][2]) / kNsOfMicrosecond, 0);
            both(posted, rate(PcieSample::SentPosted), rate(PcieSample::Posted));
        }
    }
    void addPorts(DbLayer layer, const std::vector<PortSample>& samples) {
        struct Way {
            Way(DbLayer layer, const std::string& counter, std::array<std::string_view, 4> names)
                : dropped{layer, counter, names[0]}, errors{layer, counter, names[1]},
                  packets{layer, counter, names[2]}, efficiency{layer, counter, names[3]} {}
            Series dropped, errors, packets, efficiency;
        };
        std::map<std::uint32_t, std::pair<Way, Way>> ports;  // received and sent
        for (const PortSample& one : samples) {
            // A port that can carry nothing has no share.
            if (one.megabitsPerSecond == 0) continue;
            auto port = ports.find(one.port);
            if (port == ports.end()) {
                const std::string name = "Port " + std::to_string(one.port);
                port =
                    ports
                        .try_emplace(one.port,
                                     Way(layer, name + "/Rx",
                                         {"Rx Dropped Rate", "Rx Error Rate", "Rx Packets", "Rx Bandwidth Efficiency"}),
                                     Way(layer, name + "/Tx",
                                         {"Tx Dropped Rate", "Tx Error Rate", "Tx Packets", "Tx Bandwidth Efficiency"}))
                        .first;
            }
            const auto add = [&](Way& way, const PortSample::Way& counts) {
                static constexpr double kBitsOfByte = 8, kThousand = 1000;
                const auto share = [&counts](std::uint64_t part) {
                    return counts.packets == 0 ? 0 : static_cast<double>(part) / static_cast<double>(counts.packets);
                };
                const double carried = std::trunc(counts.byteRate) * kBitsOfByte /
                                       (static_cast<double>(one.megabitsPerSecond) * kBytesOfMega);
                value(way.dropped, one.time, share(counts.dropped));
                value(way.errors, one.time, share(counts.errors));
                value(way.packets, one.time, counts.packetRate);
                value(way.efficiency, one.time, std::nearbyint(carried * kThousand) / kThousand);
            };
            add(port->second.first, one.received);
            add(port->second.second, one.sent);
        }
    }
    void addQos() {
        std::vector<Series> all;
        for (const std::string& name : m_samples.qosNames) all.push_back({DbLayer::Qos, "QoS " + name, "value"});
        for (const QosSample& one : m_samples.qos) {
            for (std::size_t i = 0; i < all.size(); ++i) value(all[i], one.time, one.rates[i]);
        }
    }
    void addMemory() {
        struct Memory {
            explicit Memory(const std::string& whose)
                : ddr{DbLayer::NpuMem, whose + "DDR", "KB"}, hbm{DbLayer::NpuMem, whose + "HBM", "KB"},
                  sum{DbLayer::NpuMem, whose + "Memory", "KB"} {}
            Series ddr, hbm, sum;
        };
        Memory ofProcess("APP/"), ofDevice("Device/");
        for (const NpuMemorySample& one : m_samples.memory) {
            Memory& memory = one.isDevice ? ofDevice : ofProcess;
            const auto kilobytes = [](std::uint64_t bytes) { return static_cast<double>(bytes) / kBytesOfKilo; };
            value(memory.ddr, one.time, kilobytes(one.ddr));
            value(memory.hbm, one.time, kilobytes(one.hbm));
            value(memory.sum, one.time, kilobytes(one.ddr + one.hbm));
        }
    }

    /// The largest level of all accelerators that were seen at a time, as the text export has it.
    void addAccelerators() {
        static constexpr std::pair<const char*, std::uint32_t AcceleratorSample::*> kLevels[] = {
            {"read_bandwidth", &AcceleratorSample::readRate},
            {"read_ost", &AcceleratorSample::readRequests},
            {"write_bandwidth", &AcceleratorSample::writeRate},
            {"write_ost", &AcceleratorSample::writeRequests}};
        const std::vector<AcceleratorSample>& all = m_samples.accelerators;
        for (const auto& [name, level] : kLevels) {
            Series series{DbLayer::AccPmu, name, "value"};
            for (std::size_t i = 0; i < all.size();) {
                std::uint32_t max = 0;
                const std::int64_t time = all[i].time;
                for (; i < all.size() && all[i].time == time; ++i) max = std::max(max, all[i].*level);
                value(series, time, static_cast<double>(max));
            }
        }
    }
    void addChip() {
        std::map<std::pair<std::uint32_t, std::size_t>, Series> dies;
        std::map<std::uint32_t, std::string> dieNames;
        for (const DieLinkSample& one : m_samples.dieLinks) {
            const std::string& name = dieNames.try_emplace(one.die, "die " + std::to_string(one.die)).first->second;
            for (std::size_t i = 0; i < DieLinkSample::kPaths; ++i) {
                const auto series =
                    dies.try_emplace({one.die, i}, Series{DbLayer::Sio, std::string(DieLinkSample::kNames[i]), name});
                value(series.first->second, one.time, one.rates[i]);
            }
        }
        Series buffer{DbLayer::StarsSoc, "L2 Buffer Bw Level", "L2 Buffer Bw Level"},
            mata{DbLayer::StarsSoc, "Mata Bw Level", "Mata Bw Level"};
        for (const ChipLevelSample& one : m_samples.chipLevels) {
            value(buffer, one.time, one.buffer);
            value(mata, one.time, one.mata);
        }
        struct Link {
            Link(const char* counter, const char* linkName)
                : rate{DbLayer::StarsChip, counter, counter}, link{DbLayer::StarsChip, counter, linkName} {}
            Series rate, link;
        };
        Link pcieRead("PCIE Read Bandwidth", "PCIE ID"), pcieWritten("PCIE Write Bandwidth", "PCIE ID");
        Link received("PA Link Rx", "PA Link ID"), sent("PA Link Tx", "PA Link ID");
        for (const ChipLinkSample& one : m_samples.chipLinks) {
            const auto add = [&](Link& to, std::uint64_t rate) {
                value(to.rate, one.time, static_cast<double>(rate));
                value(to.link, one.time, one.link);
            };
            add(one.isPcie ? pcieWritten : received, one.first);
            add(one.isPcie ? pcieRead : sent, one.second);
        }
    }

    const DeviceSamples& m_samples;
    const unsigned m_kind;
    RawSink& m_sink;
    Segment& m_segment;
    std::uint64_t m_count = 0, m_early = 0;
};

/// @return How many samples are of before the collection.
std::uint64_t addModuleRows(const DeviceSamples& samples, RowTablesBuilder& rows) {
    static constexpr RowKind kKind = RowKind::ModuleMemory;
    std::uint64_t early = 0;
    if (samples.modules.empty()) return early;
    RowBatch batch = rows.batch(kKind);
    for (const ModuleMemorySample& one : samples.modules) {
        if (one.time < samples.begin) {
            ++early;
            continue;
        }
        const std::string_view name = moduleName(one.module);
        batch.addRow();
        batch.setText(fixedColumn(kKind, "component"), name.empty() ? "UNKNOWN" : name);
        batch.setInteger(fixedColumn(kKind, "ts"), one.time);
        batch.setInteger(fixedColumn(kKind, "reserved"), one.bytes);
        if (samples.device <= kMaxDevice) batch.setInteger(fixedColumn(kKind, "device_id"), samples.device);
    }
    rows.commit(batch);
    return early;
}

/// As the text export has them: chips that count hits wrongly have none.
void addCacheRows(const DeviceSamples& samples, RowTablesBuilder& rows) {
    static constexpr RowKind kKind = RowKind::L2Cache;
    if (samples.caches.empty()) return;
    RowBatch batch = rows.batch(kKind);
    for (const TaskShares& one : samples.caches) {
        batch.addRow();
        if (samples.device <= kMaxDevice) batch.setInteger(fixedColumn(kKind, "device_id"), samples.device);
        batch.setInteger(fixedColumn(kKind, "stream_id"), one.stream);
        batch.setInteger(fixedColumn(kKind, "task_id"), one.task);
        if (samples.knowsHits) batch.setReal(fixedColumn(kKind, "hit_rate"), one.hits);
        batch.setReal(fixedColumn(kKind, "victim_rate"), one.others);
        if (!one.op.empty()) batch.setText(fixedColumn(kKind, "op_name"), one.op);
    }
    rows.commit(batch);
}

}  // namespace

void addRawSamples(const DeviceSamples& samples, const std::string& data, unsigned kind, RawSink& sink,
                   Segment& segment) {
    std::uint64_t early = SampleRows(samples, kind, sink, segment).add();
    if (sink.import.rows != nullptr) {
        early += addModuleRows(samples, *sink.import.rows);
        addCacheRows(samples, *sink.import.rows);
    }
    for (const NpuMemorySample& one : samples.memory) {
        if (one.isDevice) continue;
        if (one.time >= samples.begin) sink.processMemory.emplace_back(samples.device, one);
        else ++early;
    }
    if (early > 0) sink.import.diagnostics.add("raw.early", Severity::Info, data, {}, {}, early);
}

void addRawProcessMemory(const RawSink& sink, RowTablesBuilder& rows) {
    static constexpr RowKind kKind = RowKind::MemorySample;
    if (sink.processMemory.empty()) return;
    RowBatch batch = rows.batch(kKind);
    for (const auto& [device, one] : sink.processMemory) {
        batch.addRow();
        batch.setText(fixedColumn(kKind, "component"), "APP");
        batch.setInteger(fixedColumn(kKind, "ts"), one.time);
        batch.setInteger(fixedColumn(kKind, "reserved"), static_cast<std::int64_t>((one.ddr + one.hbm) & INT64_MAX));
        if (device <= kMaxDevice) batch.setInteger(fixedColumn(kKind, "device_id"), device);
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
    // An unknown one is called as the one before it, as the vendor does it.
    ProvisionalText name = sink.names.text("N/A");
    std::uint64_t unknown = 0;
    for (std::size_t i = 0; i < samples.marks.size(); ++i) {
        const StreamMark& mark = samples.marks[i];
        const auto found = known.find(mark.number);
        if (found != known.end()) name = sink.names.text(found->second->message);
        else ++unknown;
        const std::uint32_t stream = mark.stream;
        const ProvisionalTrack track = sink.tracks.thread(DbLayer::Hardware, samples.device, stream,
                                                          [stream] { return "Stream " + std::to_string(stream); });
        const SourcePos pos = rawPosition(sink.file.number, kind, i);
        segment.slices.add(track, mark.begin, mark.end - mark.begin, name, noCategory, pos);
        sink.points.push_back({DbFlowPoint::Kind::Task, streamMarkConnection(mark.number), mark.begin, track, pos});
    }
    if (unknown > 0)
        sink.import.diagnostics.add("raw.unknown_mark", Severity::Repaired, sink.file.name, {}, {}, unknown);
}

}  // namespace altiscope::reader
