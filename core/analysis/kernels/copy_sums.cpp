#include "core/analysis/kernels/copy_sums.h"

#include "core/analysis/support/saturating.h"
#include "core/base/threads/parallel.h"
#include "core/base/values/parse.h"

#include <algorithm>
#include <iterator>
#include <map>

namespace altiscope {

namespace {

constexpr std::string_view kCopyName = "MEMCPY_ASYNC";
constexpr std::uint32_t kSlicesBetweenLooks = 65536;
/// Arguments that are read at a time.
constexpr std::size_t kCopiesAtOnce = 4096;

struct Copy {
    std::uint32_t slice = 0;
    std::uint32_t track = 0;
    std::string direction;
    std::optional<std::int64_t> bytes;
};

void readCopy(const std::string& arguments, Copy& copy) {
    for (const Argument& argument : splitArguments(arguments)) {
        // The older and the newer words for them.
        if (argument.key == "memcpy direction" || argument.key == "operation") copy.direction = argument.text;
        if (argument.key == "data size(Byte)" || argument.key == "size(B)") copy.bytes = wholeNumber(argument.text);
    }
}

std::vector<Copy> copiesOf(const RankEntry& rank, const RankWindow& selected, const CancelToken& cancel) {
    std::vector<Copy> copies;
    const TraceStore& trace = *rank.trace;
    const auto name = trace.texts().find(kCopyName);
    if (!name) return copies;
    for (std::uint32_t t = 0; t < trace.tracks().size(); ++t) {
        if (trace.track({t}).kind != TrackKind::Hardware) continue;
        for (const DepthRun& run : trace.runs(TrackIndex{t})) {
            for (const auto& [first, last] : stretchesOf(trace, run, selected.times)) {
                for (std::uint32_t i = first; i < last; ++i) {
                    if (i % kSlicesBetweenLooks == 0 && cancel.cancelled()) return copies;
                    if (trace.columns().name[i] == *name) copies.push_back({i, t, {}, {}});
                }
            }
        }
        if (cancel.cancelled()) return copies;
    }
    for (std::size_t at = 0; rank.arguments != nullptr && at < copies.size() && !cancel.cancelled();
         at += kCopiesAtOnce) {
        std::vector<SourcePos> positions;
        for (std::size_t i = at; i < std::min(at + kCopiesAtOnce, copies.size()); ++i)
            positions.push_back(trace.pos({copies[i].slice}));
        rank.arguments->each(positions, [&](std::size_t i, const Result<std::string_view>& text) {
            if (text.ok()) readCopy(std::string(text.value()), copies[at + i]);
        });
    }
    return copies;
}

void addCopy(CopySums& sums, const Copy& copy, std::int64_t duration) {
    const bool isFirst = sums.count++ == 0;
    addSaturated(sums.total, duration);
    sums.min = isFirst ? duration : std::min(sums.min, duration);
    sums.max = isFirst ? duration : std::max(sums.max, duration);
    sums.slices.push_back(copy.slice);
    if (!copy.bytes) return;
    const bool isFirstSize = sums.sized++ == 0;
    addSaturated(sums.bytes, *copy.bytes);
    addSaturated(sums.sizedTime, duration);
    sums.minBytes = isFirstSize ? *copy.bytes : std::min(sums.minBytes, *copy.bytes);
    sums.maxBytes = isFirstSize ? *copy.bytes : std::max(sums.maxBytes, *copy.bytes);
}

}  // namespace

std::optional<std::vector<CopySums>> copySums(const CaptureStore& capture, const std::vector<RankWindow>& ranks,
                                              const CancelToken& cancel) {
    std::vector<std::vector<CopySums>> parts(ranks.size());
    parallelFor(ranks.size(), [&](std::size_t r) {
        const RankEntry& rank = capture.ranks[ranks[r].rank.value];
        if (rank.trace == nullptr) return;
        std::map<std::pair<std::uint32_t, std::string>, CopySums> sums;
        for (const Copy& copy : copiesOf(rank, ranks[r], cancel)) {
            CopySums& sum = sums[{copy.track, copy.direction}];
            sum.rank = ranks[r].rank;
            sum.track = {copy.track};
            sum.direction = copy.direction;
            addCopy(sum, copy, rank.trace->duration({copy.slice}).value);
        }
        for (auto& [key, sum] : sums) parts[r].push_back(std::move(sum));
    });
    if (cancel.cancelled()) return std::nullopt;
    std::vector<CopySums> all;
    for (auto& part : parts)
        all.insert(all.end(), std::make_move_iterator(part.begin()), std::make_move_iterator(part.end()));
    return all;
}

}  // namespace altiscope
