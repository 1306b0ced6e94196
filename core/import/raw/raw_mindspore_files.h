#pragma once

#include "core/import/raw/raw_import.h"
#include "core/import/raw_files/raw_blocks.h"
#include "core/import/raw_files/raw_tlv.h"

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace altiscope::reader {

/// Files of MindSpore in FRAMEWORK beside its events: memory of its pool, shapes of operators' inputs, and the
/// operators that the CPU ran. The reference names these files and describes none; layouts are those of MindSpore's
/// public source. Not checked with a capture of a real run: experimental. Source: core/import/raw_records/FORMAT.md.
class RawMindsporeFiles {
public:
    RawMindsporeFiles(const SourceFile& file, ImportContext& import)
        : m_file(file), m_import(import), m_names(import.builder) {}

    /// Whether a file of FRAMEWORK is read.
    static bool isRead(std::string_view name);
    /// Reads all of them that are there; draws what the CPU ran. "raw.bad_record" (lost): records and lines of
    /// something else; "raw.bad_time" (lost): times that no run has.
    /// @param folder  FRAMEWORK. @param name  Relative to the capture.
    void read(const std::filesystem::path& folder, const std::string& name, RawContext& context);
    /// Fills `operator`, `allocation` and `memory_sample`. After read(). O(n log n).
    void addRows(RowTablesBuilder& rows, const CancelToken& cancel) const;
    std::uint64_t rows() const { return m_rows; }

private:
    void addOperators(RowTablesBuilder& rows, const CancelToken& cancel) const;
    void addMemorySamples(RowTablesBuilder& rows, const CancelToken& cancel) const;
    void addAllocations(RowTablesBuilder& rows, const CancelToken& cancel) const;

    struct MemoryEvent {
        std::int64_t time;  ///< ns
        std::uint64_t pointer, bytes, used, reserved, stream;
        std::uint32_t device, owner;  ///< Owner: index in m_owners.
        bool isRelease;
    };
    struct Shapes {
        std::string name, shapes, types;
    };

    void readMemory(const RawFrameworkFile& source, RawContext& context);
    void readShapes(const RawFrameworkFile& source, RawContext& context);
    void readCpuOps(const RawFrameworkFile& source, RawContext& context);
    std::uint32_t owner(std::string_view name);
    ProvisionalTrack track(std::int64_t thread);

    const SourceFile& m_file;
    ImportContext& m_import;
    TraceBuilder::Names m_names;
    std::vector<MemoryEvent> m_memory;
    std::vector<std::string> m_owners;
    std::unordered_map<std::string, std::uint32_t> m_ownerNumbers;
    std::vector<Shapes> m_shapes;
    std::unordered_map<std::int64_t, ProvisionalTrack> m_tracks;  // by thread
    std::uint64_t m_rows = 0;
};

}  // namespace altiscope::reader
