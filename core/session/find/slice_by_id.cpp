#include "core/session/find/slice_by_id.h"

namespace altiscope {

std::optional<SliceKey> findSliceInAnyRank(const CaptureStore& capture, SliceId slice) {
    for (RankIndex rank; rank.value < capture.ranks.size(); ++rank.value) {
        const SliceKey key{.rank = rank, .id = slice};
        if (capture.ranks[rank.value].trace != nullptr && findSlice(capture, key)) return key;
    }
    return std::nullopt;
}

}  // namespace altiscope
