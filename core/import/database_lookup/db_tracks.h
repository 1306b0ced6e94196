#pragma once

#include "core/store/seal/trace_builder.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>

namespace altiscope::reader {

/// Processes of a profiler timeline, in the order in which they are shown. The number of each is the layer index of the
/// text export's process ids, where that is known, so that both exports of a run name their tracks alike.
/// Source: core/import/trace/FORMAT.md sections 4 and 5.
enum class DbLayer : std::uint8_t {
    Python = 0,
    PythonGc = 1,
    StarsChip = 3,
    CoreUse = 4,
    NetDevice = 5,
    Mstx = 6,
    Cann = 7,
    OsRuntime = 8,
    CpuUsage = 9,
    MemoryUsage = 10,
    DiskUsage = 11,
    NetworkUsage = 12,
    Sio = 13,
    Hardware = 14,
    CoreFrequency = 15,
    Communication = 16,
    Ccu = 17,
    Dpu = 18,
    AccPmu = 19,
    StarsSoc = 20,
    Qos = 21,
    Ddr = 22,
    Ub = 23,
    Hbm = 24,
    Llc = 25,
    NpuMem = 26,
    Hccs = 27,
    Pcie = 28,
    Nic = 29,
    Roce = 30,
    Overlap = 31,
};

/// Facts of one database that decide how its tracks are called.
struct DbNaming {
    std::uint32_t file = 0;        ///< Number of the file.
    std::int64_t hostProcess = 0;  ///< Process id on the host; 0 if no table states it.
    bool saysHccl = false;         ///< Files before 2025 say HCCL where later ones say Communication.
    bool saysBandWidth = false;    ///< Likewise "write_band_width".
};

/// One worker's way to the tracks of a database; tells the builder what they are called when it meets them.
class DbTracks {
public:
    /// No device: the track belongs to the host.
    static constexpr std::int64_t kHost = -1;

    DbTracks(TraceBuilder& builder, TraceBuilder::Names& names, const DbNaming& naming)
        : m_builder(builder), m_names(names), m_naming(naming) {}

    /// "Thread {tid}"; globalTid = (pid << 32) | tid.
    static std::string threadName(std::int64_t globalTid) { return "Thread " + std::to_string(globalTid & 0xffffffff); }
    /// A thread of a host process, called so.
    ProvisionalTrack hostThread(DbLayer layer, std::int64_t globalTid);
    /// Anything else: a thread number within the layer of a device, and its name if it is new.
    template <class Name>
    ProvisionalTrack thread(DbLayer layer, std::int64_t device, std::int64_t thread, const Name& name) {
        const Key key{layer, device, thread};
        if (key == m_lastKey) return m_last;
        const auto known = m_tracks.find(key);
        if (known != m_tracks.end()) return remember(key, known->second);
        return remember(key, m_tracks.emplace(key, addThread(key, m_naming.hostProcess, name())).first->second);
    }
    ProvisionalTrack counter(DbLayer layer, std::int64_t device, std::string_view name);

private:
    struct Key {
        DbLayer layer{};
        std::int64_t device = 0, thread = 0;
        bool operator==(const Key&) const = default;
    };
    struct KeyHash {
        std::size_t operator()(const Key& key) const {
            const auto mixed =
                static_cast<std::uint64_t>(key.thread) * 0x9E3779B97F4A7C15ULL + static_cast<std::uint64_t>(key.device);
            return static_cast<std::size_t>((mixed ^ (mixed >> 29)) * 0xBF58476D1CE4E5B9ULL +
                                            static_cast<std::uint64_t>(key.layer));
        }
    };

    ProvisionalTrack remember(const Key& key, ProvisionalTrack track) {
        m_lastKey = key;
        return m_last = track;
    }
    ProvisionalTrack addThread(const Key& key, std::int64_t hostProcess, const std::string& name);
    /// The process id of a layer, after its name was stored.
    std::string process(DbLayer layer, std::int64_t device, std::int64_t hostProcess);

    TraceBuilder& m_builder;
    TraceBuilder::Names& m_names;
    const DbNaming& m_naming;
    std::unordered_map<Key, ProvisionalTrack, KeyHash> m_tracks;
    Key m_lastKey{DbLayer::Python, INT64_MIN, INT64_MIN};
    ProvisionalTrack m_last = 0;
};

}  // namespace altiscope::reader
