#include "core/analysis/snapshot/block_picture.h"

#include "core/analysis/support/saturating.h"

#include <algorithm>
#include <bit>
#include <map>
#include <utility>

namespace altiscope {

namespace {

constexpr std::size_t kMaxBands = 4000;
constexpr std::size_t kMaxHeights = 12'000;
/// Candidates that are looked at: far more than bands, since some are there between two columns only.
constexpr std::size_t kMaxCandidates = 150'000;
/// Blocks that are there for less than this part of a column are not looked at: a power of two.
constexpr int kColumnParts = 4;

int classOf(std::int64_t value) {
    return value <= 0 ? 0 : static_cast<int>(std::bit_width(static_cast<std::uint64_t>(value))) - 1;
}

/// A state that is shown, and the columns that show it.
struct BlockMoment {
    EventNumber at = 0;
    int firstColumn = 0, endColumn = 0;
    std::uint32_t released = 0;
    /// Blocks of a state stand on each other in the order of their numbers: of what is there, those from `above` on are
    /// known to be above the picture, and those before `below` to be below it.
    BlockNumber above = kNoBlock, below = 0;
};

/// A block between two moments that it is shown in, both with their heights.
struct Span {
    BlockNumber block = 0;
    std::uint32_t first = 0, last = 0;  // moments
    std::int64_t firstHeight = 0, lastHeight = 0;
    std::int64_t drop() const { return saturatedDifference(firstHeight, lastHeight); }
};

class PictureDrawing {
public:
    PictureDrawing(const BlockIndex& index, const BlockPictureQuery& query, const CancelToken& cancel)
        : m_index(index), m_snapshot(index.snapshot()), m_query(query), m_cancel(cancel),
          m_picture(std::make_shared<BlockPicture>()) {}

    std::shared_ptr<const BlockPicture> run();

private:
    void findMoments();
    void chooseBands();
    /// @return False once there are enough.
    bool addBands(const BlockIndex::Bucket& bucket);
    void addBand(BlockNumber block);
    void refine();
    void fillTotals();
    void fillSpan(const Span& span);
    int rowOf(std::int64_t bytes) const;  ///< Rows below it.
    /// A row at least.
    void fillCells(const BlockMoment& moment, std::int64_t low, std::int64_t high, BlockNumber block);
    std::int64_t heightOf(BlockNumber block, std::uint32_t moment) {
        ++m_heights;
        return m_index.heights().heightOf(block, m_moments[moment].released);
    }
    double perRow() const { return static_cast<double>(m_query.high - m_query.low) / std::max(1, m_query.rows); }

    const BlockIndex& m_index;
    const DeviceSnapshot& m_snapshot;
    BlockPictureQuery m_query;
    const CancelToken& m_cancel;
    std::shared_ptr<BlockPicture> m_picture;
    std::vector<BlockMoment> m_moments;
    std::vector<Span> m_spans;  // done, or to be refined
    std::size_t m_heights = 0, m_candidates = 0;
};

void PictureDrawing::findMoments() {
    m_picture->moments.assign(static_cast<std::size_t>(m_query.columns), m_snapshot.events);
    const EventRange all = m_index.curve().all();
    for (int column = 0; column < m_query.columns; ++column) {
        const std::int64_t begin = columnBegin(m_query.begin, m_query.end, m_query.columns, column);
        const std::int64_t end =
            std::max(begin + 1, columnBegin(m_query.begin, m_query.end, m_query.columns, column + 1));
        if (end <= all.begin || begin >= all.end) continue;
        const EventRange part{static_cast<EventNumber>(std::max<std::int64_t>(begin, all.begin)),
                              static_cast<EventNumber>(std::min<std::int64_t>(end, all.end))};
        const EventNumber at = m_index.curve().maxAt(SnapshotTotal::Active, part);
        m_picture->moments[static_cast<std::size_t>(column)] = at;
        if (!m_moments.empty() && m_moments.back().at == at) m_moments.back().endColumn = column + 1;
        else m_moments.push_back({at, column, column + 1, m_index.heights().releasedAt(at)});
    }
}

void PictureDrawing::addBand(BlockNumber number) {
    const BlockLife& block = m_snapshot.blocks[number];
    const auto before = [](const BlockMoment& moment, EventNumber at) { return moment.at < at; };
    const auto first = std::lower_bound(m_moments.begin(), m_moments.end(), block.begin, before);
    const auto end = std::lower_bound(first, m_moments.end(), block.end, before);
    if (first == end) return;
    // It stood on everything when it was made, and never rises.
    const std::int64_t top = m_snapshot.activeAt(block.begin);
    if (top <= m_query.low) return;
    const auto last = std::prev(end);
    if (number >= last->above || number < first->below) return;
    Span span{number, static_cast<std::uint32_t>(first - m_moments.begin()),
              static_cast<std::uint32_t>(last - m_moments.begin()), 0, 0};
    span.lastHeight = heightOf(number, span.last);
    if (span.lastHeight >= m_query.high) {
        last->above = number;
        return;
    }
    span.firstHeight = span.first == span.last ? span.lastHeight : heightOf(number, span.first);
    if (saturatedSum(span.firstHeight, block.bytes) <= m_query.low) {
        first->below = number;
        return;
    }
    m_spans.push_back(span);
    ++m_picture->drawn;
}

bool PictureDrawing::addBands(const BlockIndex::Bucket& bucket) {
    const std::int64_t longest = (std::int64_t{2} << bucket.lifeClass) - 1;
    const EventNumber firstMoment = m_moments.front().at, lastMoment = m_moments.back().at;
    const auto& blocks = m_snapshot.blocks;
    auto each = std::partition_point(bucket.blocks.begin(), bucket.blocks.end(),
                                     [&](BlockNumber block) { return blocks[block].begin + longest <= firstMoment; });
    for (; each != bucket.blocks.end() && blocks[*each].begin <= lastMoment; ++each) {
        if (blocks[*each].end <= firstMoment || static_cast<double>(blocks[*each].bytes) < perRow()) continue;
        if (++m_candidates > kMaxCandidates || m_picture->drawn >= kMaxBands) return false;
        addBand(*each);
    }
    return true;
}

void PictureDrawing::chooseBands() {
    const std::int64_t perColumn = (m_query.end - m_query.begin) / std::max(1, m_query.columns);
    const int minLife = classOf(std::max<std::int64_t>(1, perColumn / kColumnParts));
    const int minSize = classOf(static_cast<std::int64_t>(perRow()));
    for (const BlockIndex::Bucket& bucket : m_index.buckets()) {
        if (m_cancel.cancelled()) return;
        if (bucket.sizeClass < minSize) break;
        if (bucket.lifeClass < minLife) continue;
        if (addBands(bucket)) continue;
        m_picture->isSimplified = true;
        break;
    }
}

/// Heights only fall: where both ends of a span have the same there is nothing between them. The largest falls first.
void PictureDrawing::refine() {
    const auto tolerance = static_cast<std::int64_t>(perRow() * 0.75);
    const auto isLess = [](const Span& a, const Span& b) { return a.drop() < b.drop(); };
    std::vector<Span> open, done;
    for (const Span& span : m_spans) (span.drop() > tolerance && span.first < span.last ? open : done).push_back(span);
    std::make_heap(open.begin(), open.end(), isLess);
    while (!open.empty() && m_heights < kMaxHeights) {
        std::pop_heap(open.begin(), open.end(), isLess);
        const Span span = open.back();
        open.pop_back();
        if (span.last - span.first == 1) {
            done.push_back({span.block, span.first, span.first, span.firstHeight, span.firstHeight});
            done.push_back({span.block, span.last, span.last, span.lastHeight, span.lastHeight});
            continue;
        }
        const std::uint32_t middle = span.first + (span.last - span.first) / 2;
        const std::int64_t height = heightOf(span.block, middle);
        for (const Span& half : {Span{span.block, span.first, middle, span.firstHeight, height},
                                 Span{span.block, middle, span.last, height, span.lastHeight}}) {
            if (half.drop() <= tolerance) {
                done.push_back(half);
                continue;
            }
            open.push_back(half);
            std::push_heap(open.begin(), open.end(), isLess);
        }
    }
    m_picture->isSimplified = m_picture->isSimplified || !open.empty();
    done.insert(done.end(), open.begin(), open.end());
    m_spans = std::move(done);
    // Where two round to one pixel the larger is to be seen.
    std::sort(m_spans.begin(), m_spans.end(), [&](const Span& a, const Span& b) {
        const std::int64_t ofA = m_snapshot.blocks[a.block].bytes, ofB = m_snapshot.blocks[b.block].bytes;
        if (ofA != ofB) return ofA < ofB;
        return a.block != b.block ? a.block < b.block : a.first < b.first;
    });
}

int PictureDrawing::rowOf(std::int64_t bytes) const {
    const double row = static_cast<double>(bytes - m_query.low) / perRow() + 0.5;
    return static_cast<int>(std::clamp(row, 0.0, static_cast<double>(m_query.rows)));
}

void PictureDrawing::fillCells(const BlockMoment& moment, std::int64_t low, std::int64_t high, BlockNumber block) {
    if (high <= m_query.low || low >= m_query.high) return;
    int bottom = rowOf(low), top = rowOf(high);
    if (top == bottom) {
        if (bottom == m_query.rows) --bottom;
        top = bottom + 1;
    }
    for (int row = bottom; row < top; ++row) {
        auto* cells = m_picture->cells.data() +
                      static_cast<std::size_t>(m_query.rows - 1 - row) * static_cast<std::size_t>(m_query.columns);
        std::fill(cells + moment.firstColumn, cells + moment.endColumn, block);
    }
}

/// Row by row, as the cells lie in memory.
void PictureDrawing::fillTotals() {
    std::vector<int> tops(static_cast<std::size_t>(m_query.columns), 0);
    for (const BlockMoment& moment : m_moments)
        std::fill(tops.begin() + moment.firstColumn, tops.begin() + moment.endColumn,
                  rowOf(m_snapshot.activeAt(moment.at)));
    const int bottom = rowOf(0);
    m_picture->cells.resize(tops.size() * static_cast<std::size_t>(m_query.rows));
    std::uint32_t* cells = m_picture->cells.data();
    for (int row = m_query.rows - 1; row >= 0; --row) {
        for (std::size_t i = 0; i < tops.size(); ++i)
            cells[i] = row >= bottom && row < tops[i] ? BlockPicture::kMany : BlockPicture::kNothing;
        cells += tops.size();
    }
}

void PictureDrawing::fillSpan(const Span& span) {
    const std::int64_t bytes = m_snapshot.blocks[span.block].bytes;
    if (span.drop() <= static_cast<std::int64_t>(perRow() * 0.75)) {
        // Neighbouring moments fill neighbouring columns.
        BlockMoment whole = m_moments[span.first];
        whole.endColumn = m_moments[span.last].endColumn;
        return fillCells(whole, span.lastHeight, saturatedSum(span.lastHeight, bytes), span.block);
    }
    const double steps = std::max(1u, span.last - span.first);
    for (std::uint32_t i = span.first; i <= span.last; ++i) {
        const double share = static_cast<double>(i - span.first) / steps;
        const std::int64_t height =
            saturatedDifference(span.firstHeight, static_cast<std::int64_t>(share * static_cast<double>(span.drop())));
        fillCells(m_moments[i], height, saturatedSum(height, bytes), span.block);
    }
}

std::shared_ptr<const BlockPicture> PictureDrawing::run() {
    m_picture->query = m_query;
    if (m_query.columns <= 0 || m_query.rows <= 0 || m_query.begin >= m_query.end || m_query.low >= m_query.high)
        return m_picture;
    findMoments();
    fillTotals();
    if (m_moments.empty()) return m_picture;
    chooseBands();
    if (m_cancel.cancelled()) return nullptr;
    refine();
    for (const Span& span : m_spans) fillSpan(span);
    return m_cancel.cancelled() ? nullptr : m_picture;
}

}  // namespace

std::shared_ptr<const BlockIndex> BlockIndex::make(std::shared_ptr<const SnapshotCurve> curve,
                                                   const CancelToken& cancel) {
    auto index = std::make_shared<BlockIndex>();
    index->m_curve = std::move(curve);
    index->m_heights = BlockHeights::make(index->snapshot(), cancel);
    if (index->m_heights == nullptr) return nullptr;
    std::map<std::pair<int, int>, std::vector<BlockNumber>> buckets;
    const std::vector<BlockLife>& blocks = index->snapshot().blocks;
    for (std::size_t i = 0; i < blocks.size(); ++i) {
        const std::int64_t life = std::int64_t{blocks[i].end} - blocks[i].begin;
        if (life <= 0 || blocks[i].bytes <= 0) continue;
        buckets[{classOf(blocks[i].bytes), classOf(life)}].push_back(static_cast<BlockNumber>(i));
    }
    for (auto bucket = buckets.rbegin(); bucket != buckets.rend(); ++bucket)
        index->m_buckets.push_back({bucket->first.first, bucket->first.second, std::move(bucket->second)});
    return cancel.cancelled() ? nullptr : index;
}

std::shared_ptr<const BlockPicture> blockPicture(const BlockIndex& index, const BlockPictureQuery& query,
                                                 const CancelToken& cancel) {
    return PictureDrawing(index, query, cancel).run();
}

}  // namespace altiscope
