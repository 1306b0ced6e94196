#include "core/analysis/snapshot/block_uses.h"

#include "core/store/rows/row_kinds.h"

#include <algorithm>

namespace altiscope {

namespace {

constexpr RowKind kUseEvents = RowKind::SnapshotEvent;
constexpr EventNumber kUsesBetweenPolls = 1 << 14;

/// How long it was from an entry to a later one.
std::int64_t pauseOf(const DeviceSnapshot& snapshot, EventNumber from, EventNumber to) {
    const auto begin = snapshot.timeAt(from), end = snapshot.timeAt(to);
    return begin && end ? (*end - *begin).value : to - from;
}

}  // namespace

std::optional<BlockUses> blockUses(const DeviceSnapshot& snapshot, BlockNumber block, const CancelToken& cancel) {
    constexpr auto kAction = fixedColumn(kUseEvents, "action"), kAddress = fixedColumn(kUseEvents, "address");
    const RowTable* events = snapshot.rows->find(kUseEvents);
    const auto access = snapshot.rows->texts().find("access");
    if (events == nullptr || !access || block >= snapshot.blocks.size()) return std::nullopt;
    const BlockLife& life = snapshot.blocks[block];
    const std::int64_t size = std::max<std::int64_t>(1, life.bytes);
    std::optional<BlockUses> uses;
    std::int64_t longest = 0;
    const EventNumber end = std::min(life.end, snapshot.events);
    for (EventNumber at = std::max(0, life.begin); at < end; ++at) {
        if (at % kUsesBetweenPolls == 0 && cancel.cancelled()) return std::nullopt;
        const std::size_t row = snapshot.where.firstEvent + static_cast<std::size_t>(at);
        const auto action = events->text(kAction, row);
        if (!action || *action != *access) continue;
        const auto address = events->integer(kAddress, row);
        if (!address || *address < life.address || *address - life.address >= size) continue;
        if (!uses) uses = BlockUses{at, at, {}, 0};
        else if (const std::int64_t pause = pauseOf(snapshot, uses->last, at); pause > longest) {
            longest = pause;
            uses->idle = {uses->last, at};
        }
        uses->last = at;
        ++uses->count;
    }
    return uses;
}

}  // namespace altiscope
