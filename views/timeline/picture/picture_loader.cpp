#include "views/timeline/picture/picture_loader.h"

#include "core/base/threads/parallel.h"

#include <algorithm>
#include <cmath>

namespace altiscope {

namespace {

/// Depths above and below the ones in sight that are fetched too, so that not every step of scrolling needs a request.
constexpr std::uint32_t kSpareLanes = 16;
/// Rectangles and points of rows out of sight that are remembered for scrolling back (some 50 MB).
constexpr std::size_t kRememberedItems = 2'000'000;
/// Parts of the image, of which as many are painted at once as there are cores: more than most machines have, so that
/// none waits long for another's last labels.
constexpr int kBands = 8;

std::size_t itemsOf(const RowPicture& picture) {
    std::size_t items = picture.instants.size();
    for (const TrackGeometry& geometry : picture.slices) items += geometry.rects.size();
    for (const CounterLine& line : picture.lines) items += line.points.size();
    return items;
}

}  // namespace

PictureLoader::PictureLoader(TimelineScene& scene, QObject* parent)
    : QObject(parent), m_scene(scene), m_slot(scene.jobs()) {
    m_timer.setSingleShot(true);
    connect(&m_timer, &QTimer::timeout, this, &PictureLoader::request);
    connect(&scene, &TimelineScene::windowChanged, this, &PictureLoader::schedule);
    for (const auto signal : {&TimelineScene::rowsChanged, &TimelineScene::scrolled}) {
        connect(&scene, signal, this, [this] {
            m_dirty = true;
            schedule();
        });
    }
    connect(&scene, &TimelineScene::rowsChanged, this, &PictureLoader::forgetClosed);
}

void PictureLoader::setCanvas(QSize size, double devicePixelRatio, const QFont& labelFont) {
    m_labels.setFont(labelFont, devicePixelRatio);
    m_size = size;
    m_ratio = devicePixelRatio;
    const QSize device = (QSizeF(size) * devicePixelRatio).toSize();
    if (m_image.size() != device) {
        m_image = QImage(device, QImage::Format_RGB32);
        m_imageWindow = m_scene.window().range();
    }
    m_image.setDevicePixelRatio(devicePixelRatio);
    m_dirty = true;
    schedule();
}

void PictureLoader::setPalette(const LanePalette& palette) {
    m_palette = palette;
    m_dirty = true;
    emit pictureChanged();
}

bool PictureLoader::exact() const {
    return !m_slot.busy() && !m_timer.isActive() &&
           (m_scene.window().empty() || m_imageWindow == m_scene.window().range());
}

const RowPicture* PictureLoader::picture(const TimelineRow& row) const {
    const auto known = m_rows.find(m_scene.model().sources().keyOf(row));
    if (known == m_rows.end() || known->second->kind != pictureKindOf(row) || known->second->merged != row.merged)
        return nullptr;
    return known->second.get();
}

int PictureLoader::deviceY(const TimelineRow& row, std::int64_t y) const {
    return static_cast<int>(std::lround(static_cast<double>(m_scene.viewport().yOf(row, y)) * m_ratio));
}

PictureLoader::Lane PictureLoader::laneOf(const TimelineRow& row, PictureKind kind, std::uint32_t lane,
                                          std::uint32_t laneCount) const {
    const RowMetrics& metrics = m_scene.model().metrics();
    switch (kind) {
    case PictureKind::Lanes:
    case PictureKind::Plots: {
        const std::int64_t top = row.top + metrics.gap / 2 + static_cast<std::int64_t>(lane) * row.lane;
        const int first = deviceY(row, top), after = deviceY(row, top + row.lane);
        // A line of background between neighbouring lanes.
        return {first, after - first - static_cast<int>(std::lround(m_ratio))};
    }
    case PictureKind::Squeezed: {
        const int first = deviceY(row, row.top + metrics.gap / 2);
        const int all = deviceY(row, row.top + row.height - metrics.gap / 2) - first;
        const std::int64_t named = std::lround(metrics.lane * m_ratio);
        const auto yOf = [&](std::uint32_t at) { return first + static_cast<int>(stripBegin(row, all, named, at)); };
        const int top = yOf(lane), height = yOf(lane + 1) - top;
        return {top, height > 2 ? height - 1 : std::max(height, 1)};
    }
    case PictureKind::Preview: {
        const int first = deviceY(row, row.top + metrics.gap / 2),
                  all = deviceY(row, row.top + row.height - metrics.gap / 2) - first;
        const int count = static_cast<int>(std::max(laneCount, 1U)), at = static_cast<int>(lane);
        const int top = first + at * all / count, height = first + (at + 1) * all / count - top;
        return {top, height > 2 ? height - 1 : std::max(height, 1)};
    }
    case PictureKind::Plot: {
        const int first = deviceY(row, row.top + metrics.gap / 2);
        return {first, deviceY(row, row.top + row.height - metrics.gap / 2) - first};
    }
    case PictureKind::Nothing: break;
    }
    return {};
}

PictureLoader::Lane PictureLoader::previewLane(const TimelineRow& row, const RowPicture& picture,
                                               std::uint32_t place) const {
    const int gap = m_scene.model().metrics().gap;
    const std::int64_t first = row.top + gap / 2;
    const std::int64_t top = first + std::int64_t{picture.named} * row.lane;
    if (place < picture.named) {
        const int begin = deviceY(row, first + std::int64_t{place} * row.lane),
                  after = deviceY(row, first + std::int64_t{place + 1} * row.lane);
        return {begin, after - begin - static_cast<int>(std::lround(m_ratio))};
    }
    const int begin = deviceY(row, top), all = deviceY(row, row.top + row.height - gap / 2) - begin;
    const auto count = static_cast<int>(picture.slices.size() - picture.named),
               at = static_cast<int>(place - picture.named);
    const int from = begin + at * all / count, height = begin + (at + 1) * all / count - from;
    return {from, height > 2 ? height - 1 : std::max(height, 1)};
}

RowRequest PictureLoader::requestFor(const TimelineRow& row) const {
    const TimelineModel& model = m_scene.model();
    RowRequest request{.key = model.sources().keyOf(row),
                       .kind = pictureKindOf(row),
                       .colours = m_scene.coloursOf(row),
                       .shift = model.sources().shiftOf(row),
                       .firstTrack = row.firstTrack,
                       .trackCount = row.trackCount,
                       .streams = row.left != nullptr ? row.left : row.streams,
                       .merged = row.merged,
                       .moved = model.sources().movedIn(row)};
    if (request.kind == PictureKind::Squeezed || request.kind == PictureKind::Preview) {
        request.laneCount = row.lanes;
        if (request.kind == PictureKind::Preview)
            request.strips = hasStrips(row.height, row.lane, row.lanes, model.metrics());
    } else if (row.lanes > 0) {
        const std::int64_t above =
            (m_scene.viewport().partOf(row).first - m_scene.viewport().yOf(row, row.top)) / row.lane;
        const auto first = static_cast<std::uint32_t>(std::clamp<std::int64_t>(above, 0, row.lanes - 1));
        const auto inSight = static_cast<std::uint32_t>(m_size.height() / row.lane + 2);
        request.firstLane = first;
        request.laneCount = std::min(row.lanes - first, inSight);
    }
    return request;
}

void PictureLoader::schedule() {
    if (m_slot.busy()) {
        m_pending = true;
    } else if (!m_timer.isActive()) {
        m_timer.start(0);
    }
    emit pictureChanged();
}

void PictureLoader::request() {
    m_pending = false;
    const auto widthPx = static_cast<std::uint32_t>(m_image.width());
    const TimeRange window = m_scene.window().range();
    if (widthPx == 0 || window.empty()) {
        emit becameExact();
        return;
    }
    PictureRequest request{window, widthPx, {}};
    for (const std::size_t i : m_scene.viewport().rowsInSight(m_size.height())) {
        const TimelineRow& row = m_scene.model().rows()[i];
        RowRequest wanted = requestFor(row);
        if (wanted.kind == PictureKind::Nothing || wanted.colours == nullptr) continue;
        const auto known = m_rows.find(wanted.key);
        if (known != m_rows.end() && known->second->results(wanted, window, widthPx)) continue;
        if (wanted.kind == PictureKind::Lanes || wanted.kind == PictureKind::Plots) {
            const std::uint32_t spareAbove = std::min(wanted.firstLane, kSpareLanes);
            wanted.firstLane -= spareAbove;
            wanted.laneCount = std::min(wanted.laneCount + spareAbove + kSpareLanes, row.lanes - wanted.firstLane);
        }
        request.rows.push_back(std::move(wanted));
    }
    if (request.rows.empty()) {
        m_imageWindow = window;
        m_dirty = true;
        emit pictureChanged();
        emit becameExact();
        return;
    }
    m_slot.start([request = std::move(request)](const CancelToken& cancel) { return queryPicture(request, cancel); },
                 [this](const PictureResult& result) { take(result); });
}

void PictureLoader::take(const PictureResult& result) {
    // Pictures of other windows are of no use any more: the image shows one window.
    std::erase_if(m_rows, [&result](const auto& entry) { return entry.second->window != result.window; });
    std::size_t items = 0;
    for (const auto& [key, picture] : m_rows) items += itemsOf(*picture);
    if (items > kRememberedItems) forgetRowsOutOfSight();
    for (const auto& [key, picture] : result.rows) m_rows[key] = picture;
    // Pictures keep their stores in memory. What was in sight has a result now; of the rest only the newest are
    // wanted.
    if (!m_pending) {
        std::erase_if(m_rows, [this](const auto& entry) {
            return entry.second->colours != nullptr && !m_scene.holds(*entry.second->colours->trace());
        });
    }
    m_imageWindow = result.window;
    m_dirty = true;
    if (m_pending) m_timer.start(0);
    emit pictureChanged();
    if (exact()) emit becameExact();
}

void PictureLoader::forgetClosed() {
    std::erase_if(m_rows,
                  [this](const auto& entry) { return !m_scene.model().sources().sourceOf(entry.first.capture); });
}

void PictureLoader::forgetRowsOutOfSight() {
    std::unordered_map<RowKey, std::shared_ptr<const RowPicture>, RowKeyHash> kept;
    for (const std::size_t i : m_scene.viewport().rowsInSight(m_size.height())) {
        const auto known = m_rows.find(m_scene.model().sources().keyOf(m_scene.model().rows()[i]));
        if (known != m_rows.end()) kept.insert(*known);
    }
    m_rows = std::move(kept);
}

const QImage& PictureLoader::image() {
    if (m_dirty && !m_image.isNull()) paint();
    return m_image;
}

void PictureLoader::paint() {
    m_dirty = false;
    m_labels.beginFrame();
    m_labels.ellipsis();
    Painting painting;
    painting.pinned =
        std::min(static_cast<int>(std::lround(m_scene.viewport().pinnedView() * m_ratio)), m_image.height());
    painting.bottom = painting.pinned;
    std::vector<std::size_t> rows = m_scene.viewport().rowsInSight(m_size.height());
    // Pinned rows are painted last, over the rows that are scrolled below them.
    const auto afterPinned = std::find_if(rows.begin(), rows.end(),
                                          [this](std::size_t i) { return i >= m_scene.model().layout().pinnedRows; });
    std::rotate(rows.begin(), afterPinned, rows.end());
    for (const std::size_t i : rows) {
        const TimelineRow& row = m_scene.model().rows()[i];
        const auto known = m_rows.find(m_scene.model().sources().keyOf(row));
        const bool usable = known != m_rows.end() && known->second->window == m_imageWindow &&
                            known->second->kind == pictureKindOf(row) && known->second->merged == row.merged &&
                            known->second->widthPx == static_cast<std::uint32_t>(m_image.width());
        painting.rows.emplace_back(&row, usable ? known->second.get() : nullptr);
        if (row.pinned || m_scene.viewport().isStuck(i)) continue;
        painting.bottom = deviceY(row, row.top + row.height);
    }
    std::vector<Band> bands(kBands);
    for (int i = 0; i < kBands; ++i) bands[static_cast<std::size_t>(i)].number = i;
    m_labelCount = 0;
    while (!bands.empty()) {
        paintBands(painting, bands);
        // Text is drawn on this thread alone: what has a name without a label is painted again with it.
        for (const Band& band : bands) {
            for (const std::string_view name : band.missing) m_labels.image(name);
            if (band.missing.empty()) m_labelCount += band.labelCount;
        }
        std::erase_if(bands, [](const Band& band) { return band.missing.empty(); });
    }
}

void PictureLoader::paintBands(const Painting& painting, std::vector<Band>& bands) {
    // Painters of each band, and of its part with the pinned rows: made here, since the first one detaches the image.
    std::vector<LanePainter> painters, pinnedPainters;
    for (Band& band : bands) {
        const int height = m_image.height(), first = height * band.number / kBands,
                  after = height * (band.number + 1) / kBands;
        const LanePainter::Lines lines{first, after, height};
        const LanePainter::Lines upper{first, std::clamp(painting.pinned, first, after), painting.pinned};
        band.missing.clear();
        painters.emplace_back(m_image, m_palette, m_labels, lines, &band.missing);
        pinnedPainters.emplace_back(m_image, m_palette, m_labels, upper, &band.missing);
    }
    parallelFor(bands.size(), [&](std::size_t i) {
        LanePainter &painter = painters[i], &pinnedPainter = pinnedPainters[i];
        for (const auto& [row, picture] : painting.rows) paintRow(row->pinned ? pinnedPainter : painter, *row, picture);
        const int width = m_image.width(), height = m_image.height();
        // A thicker line tells where the rows begin that are scrolled.
        if (painting.pinned > 0)
            pinnedPainter.fill(QRect(0, painting.pinned - 2 * std::max(1, static_cast<int>(m_ratio)), width, height),
                               m_palette.edge[0]);
        painter.fill(QRect(0, painting.bottom, width, height - painting.bottom), m_palette.background);
        bands[i].labelCount = painter.labelCount() + pinnedPainter.labelCount();
    });
}

void PictureLoader::paintRow(LanePainter& painter, const TimelineRow& row, const RowPicture* picture) const {
    const int top = deviceY(row, row.top), after = deviceY(row, row.top + row.height),
              hair = std::max(1, static_cast<int>(m_ratio));
    // Labels and counters may reach over by a line.
    if (!painter.touches(top - 1, after + 1)) return;
    const QRgb background = row.kind < TimelineRowKind::Thread ? m_palette.group : m_palette.background;
    const int width = m_image.width();
    painter.fill(QRect(0, after - hair, width, hair), m_palette.line);
    // Lanes are most of the picture and have a background of their own: only what lies around them is filled.
    int filled = top;
    const auto fillUpTo = [&](int y) {
        if (y <= filled) return;
        painter.fill(QRect(0, filled, width, y - filled), background);
        filled = y;
    };
    const auto paintLane = [&](const Lane& lane, std::span<const LaneRect> rects) {
        fillUpTo(lane.top);
        painter.paintSlices(lane.top, lane.height, rects, background);
        filled = std::max(filled, lane.top + lane.height);
    };
    if (picture == nullptr) {
        fillUpTo(after - hair);
        return;
    }

    const auto lanes = static_cast<std::uint32_t>(picture->slices.size());
    if (picture->kind == PictureKind::Preview) {
        for (std::uint32_t strip = 0; strip < lanes; ++strip) {
            const TrackGeometry& geometry = picture->slices[strip];
            if (geometry.laneCount() == 0) continue;
            const Lane lane = previewLane(row, *picture, strip);
            paintLane(lane, geometry.lane(0));
            if (strip >= picture->named) continue;
            if (lane.top < m_image.height()) fillUpTo(std::min(lane.top + lane.height + hair, after - hair));
            painter.paintLabels(lane.top, lane.height, geometry.lane(0), *picture->colours->trace());
        }
    } else if (!picture->slices.empty()) {
        const TrackGeometry& geometry = picture->slices.front();
        for (std::uint32_t i = 0; i < geometry.laneCount(); ++i) {
            const std::uint32_t depth = geometry.firstDepth + i;
            const Lane lane = laneOf(row, picture->kind, depth, row.lanes);
            paintLane(lane, geometry.lane(i));
            if (picture->kind != PictureKind::Lanes && depth != row.named) continue;
            // Descenders of labels reach below the lane.
            if (lane.top < m_image.height()) fillUpTo(std::min(lane.top + lane.height + hair, after - hair));
            painter.paintLabels(lane.top, lane.height, geometry.lane(i), *picture->colours->trace());
        }
    }
    fillUpTo(after - hair);
    for (std::size_t i = 0; i < picture->lines.size(); ++i) {
        const bool own = picture->kind == PictureKind::Plots;
        const Lane lane = laneOf(row, picture->kind, own ? picture->firstLane + static_cast<std::uint32_t>(i) : 0, 1);
        painter.paintLine(lane.top, lane.height, picture->lines[i], own || picture->lines.size() == 1);
    }
    if (!picture->instants.empty()) {
        const Lane lane = laneOf(row, picture->kind, 0, row.lanes);
        painter.paintInstants(lane.top, lane.height, picture->instants, m_palette.edge[0]);
    }
}

}  // namespace altiscope
