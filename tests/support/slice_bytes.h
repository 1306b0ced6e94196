#pragma once

#include "core/store/columns/trace_store.h"

#include <cstddef>

namespace altiscope::test {

/// Bytes of all columns of a store that grow with the number of its slices, texts excluded.
inline std::size_t sliceBytes(const TraceStore& store) {
    const TraceColumns& c = store.columns();
    return c.begin.bytes() + c.duration.bytes() + c.selfDuration.bytes() + c.name.bytes() + c.category.bytes() +
           c.parent.bytes() + c.pos.bytes() + c.colour.bytes() + c.blocks.bytes() + c.blockPosMin.bytes() +
           c.blockPosMax.bytes();
}

}  // namespace altiscope::test
