#include "views/timeline/picture/trace_picture.h"

#include "core/session/files/file_writing.h"
#include "views/common/plots/time_axis.h"
#include "views/common/support/formatters.h"
#include "views/timeline/rows/row_titles.h"
#include "views/timeline/rows/track_choice.h"
#include "views/timeline/scene/timeline_scene.h"

#include <QBuffer>
#include <QCoreApplication>
#include <QPainter>
#include <QSvgGenerator>

#include <algorithm>
#include <cmath>

namespace altiscope {

namespace {

using namespace Qt::StringLiterals;

/// Programs that show pictures have their limits; this one has Qt's own, 2^15 pixels.
constexpr int kHighestPicture = 30'000;
constexpr int kRowIndent = 14, kNameEdge = 6;
/// Narrower slices have no name.
constexpr double kMinLabel = 24;

/// Rows of chosen tracks, and all rows around them, ascending.
std::vector<std::size_t> picturedRowsOf(const TimelineModel& model, const TrackChoice& choice) {
    const auto source = model.sources().sourceOf(choice.capture);
    if (!source) return {};
    std::vector<bool> isChosen(model.rows().size(), false);
    for (const TrackChoice::Part& part : choice.parts) {
        const auto& ranks = model.sources()[*source].store->ranks;
        const TraceStore* trace = part.rank.value < ranks.size() ? ranks[part.rank.value].trace.get() : nullptr;
        const auto track = trace == nullptr ? std::nullopt : trace->findTrack(part.track);
        const auto place = track ? model.placeOf(*source, part.rank, *track) : std::nullopt;
        if (place) isChosen[place->row] = true;
    }
    // From the last row up: one of a lower level than the row below it that was taken is around that.
    std::vector<std::size_t> rows;
    std::uint8_t level = 0;
    for (std::size_t row = isChosen.size(); row-- > 0;) {
        if (!isChosen[row] && model.rows()[row].level >= level) continue;
        level = model.rows()[row].level;
        rows.push_back(row);
    }
    std::reverse(rows.begin(), rows.end());
    return rows;
}

QColor pixel(QRgb colour) { return QColor::fromRgb(colour); }

/// Paints a picture of which the content of the rows is known.
class PicturePainter {
public:
    PicturePainter(QPainter& painter, const TracePicture& picture)
        : m_painter(painter), m_picture(picture), m_theme(*picture.theme), m_palette(makeLanePalette(*picture.theme)),
          m_small(scaledFont(picture.font, 0.9)) {}

    void paint(const std::vector<std::pair<RowKey, std::shared_ptr<const RowPicture>>>& content,
               const CancelToken& cancel) {
        const QSize size = m_picture.size();
        m_painter.setRenderHint(QPainter::Antialiasing, false);
        m_painter.fillRect(QRect(QPoint(0, 0), size), m_theme.background);
        paintRuler();
        m_painter.translate(0, rulerHeight());
        for (std::size_t i = 0; i < m_picture.rows.size() && !cancel.cancelled(); ++i)
            paintRow(m_picture.rows[i], i < content.size() ? content[i].second.get() : nullptr);
        m_painter.setFont(m_small);
        m_painter.setPen(m_theme.muted);
        m_painter.drawText(QRectF(kNameEdge, m_picture.height(), size.width() - 2 * kNameEdge, footHeight()),
                           Qt::AlignLeft | Qt::AlignVCenter, m_picture.source);
    }

    static int rulerHeightOf(const TracePicture& picture) {
        return static_cast<int>(std::ceil(QFontMetricsF(picture.font).height() * 1.6));
    }

private:
    int rulerHeight() const { return rulerHeightOf(m_picture); }
    int footHeight() const { return rulerHeight(); }
    double across() const { return m_picture.width - m_picture.nameWidth; }

    void paintRuler() {
        const QRectF area(0, 0, m_picture.width, rulerHeight());
        m_painter.fillRect(area, m_theme.sunken);
        m_painter.setFont(m_small);
        const QFontMetricsF metrics(m_small);
        const TimeRange window = m_picture.window;
        const DurationNs extent{std::max(std::abs((window.begin - m_picture.origin).value),
                                         std::abs((window.end - m_picture.origin).value))};
        DurationNs step = tickStep(window.length(), across(), 60);
        for (int i = 0; i < 2; ++i)
            step =
                tickStep(window.length(), across(),
                         metrics.horizontalAdvance(formatAxisTime(window.end - m_picture.origin, step, extent)) + 20);
        const PixelScale scale(window, static_cast<int>(across()));
        for (const TimeNs tick : ticksWithin(window, m_picture.origin, step)) {
            const double x = m_picture.nameWidth + scale.x(tick);
            m_painter.setPen(m_theme.muted);
            m_painter.drawLine(QPointF(x, area.height() / 2), QPointF(x, area.height()));
            const QString label = formatAxisTime(tick - m_picture.origin, step, extent);
            if (x + 4 + metrics.horizontalAdvance(label) <= area.width())
                m_painter.drawText(QPointF(x + 4, area.height() * 0.65), label);
        }
    }

    void paintRow(const PicturedRow& row, const RowPicture* picture) {
        const QRectF area(0, row.top, m_picture.width, row.height);
        m_painter.fillRect(area, row.isGroup ? m_theme.raised : m_theme.background);
        if (picture != nullptr) paintContent(row, *picture);
        m_painter.fillRect(QRectF(0, row.top + row.height - 1, m_picture.width, 1), m_theme.hairLine);
        QFont font = m_picture.font;
        font.setBold(row.isGroup);
        m_painter.setFont(font);
        m_painter.setPen(m_theme.text);
        const double left = kNameEdge + row.level * kRowIndent, room = m_picture.nameWidth - left - kNameEdge;
        const double line = std::min<double>(row.height, m_picture.metrics.lane + m_picture.metrics.gap);
        m_painter.drawText(QRectF(left, row.top, room, line), Qt::AlignLeft | Qt::AlignVCenter,
                           QFontMetricsF(font).elidedText(row.title, Qt::ElideMiddle, room));
    }

    /// The part of a lane of a row: top and height.
    std::pair<double, double> laneOf(const PicturedRow& row, PictureKind kind, std::uint32_t lane,
                                     std::uint32_t count) const {
        const double inside = row.top + m_picture.metrics.gap / 2.0, all = row.height - m_picture.metrics.gap;
        if (kind == PictureKind::Lanes || kind == PictureKind::Plots)
            return {inside + static_cast<double>(lane) * row.lane, row.lane - 1.0};
        if (kind == PictureKind::Squeezed) {
            const auto yOf = [&](std::uint32_t at) {
                return static_cast<double>(stripBegin(row.shape, std::lround(all), m_picture.metrics.lane, at));
            };
            const double top = yOf(lane), high = yOf(lane + 1) - top;
            return {inside + top, high > 2 ? high - 1 : std::max(high, 1.0)};
        }
        const double each = all / std::max(count, 1U);
        return {inside + lane * each, each > 2 ? each - 1 : each};
    }

    /// As PictureLoader::previewLane.
    std::pair<double, double> previewLane(const PicturedRow& row, const RowPicture& picture,
                                          std::uint32_t place) const {
        const double first = row.top + m_picture.metrics.gap / 2.0;
        if (place < picture.named) return {first + static_cast<double>(place) * row.lane, row.lane - 1.0};
        const double top = first + static_cast<double>(picture.named) * row.lane;
        const double all = row.top + row.height - m_picture.metrics.gap / 2.0 - top;
        const double each = all / static_cast<double>(picture.slices.size() - picture.named);
        return {top + (place - picture.named) * each, each > 2 ? each - 1 : each};
    }

    void paintContent(const PicturedRow& row, const RowPicture& picture) {
        const auto strips = static_cast<std::uint32_t>(picture.slices.size());
        if (picture.kind == PictureKind::Preview) {
            for (std::uint32_t strip = 0; strip < strips; ++strip) {
                if (picture.slices[strip].laneCount() == 0) continue;
                const bool isNamed = strip < picture.named;
                paintSlices(previewLane(row, picture, strip), picture.slices[strip].lane(0),
                            isNamed ? picture.colours->trace().get() : nullptr);
            }
        } else if (strips > 0) {
            const TrackGeometry& geometry = picture.slices.front();
            for (std::uint32_t i = 0; i < geometry.laneCount(); ++i)
                paintSlices(laneOf(row, picture.kind, geometry.firstDepth + i, row.lanes), geometry.lane(i),
                            picture.kind == PictureKind::Lanes || geometry.firstDepth + i == row.shape.named
                                ? picture.colours->trace().get()
                                : nullptr);
        }
        for (std::size_t i = 0; i < picture.lines.size(); ++i)
            paintLine(laneOf(row, picture.kind,
                             picture.kind == PictureKind::Plots ? picture.firstLane + static_cast<std::uint32_t>(i) : 0,
                             1),
                      picture.lines[i]);
        for (const int column : picture.instants)
            m_painter.fillRect(QRectF(xOf(column), row.top, 1, row.height - 1), pixel(m_palette.edge[0]));
    }

    double xOf(int column) const { return m_picture.nameWidth + column / m_picture.ratio; }

    void paintSlices(std::pair<double, double> lane, std::span<const LaneRect> rects, const TraceStore* named) {
        m_painter.setFont(m_small);
        const QFontMetricsF metrics(m_small);
        for (const LaneRect& rect : rects) {
            const QRectF area(xOf(rect.left), lane.first, (rect.right - rect.left) / m_picture.ratio, lane.second);
            m_painter.fillRect(area, pixel(m_palette.fill[rect.colour]));
            if (area.width() >= 3)
                m_painter.fillRect(QRectF(area.left(), area.top(), 1 / m_picture.ratio, area.height()),
                                   pixel(m_palette.edge[rect.colour]));
            if (isHatched(rect.colour) && area.width() >= 3)
                m_painter.fillRect(area, QBrush(pixel(m_palette.edge[rect.colour]),
                                                rect.colour == kFreeColour ? Qt::BDiagPattern : Qt::FDiagPattern));
            if (named == nullptr || rect.count > 1 || area.width() < kMinLabel || metrics.height() > area.height() + 2)
                continue;
            m_painter.setPen(rect.colour == kWaitColour ? m_theme.text : m_theme.label);
            m_painter.drawText(
                area.adjusted(3, 0, -2, 0), Qt::AlignLeft | Qt::AlignVCenter,
                metrics.elidedText(toQString(named->name(rect.slice)).simplified(), Qt::ElideRight, area.width() - 5));
        }
    }

    void paintLine(std::pair<double, double> lane, const CounterLine& line) {
        const double pixelWidth = 1 / m_picture.ratio, bottom = lane.first + lane.second;
        for (std::size_t i = 0, end = 0; i < line.points.size(); i = end) {
            const CounterPoint& point = line.points[i];
            // A value that stays is one area: each costs 200 bytes of an SVG.
            for (end = i + 1;
                 end < line.points.size() && line.points[end].high == point.high && line.points[end].low == point.low;)
                ++end;
            const double x = xOf(line.firstColumn + static_cast<int>(i));
            if (x >= m_picture.width) break;
            const double wide = std::min(static_cast<double>(end - i) * pixelWidth, m_picture.width - x);
            const double high = bottom - point.high * lane.second, low = bottom - point.low * lane.second;
            m_painter.fillRect(QRectF(x, low, wide, bottom - low), pixel(m_palette.area[line.colour]));
            m_painter.fillRect(QRectF(x, high, wide, std::max(low - high, pixelWidth)),
                               pixel(m_palette.edge[line.colour]));
        }
    }

    QPainter& m_painter;
    const TracePicture& m_picture;
    const Theme& m_theme;
    const LanePalette m_palette;
    const QFont m_small;
};

}  // namespace

int TracePicture::height() const { return rows.empty() ? 0 : rows.back().top + rows.back().height; }

QSize TracePicture::size() const { return {width, height() + 2 * PicturePainter::rulerHeightOf(*this)}; }

TracePicture pictureOf(const TimelineScene& scene, const TrackChoice* tracks, TimeRange window, int width, double ratio,
                       const QFont& font, const Theme& theme, const std::vector<std::size_t>* only) {
    const TimelineModel& model = scene.model();
    TracePicture picture{.rows = {},
                         .window = window,
                         .origin = scene.origin(),
                         .metrics = model.metrics(),
                         .theme = &theme,
                         .font = font,
                         .source = {},
                         .width = width,
                         .ratio = ratio};
    const int most = static_cast<int>(kHighestPicture / ratio) - 3 * picture.metrics.counter;
    const bool isAll = tracks == nullptr && only == nullptr;
    const std::vector<std::size_t> chosen = tracks != nullptr ? picturedRowsOf(model, *tracks)
                                            : only != nullptr ? *only
                                                              : std::vector<std::size_t>();
    const std::size_t count = isAll ? model.rows().size() : chosen.size();
    double names = 0;
    const QFontMetricsF metrics(font);
    for (std::size_t i = 0; i < count; ++i) {
        const TimelineRow& row = model.rows()[isAll ? i : chosen[i]];
        const int top = picture.height();
        if (top + row.height > most) {
            picture.excluded = count - i;
            break;
        }
        PicturedRow pictured{.title = rowTitle(model.sources(), row),
                             .level = row.level,
                             .isGroup = row.kind < TimelineRowKind::Thread,
                             .top = top,
                             .height = row.height,
                             .lanes = row.lanes,
                             .lane = row.lane,
                             .shape = row,
                             .request = {}};
        pictured.request = {.key = model.sources().keyOf(row),
                            .kind = pictureKindOf(row),
                            .colours = scene.coloursOf(row),
                            .shift = model.sources().shiftOf(row),
                            .firstTrack = row.firstTrack,
                            .trackCount = row.trackCount,
                            .streams = row.left != nullptr ? row.left : row.streams,
                            .merged = row.merged,
                            .firstLane = 0,
                            .laneCount = row.lanes,
                            .strips = pictureKindOf(row) != PictureKind::Preview ||
                                      hasStrips(row.height, row.lane, row.lanes, model.metrics()),
                            .moved = model.sources().movedIn(row)};
        if (pictured.request.colours == nullptr) pictured.request.kind = PictureKind::Nothing;
        names = std::max(names, metrics.horizontalAdvance(pictured.title) * (pictured.isGroup ? 1.1 : 1) +
                                    2 * kNameEdge + row.level * kRowIndent);
        picture.rows.push_back(std::move(pictured));
    }
    picture.nameWidth = static_cast<int>(std::clamp(names, 60.0, std::max(60.0, width / 4.0)));
    return picture;
}

std::optional<QString> writePicture(const TracePicture& picture, const QString& file, const CancelToken& cancel) {
    PictureRequest request{picture.window,
                           static_cast<std::uint32_t>(std::lround((picture.width - picture.nameWidth) * picture.ratio)),
                           {}};
    for (const PicturedRow& row : picture.rows) request.rows.push_back(row.request);
    // Rows that show nothing have a request as well, so that both lists go together.
    const PictureResult result = queryPicture(request, cancel);
    QBuffer out;
    out.open(QIODevice::WriteOnly);
    const QSize size = picture.size();
    if (file.endsWith(u".svg"_s, Qt::CaseInsensitive)) {
        QSvgGenerator svg;
        svg.setOutputDevice(&out);
        svg.setSize(size);
        svg.setViewBox(QRect(QPoint(0, 0), size));
        svg.setTitle(picture.source);
        QPainter painter(&svg);
        PicturePainter(painter, picture).paint(result.rows, cancel);
    } else {
        QImage image((QSizeF(size) * picture.ratio).toSize(), QImage::Format_RGB32);
        if (image.isNull()) return QCoreApplication::translate("altiscope::PictureFile", "the picture is too large");
        image.setDevicePixelRatio(picture.ratio);
        QPainter painter(&image);
        PicturePainter(painter, picture).paint(result.rows, cancel);
        painter.end();
        if (!image.save(&out, "PNG"))
            return QCoreApplication::translate("altiscope::PictureFile", "the picture is too large");
    }
    if (cancel.cancelled()) return std::nullopt;
    const QString problem = writeWholeFile(file, out.data(), PendingFile::Access::Shared, &cancel);
    if (cancel.cancelled()) return std::nullopt;
    return problem;
}

}  // namespace altiscope
