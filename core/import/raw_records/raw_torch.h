#pragma once

#include "core/import/raw_files/raw_clock.h"
#include "core/import/raw_files/raw_tlv.h"

#include <cstdint>
#include <deque>
#include <filesystem>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace altiscope::reader {

inline constexpr std::uint32_t kRawNoText = 0xffffffff;

/// Texts of FRAMEWORK, each once.
class RawTorchTexts {
public:
    std::uint32_t id(std::string_view text);
    const std::string& text(std::uint32_t id) const { return m_texts[id]; }
    std::size_t size() const { return m_texts.size(); }
    /// How many were none: not UTF-8, for which "N/A" stands, or with bytes of 0.
    std::uint64_t odd() const { return m_odd; }

private:
    static constexpr unsigned kRecentBits = 12;
    static std::size_t recentPlace(std::string_view text);

    std::uint64_t m_odd = 0;
    std::deque<std::string> m_texts;
    std::unordered_map<std::string_view, std::uint32_t> m_ids;
    /// Ids by recentPlace(): call stacks are long, and mostly those of a few calls.
    std::vector<std::uint32_t> m_recent = std::vector(std::size_t{1} << kRecentBits, kRawNoText);
};

/// A call of an operator. Times are wall time in ns here and below; `byte` is where the record begins in its file (of
/// the queue: the record of the end), `number` counts records.
struct RawTorchOp {
    std::int64_t begin = 0, end = 0, sequence = -1;
    std::uint64_t process = 0, thread = 0, forwardThread = 0, byte = 0;
    std::uint32_t name = kRawNoText, types = kRawNoText, shapes = kRawNoText, stack = kRawNoText, modules = kRawNoText,
                  extra = kRawNoText;
};

/// Work that was put into the queue of a thread, or taken from it.
struct RawQueueBar {
    std::int64_t begin = 0, end = 0;
    std::uint64_t process = 0, thread = 0, correlation = 0, byte = 0;
    std::uint32_t name = kRawNoText;
};

/// A call of a Python function or module.
struct RawPythonFrame {
    std::int64_t begin = 0, end = 0;
    std::uint64_t process = 0, thread = 0, number = 0;
    std::uint32_t name = kRawNoText;
    std::uint64_t id = 0, parent = 0;  ///< Numbers of the call's records within the thread.
    std::int64_t module = -1;          ///< Which one of its class; -1: no module.
};

/// An allocation or a release of the framework, with what is in use then.
struct RawMemoryUse {
    std::int64_t time = 0, pointer = 0, bytes = 0, allocated = 0, reserved = 0, active = 0, stream = 0;
    std::uint64_t process = 0, thread = 0;
    std::uint8_t device = 0, component = 0, event = 0, allocator = 0;
};

/// A run of Python's garbage collection.
struct RawGarbageRun {
    std::int64_t begin = 0, end = 0;
    std::uint64_t process = 0, number = 0;
};

/// Content of the files of FRAMEWORK.
struct RawTorch {
    RawTorchTexts texts;
    std::vector<RawTorchOp> ops;                  ///< In the order of the file.
    std::vector<RawQueueBar> enqueues, dequeues;  ///< By end.
    std::vector<RawPythonFrame> frames;           ///< In the order in which they return.
    std::vector<RawMemoryUse> memory;             ///< Uses of the memory of NPUs, by time.
    std::vector<RawGarbageRun> collections;
    bool hasQueue = false;  ///< There is a file of it.
};

/// The clock of FRAMEWORK. @param host  Settings of a PROF folder of the run; null: there is none.
/// "raw.no_clock" (lost) if nothing states it. Source: FORMAT.md.
struct RawTorchClock {
    RawClock clock;
    bool isKnown = false;
};
RawTorchClock rawTorchClock(const std::filesystem::path& rank, const std::string& name, const RawSettings* host,
                            Diagnostics& diagnostics);

/// Files of FRAMEWORK that are read; others are for "raw.not_read".
bool isReadTorchFile(std::string_view name);

/// Reads the files of a FRAMEWORK folder. Beside what RawTlvFile says: "raw.bad_record" (lost) for records that are
/// none or too short, "raw.unpaired" (lost) for ends without begin in the queue and the other way round, "raw.bad_time"
/// (lost), "raw.odd_text" (repaired) for texts that are missing or none; and info: "raw.lone_frame" for calls of Python
/// without return and the other way round, "raw.other_memory" for memory of something else than NPUs.
/// Memory: the records without their texts, and each text once. On all workers, a file each.
/// Source: FORMAT.md.
RawTorch readRawTorch(const std::filesystem::path& folder, const std::string& name, const RawClock& clock,
                      RawContext& context);
/// The calls of Python alone, likewise; their names are numbers without texts.
std::vector<RawPythonFrame> readRawFrames(const std::filesystem::path& folder, const std::string& name,
                                          const RawClock& clock, RawContext& context);

}  // namespace altiscope::reader
