#include "core/import/database_lookup/db_tracks.h"

#include "core/import/database_lookup/db_position.h"

namespace altiscope::reader {

namespace {

std::string_view layerName(DbLayer layer, const DbNaming& naming) {
    switch (layer) {
    case DbLayer::Python: return "Python";
    case DbLayer::PythonGc: return "Python GC";
    case DbLayer::StarsChip: return "Stars Chip Trans";
    case DbLayer::CoreUse: return "AI Core Utilization";
    case DbLayer::NetDevice: return "NetDev Stats";
    case DbLayer::Mstx: return "MsprofTx";
    case DbLayer::Cann: return "CANN";
    case DbLayer::OsRuntime: return "OS Runtime API";
    case DbLayer::CpuUsage: return "CPU Usage";
    case DbLayer::MemoryUsage: return "Memory Usage";
    case DbLayer::DiskUsage: return "Disk Usage";
    case DbLayer::NetworkUsage: return "Network Usage";
    case DbLayer::Sio: return "SIO";
    case DbLayer::Hardware: return "Ascend Hardware";
    case DbLayer::CoreFrequency: return "AI Core Freq";
    case DbLayer::Communication: return naming.saysHccl ? "HCCL" : "Communication";
    case DbLayer::Ccu: return "CCU";
    case DbLayer::Dpu: return "DPU";
    case DbLayer::AccPmu: return "Acc PMU";
    case DbLayer::StarsSoc: return "Stars Soc Info";
    case DbLayer::Qos: return "QoS";
    case DbLayer::Ddr: return "DDR";
    case DbLayer::Ub: return "Ub";
    case DbLayer::Hbm: return "HBM";
    case DbLayer::Llc: return "LLC";
    case DbLayer::NpuMem: return "NPU MEM";
    case DbLayer::Hccs: return "HCCS";
    case DbLayer::Pcie: return "PCIe";
    case DbLayer::Nic: return "NIC";
    case DbLayer::Roce: return "RoCE";
    case DbLayer::Overlap: return "Overlap Analysis";
    }
    return {};
}

constexpr std::int64_t kHostDevice = 31;  // of the five bits that name the device in a process id

}  // namespace

std::string DbTracks::process(DbLayer layer, std::int64_t device, std::int64_t hostProcess) {
    const auto index = static_cast<std::int64_t>(layer);
    std::string pid;
    if (layer == DbLayer::Python) pid = std::to_string(hostProcess);
    else pid = std::to_string((hostProcess << 10) | (index << 5) | (device == kHost ? kHostDevice : device & 31));
    // A device that does not fit into the numbers of the text export gets one of its own.
    if (device != kHost && (device < 0 || device >= kHostDevice)) pid += ':' + std::to_string(device);
    const SourcePos pos = dbPosition(m_naming.file, 0, 0);
    m_builder.setProcessName(pid, layerName(layer, m_naming), pos);
    m_builder.setProcessLabels(pid, device == kHost ? "CPU" : "NPU " + std::to_string(device), pos);
    m_builder.setProcessSort(pid, index, pos);
    return pid;
}

ProvisionalTrack DbTracks::addThread(const Key& key, std::int64_t hostProcess, const std::string& name) {
    const std::string pid = process(key.layer, key.device, hostProcess);
    // A host thread's number also tells its process, which `pid` says already.
    const std::int64_t number = key.device == kHost ? key.thread & 0xffffffff : key.thread;
    const std::string tid = std::to_string(number);
    const SourcePos pos = dbPosition(m_naming.file, 0, 0);
    m_builder.setThreadName(pid, tid, name, pos);
    m_builder.setThreadSort(pid, tid, number, pos);
    return m_names.thread(pid, tid);
}

ProvisionalTrack DbTracks::hostThread(DbLayer layer, std::int64_t globalTid) {
    const Key key{layer, kHost, globalTid};
    if (key == m_lastKey) return m_last;
    if (const auto known = m_tracks.find(key); known != m_tracks.end()) return remember(key, known->second);
    const std::string name = layer == DbLayer::PythonGc ? "Python GC" : threadName(globalTid);
    // Above 22 bits there is no process id: it is shifted to make room for layers.
    return remember(key, m_tracks.emplace(key, addThread(key, (globalTid >> 32) & 0x7fffffff, name)).first->second);
}

ProvisionalTrack DbTracks::counter(DbLayer layer, std::int64_t device, std::string_view name) {
    return m_names.counter(process(layer, device, m_naming.hostProcess), name);
}

}  // namespace altiscope::reader
