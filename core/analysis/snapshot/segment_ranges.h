#pragma once

#include "core/analysis/snapshot/device_snapshot.h"

#include <cstdint>
#include <map>

namespace altiscope {

/// The segments of a device while a history is undone. What does not fit changes nothing: the reader has counted it.
/// Source: core/import/snapshot/FORMAT.md section 3.
class SegmentRanges {
public:
    using Ranges = std::map<std::int64_t, std::int64_t>;  // end by begin

    const Ranges& all() const { return m_ranges; }
    void add(std::int64_t address, std::int64_t size);
    void remove(std::int64_t address, std::int64_t size);
    /// The same of a part of an expandable segment, which is one with its neighbours.
    void map(std::int64_t address, std::int64_t size);
    void unmap(std::int64_t address, std::int64_t size);

private:
    Ranges m_ranges;
};

void undoSegmentEntry(const SnapshotEntryView& entry, SegmentRanges& ranges);

}  // namespace altiscope
