#include "core/import/database/db_counter_scans.h"

#include "core/import/database/db_memory_rows.h"
#include "core/import/database_lookup/db_position.h"

#include <array>
#include <utility>

namespace altiscope::reader {

namespace {

constexpr double kMega = 1024 * 1024;
constexpr double kKilo = 1024;

/// One value of a row. In names, "{n}" stands for the number of the row's line and "{t}" for its text.
struct SampleValue {
    const char* column;
    const char* counter;
    const char* series;
    double divisor = 1;          ///< Not a factor: 71.7 / 100 is the 0.717 of the JSON, 71.7 * 0.01 is not.
    const char* plus = nullptr;  ///< A second column that is added.
};

using CounterValues = std::array<SampleValue, 24>;

/// A table of samples: which column tells the time, the device, the number and the text that tell its lines apart.
struct SampleTable {
    const char* table;
    DbLayer layer;
    const char* number;  ///< Column, or null.
    const char* text;    ///< Column with a text id, or null.
    CounterValues values;
    bool onHost = false;
    const char* time = "timestampNs";
};

/// Values of a port of the network: of NIC and of RoCE.
constexpr CounterValues kPortColumns = {{{"rxPacketRate", "Port {n}/Rx", "Rx Packet Rate"},
                                         {"rxByteRate", "Port {n}/Rx", "Rx Byte Rate"},
                                         {"rxPackets", "Port {n}/Rx", "Rx Packets"},
                                         {"rxBytes", "Port {n}/Rx", "Rx Bytes"},
                                         {"rxErrors", "Port {n}/Rx", "Rx Errors"},
                                         {"rxDropped", "Port {n}/Rx", "Rx Dropped"},
                                         {"txPacketRate", "Port {n}/Tx", "Tx Packet Rate"},
                                         {"txByteRate", "Port {n}/Tx", "Tx Byte Rate"},
                                         {"txPackets", "Port {n}/Tx", "Tx Packets"},
                                         {"txBytes", "Port {n}/Tx", "Tx Bytes"},
                                         {"txErrors", "Port {n}/Tx", "Tx Errors"},
                                         {"txDropped", "Port {n}/Tx", "Tx Dropped"}}};

constexpr SampleTable kTables[] = {
    {"HBM", DbLayer::Hbm, "hbmId", "type", {{{"bandwidth", "HBM {n}/{t}", "{t}(MB/s)", kMega}}}},
    {"DDR",
     DbLayer::Ddr,
     nullptr,
     nullptr,
     {{{"read", "DDR/Read", "Read(MB/s)", kMega}, {"write", "DDR/Write", "Write(MB/s)", kMega}}}},
    {"LLC",
     DbLayer::Llc,
     "llcId",
     "mode",
     {{{"hitRate", "LLC {n} {t}/Hit Rate", "Hit Rate(%)", 100},
       {"throughput", "LLC {n} {t}/Throughput", "Throughput(MB/s)", kMega}}}},
    {"NPU_MEM",
     DbLayer::NpuMem,
     nullptr,
     "type",
     {{{"hbm", "{t}/HBM", "KB", kKilo}, {"ddr", "{t}/DDR", "KB", kKilo}, {"hbm", "{t}/Memory", "KB", kKilo, "ddr"}}}},
    {"AICORE_FREQ", DbLayer::CoreFrequency, "dieId", nullptr, {{{"freq", "AI Core Freq{n}", "MHz"}}}},
    {"ACC_PMU",
     DbLayer::AccPmu,
     "accId",
     nullptr,
     {{{"readBwLevel", "read_bandwidth", "value acc_id={n}"},
       {"writeBwLevel", "{w}", "value acc_id={n}"},
       {"readOstLevel", "read_ost", "value acc_id={n}"},
       {"writeOstLevel", "write_ost", "value acc_id={n}"}}}},
    {"SOC_BANDWIDTH_LEVEL",
     DbLayer::StarsSoc,
     nullptr,
     nullptr,
     {{{"l2BufferBwLevel", "L2 Buffer Bw Level", "L2 Buffer Bw Level"},
       {"mataBwLevel", "Mata Bw Level", "Mata Bw Level"}}}},
    {"QOS", DbLayer::Qos, "dieId", "eventName", {{{"bandwidth", "QoS {t}", "{d}", kMega}}}},
    {"HCCS",
     DbLayer::Hccs,
     nullptr,
     nullptr,
     {{{"txThroughput", "Tx", "Tx(MB/s)", kMega}, {"rxThroughput", "Rx", "Rx(MB/s)", kMega}}}},
    {"PCIE",
     DbLayer::Pcie,
     nullptr,
     nullptr,
     {{{"txPostAvg", "PCIe_post", "Tx", kMega},
       {"rxPostAvg", "PCIe_post", "Rx", kMega},
       {"txNonpostAvg", "PCIe_nonpost", "Tx", kMega},
       {"rxNonpostAvg", "PCIe_nonpost", "Rx", kMega},
       {"txCplAvg", "PCIe_cpl", "Tx", kMega},
       {"rxCplAvg", "PCIe_cpl", "Rx", kMega},
       {"txNonpostLatencyAvg", "PCIe_nonpost_latency", "Tx", 1000}}}},
    {"NIC", DbLayer::Nic, "funcId", nullptr, kPortColumns},
    {"ROCE", DbLayer::Roce, "funcId", nullptr, kPortColumns},
    {"UB",
     DbLayer::Ub,
     "portId",
     nullptr,
     {{{"rxUdmaBind", "Port {n}/Rx", "Rx"}, {"txUdmaBind", "Port {n}/Tx", "Tx"}}}},
    {"SIO",
     DbLayer::Sio,
     nullptr,
     "name",
     {{{"rxReq", "{t}", "req_rx", kMega},
       {"rxRsp", "{t}", "rsp_rx", kMega},
       {"rxSnp", "{t}", "snp_rx", kMega},
       {"rxDat", "{t}", "dat_rx", kMega},
       {"txReq", "{t}", "req_tx", kMega},
       {"txRsp", "{t}", "rsp_tx", kMega},
       {"txSnp", "{t}", "snp_tx", kMega},
       {"txDat", "{t}", "dat_tx", kMega}}}},
    {"NETDEV_STATS",
     DbLayer::NetDevice,
     nullptr,
     nullptr,
     {{{"macTxPfcPkt", "Mac/Tx", "macTxPfcPkt"},
       {"macTxByte", "Mac/Tx", "macTxByte"},
       {"macTxBandwidth", "Mac/Tx", "macTxBandwidth"},
       {"macTxBadByte", "Mac/Tx", "macTxBadByte"},
       {"macRxPfcPkt", "Mac/Rx", "macRxPfcPkt"},
       {"macRxByte", "Mac/Rx", "macRxByte"},
       {"macRxBandwidth", "Mac/Rx", "macRxBandwidth"},
       {"macRxBadByte", "Mac/Rx", "macRxBadByte"},
       {"roceTxPkt", "RoCE/Tx", "roceTxPkt"},
       {"roceTxErrPkt", "RoCE/Tx", "roceTxErrPkt"},
       {"roceTxCnpPkt", "RoCE/Tx", "roceTxCnpPkt"},
       {"roceRxPkt", "RoCE/Rx", "roceRxPkt"},
       {"roceRxErrPkt", "RoCE/Rx", "roceRxErrPkt"},
       {"roceRxCnpPkt", "RoCE/Rx", "roceRxCnpPkt"},
       {"roceNewPktRty", "RoCE/Tx", "roceNewPktRty"},
       {"nicTxByte", "NIC/Tx", "nicTxByte"},
       {"nicTxBandwidth", "NIC/Tx", "nicTxBandwidth"},
       {"nicRxByte", "NIC/Rx", "nicRxByte"},
       {"nicRxBandwidth", "NIC/Rx", "nicRxBandwidth"}}}},
    {"SAMPLE_PMU_TIMELINE",
     DbLayer::CoreUse,
     "coreId",
     "coreType",
     {{{"usage", "{t} {n}", "utilization(%)"}, {"totalCycle", "{t} {n}", "totalCycle"}, {"freq", "{t} {n}", "MHz"}}}},
    {"CPU_USAGE", DbLayer::CpuUsage, "cpuId", nullptr, {{{"usage", "CPU {n}", "Usage(%)"}}}, true},
    {"HOST_MEM_USAGE", DbLayer::MemoryUsage, nullptr, nullptr, {{{"usage", "Memory Usage", "Usage(%)"}}}, true},
    {"HOST_DISK_USAGE",
     DbLayer::DiskUsage,
     nullptr,
     nullptr,
     {{{"usage", "Disk Usage", "Usage(%)"}, {"readRate", "Disk Usage", "Read"}, {"writeRate", "Disk Usage", "Write"}}},
     true},
    {"HOST_NETWORK_USAGE",
     DbLayer::NetworkUsage,
     nullptr,
     nullptr,
     {{{"usage", "Network Usage", "Usage(%)"}, {"speed", "Network Usage", "Speed"}}},
     true},
};

/// Layers whose texts are words of memoryWord().
bool isMemory(DbLayer layer) { return layer == DbLayer::Hbm || layer == DbLayer::Llc || layer == DbLayer::NpuMem; }

/// "read" -> "Read", "app" -> "APP", "device" -> "Device": as the text export spells what tables abbreviate.
std::string spelled(DbLayer layer, std::string_view text) {
    // The vendor's tables hold the counter's whole name, ours the event alone.
    static constexpr std::string_view kQos = "QoS ";
    if (layer == DbLayer::Qos && text.starts_with(kQos)) return std::string(text.substr(kQos.size()));
    std::string word(text);
    if (!isMemory(layer) || word.empty()) return word;
    if (word == "app") return "APP";
    if (word.front() >= 'a' && word.front() <= 'z') word.front() = static_cast<char>(word.front() - 'a' + 'A');
    return word;
}

struct Line {
    std::int64_t number;
    bool hasNumber;
    std::string text;
    bool saysBandWidth;
};

std::string filled(std::string_view pattern, const Line& line, DbLayer layer) {
    std::string made;
    for (std::size_t i = 0; i < pattern.size(); ++i) {
        if (pattern[i] != '{' || i + 2 >= pattern.size()) {
            made += pattern[i];
            continue;
        }
        switch (pattern[i + 1]) {
        case 't': made += line.text; break;
        case 'w': made += line.saysBandWidth ? "write_band_width" : "write_bandwidth"; break;
        // -1 is the die of chips that have one only.
        case 'd':
            made += line.hasNumber && line.number >= 0 ? "die " + std::to_string(line.number) : std::string("value");
            break;
        default:
            if (layer == DbLayer::CoreFrequency)
                made += line.hasNumber && line.number >= 0 ? " Die " + std::to_string(line.number) : "";
            else made += std::to_string(line.number);
        }
        i += 2;
    }
    return made;
}

/// Values in columns from this one on; before them time, device, number and text.
constexpr int kFirstValue = 4;

void takeRow(const DbContext& context, std::size_t tableNumber, const DbRow& row, SourcePos pos, DbWorker& worker,
             DbPart& part) {
    const SampleTable& table = kTables[tableNumber];
    const auto time = row.neededTime(0);
    if (!time) return;
    const std::int64_t device = table.onHost ? DbTracks::kHost : row.integerOr(1, context.firstDevice);
    const bool hasNumber = table.number != nullptr && !row.isNull(2);
    const std::int64_t number = hasNumber ? row.integerOr(2, 0) : 0;
    const std::int64_t text = table.text != nullptr ? row.integerOr(3, -1) : 0;
    int column = kFirstValue;
    for (std::size_t v = 0; v < table.values.size() && table.values[v].column != nullptr; ++v) {
        const SampleValue& value = table.values[v];
        auto amount = row.real(column++, DbProblem::WrongType);
        if (value.plus != nullptr) {
            const auto more = row.real(column++, DbProblem::WrongType);
            if (more) amount = amount.value_or(0) + *more;
        }
        if (!amount) continue;
        const auto [known, isNew] = worker.counterLines.try_emplace(
            {tableNumber * 64 + v, device, hasNumber ? number : INT64_MIN, text}, DbWorker::CounterLine{});
        if (isNew) {
            const std::string_view word = table.text == nullptr   ? std::string_view()
                                          : isMemory(table.layer) ? memoryWord(context, text)
                                                                  : context.texts.text(text);
            const Line line{number, hasNumber, spelled(table.layer, word), context.naming.saysBandWidth};
            known->second.track = worker.tracks.counter(table.layer, device, filled(value.counter, line, table.layer));
            known->second.series = worker.names.text(filled(value.series, line, table.layer));
        }
        part.segment.samples.push_back(
            {known->second.track, known->second.series, *time, *amount / value.divisor, pos});
        ++part.rows;
    }
}

}  // namespace

std::vector<DbScan> counterScans(const DbContext& context) {
    std::vector<DbScan> scans;
    for (std::size_t i = 0; i < std::size(kTables); ++i) {
        const SampleTable& table = kTables[i];
        DbScan scan;
        scan.table = table.table;
        scan.code = static_cast<std::uint8_t>(static_cast<std::size_t>(DbTableCode::FirstCounter) + i);
        scan.columns = {table.time, "deviceId", table.number != nullptr ? table.number : "deviceId",
                        table.text != nullptr ? table.text : "deviceId"};
        for (const SampleValue& value : table.values) {
            if (value.column == nullptr) break;
            scan.columns.push_back(value.column);
            if (value.plus != nullptr) scan.columns.push_back(value.plus);
        }
        scan.needed = 1;
        scan.take = [&context, i](const DbRow& row, SourcePos pos, DbWorker& worker, DbPart& part) {
            takeRow(context, i, row, pos, worker, part);
        };
        scans.push_back(std::move(scan));
    }
    return scans;
}

}  // namespace altiscope::reader
