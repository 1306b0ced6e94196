#include "core/session/find/slice_search.h"

namespace altiscope {

std::optional<SliceKey> findSliceInAnyRank(const CaptureStore& capture, SliceId slice) {
    for (std::uint32_t rank = 0; rank < capture.ranks.size(); ++rank) {
        const SliceKey key{.rank = rank, .id = slice};
        if (capture.ranks[rank].trace != nullptr && findSlice(capture, key)) return key;
    }
    return std::nullopt;
}

}  // namespace altiscope
