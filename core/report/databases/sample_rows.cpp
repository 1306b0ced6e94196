#include "core/report/databases/sample_rows.h"

#include "core/report/databases/database_schema.h"

#include <algorithm>
#include <cstdint>
#include <cstdlib>

namespace altiscope {

namespace {

constexpr double kBytesOfMegabyteSample = 1024 * 1024;
/// Number that is not known or does not apply.
constexpr std::uint32_t kNoSampleNumber = 0xffffffff;

class SampleTables {
public:
    SampleTables(const DeliverableInput& input, SqliteFile& file, DatabaseTexts& texts)
        : m_input(input), m_file(file), m_texts(texts) {}

    void add() {
        for (const DeviceSamples& device : m_input.tasks.samples) {
            if (m_input.cancel.cancelled()) return;
            addDdr(device);
            addLlc(device);
            addMemory(device);
            addQos(device);
            addLinks(device);
            addChip(device);
            addPorts(device, device.nic, ProfilerTable::Nic);
            addPorts(device, device.roce, ProfilerTable::Roce);
        }
        addGraphMemory();
    }

private:
    /// At most what a column can have: damaged counts over a moment give any rate.
    static DbValue wholeBytes(double megabytes) {
        static constexpr double kMax = 9e18;
        return static_cast<std::int64_t>(std::clamp(megabytes * kBytesOfMegabyteSample, -kMax, kMax));
    }

    void addDdr(const DeviceSamples& device) {
        for (const DdrSample& one : device.ddr) {
            if (one.time >= device.begin)
                m_file.insert(ProfilerTable::Ddr,
                              {device.device, one.time, wholeBytes(one.read), wholeBytes(one.write)});
        }
    }
    void addLlc(const DeviceSamples& device) {
        static constexpr double kPercent = 100;
        for (const LlcSample& one : device.llc) {
            if (one.time < device.begin) continue;
            const std::uint32_t mode = m_texts.id(device.countsWrites ? "write" : "read");
            m_file.insert(ProfilerTable::Llc, {device.device, one.cache, one.time, one.hitRate * kPercent,
                                               wholeBytes(one.megabytesPerSecond), mode});
        }
    }
    void addMemory(const DeviceSamples& device) {
        for (const NpuMemorySample& one : device.memory) {
            if (one.time >= device.begin)
                m_file.insert(ProfilerTable::NpuMem,
                              {m_texts.id(one.isDevice ? "device" : "app"), one.ddr, one.hbm, one.time, device.device});
        }
        for (const ModuleMemorySample& one : device.modules) {
            if (one.time >= device.begin)
                m_file.insert(ProfilerTable::NpuModuleMem, {one.module, one.time, one.bytes, device.device});
        }
    }
    void addQos(const DeviceSamples& device) {
        static constexpr std::int64_t kWholeMegabyte = 1024 * 1024;
        for (const QosSample& one : device.qos) {
            if (one.time < device.begin) continue;
            for (std::size_t i = 0; i < device.qosNames.size(); ++i)
                m_file.insert(ProfilerTable::Qos, {device.device, m_texts.id("QoS " + device.qosNames[i]),
                                                   one.rates[i] * kWholeMegabyte, one.time, -1});
        }
    }
    void addGraphMemory() {
        static constexpr unsigned kThreadBits = 32;
        const TaskRecords& records = m_input.tasks;
        const std::int64_t begin = records.collections.empty() ? 0 : records.collections.front().wall;
        for (const GraphMemoryRecord& one : records.graphMemory) {
            if (one.time < begin) continue;
            // The largest size below 0 has no positive one.
            const std::int64_t size = one.bytes == INT64_MIN ? INT64_MAX : std::abs(one.bytes);
            m_file.insert(ProfilerTable::NpuOpMem,
                          {m_texts.id(one.op), one.address, m_texts.id(one.bytes < 0 ? "release" : "allocate"), size,
                           one.time, (one.process << kThreadBits) | one.thread, one.allocated, one.reserved,
                           m_texts.id("GE"), one.device});
        }
    }
    void addChip(const DeviceSamples& device) {
        for (const AcceleratorSample& one : device.accelerators) {
            if (one.time >= device.begin)
                m_file.insert(ProfilerTable::AccPmu, {one.accelerator, one.readRate, one.writeRate, one.readRequests,
                                                      one.writeRequests, one.time, device.device});
        }
        for (const ChipLevelSample& one : device.chipLevels) {
            if (one.time >= device.begin)
                m_file.insert(ProfilerTable::SocBandwidthLevel, {one.buffer, one.mata, one.time, device.device});
        }
        for (const DieLinkSample& one : device.dieLinks) {
            if (one.time < device.begin) continue;
            const auto bytes = [&one](std::size_t path) { return one.rates[path] * 1024 * 1024; };
            m_file.insert(ProfilerTable::Sio,
                          {device.device, m_texts.id("die " + std::to_string(one.die)), one.time, bytes(0), bytes(1),
                           bytes(2), bytes(3), bytes(4), bytes(5), bytes(6), bytes(7)});
        }
    }
    void addLinks(const DeviceSamples& device) {
        for (const HccsSample& one : device.hccs) {
            if (one.time >= device.begin)
                m_file.insert(ProfilerTable::Hccs,
                              {device.device, one.time, wholeBytes(one.sent), wholeBytes(one.received)});
        }
        for (const PcieSample& one : device.pcie) {
            if (one.time < device.begin) continue;
            const auto value = [&one](std::size_t place) {
                // Bytes per us, but of the latency.
                static constexpr std::uint64_t kMicrosecondsOfSecond = 1'000'000;
                const std::size_t path = place / 3;
                return one.values[path][place % 3] * (path == PcieSample::Latency ? 1 : kMicrosecondsOfSecond);
            };
            m_file.insert(ProfilerTable::Pcie,
                          {device.device, one.time,  value(0),  value(1),  value(2),  value(3),  value(4),  value(5),
                           value(6),      value(7),  value(8),  value(9),  value(10), value(11), value(12), value(13),
                           value(14),     value(15), value(16), value(17), value(18), value(19), value(20)});
        }
    }
    void addPorts(const DeviceSamples& device, const std::vector<PortSample>& samples, ProfilerTable table) {
        static constexpr std::uint64_t kWholeMegabit = 1024 * 1024;
        // The vendor's columns have 32 bits.
        const auto cut = [](std::uint64_t value) { return static_cast<std::uint32_t>(value); };
        for (const PortSample& one : samples) {
            if (one.time < device.begin) continue;
            const PortSample::Way &in = one.received, &out = one.sent;
            m_file.insert(table, {device.device, one.time, one.megabitsPerSecond * kWholeMegabit, in.packetRate,
                                  in.byteRate, cut(in.packets), cut(in.bytes), cut(in.errors), cut(in.dropped),
                                  out.packetRate, out.byteRate, cut(out.packets), cut(out.bytes), cut(out.errors),
                                  cut(out.dropped), one.port});
        }
    }

    const DeliverableInput& m_input;
    SqliteFile& m_file;
    DatabaseTexts& m_texts;
};

}  // namespace

void addSampleRows(const DeliverableInput& input, SqliteFile& file, DatabaseTexts& texts) {
    SampleTables(input, file, texts).add();
}

void addMarkRows(const DeliverableInput& input, SqliteFile& file, DatabaseTexts& texts) {
    const TaskRecords& records = input.tasks;
    for (const MarkRecord& mark : records.marks) {
        if (input.cancel.cancelled()) return;
        const bool isNumbered = mark.number != MarkRecord::kNoNumber;
        // Thread in the process of the collection, as calls have it.
        const std::int64_t thread = (records.process << 32) | mark.thread;
        file.insert(ProfilerTable::MstxEvents,
                    {mark.begin, mark.end, static_cast<std::uint32_t>(mark.kind), kNoSampleNumber,
                     isNumbered ? kNoSampleNumber : mark.category, texts.id(mark.message), thread, thread,
                     texts.id(mark.domain), markConnection(mark)});
    }
    auto id = static_cast<std::int64_t>(records.tasks.size());
    for (const DeviceSamples& device : records.samples) {
        for (const StreamMark& mark : device.marks)
            file.insert(ProfilerTable::Task,
                        {mark.begin, mark.end, device.device, streamMarkConnection(mark.number), id++, records.process,
                         texts.id("MsTx"), kNoSampleNumber, mark.stream, mark.task, mark.model});
    }
}

}  // namespace altiscope
