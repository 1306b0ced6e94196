#pragma once

#include "core/session/job_runner.h"
#include "views/timeline/picture/lane_painter.h"
#include "views/timeline/picture/row_picture.h"
#include "views/timeline/scene/timeline_scene.h"

#include <QImage>
#include <QObject>
#include <QTimer>

#include <memory>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

namespace altiscope {

/// Keeps the picture of the rows in sight: has workers make what is missing, at most one request at a time, and paints
/// the results into one kept image. While a request is under way the image shows an earlier window, for the canvas to
/// scale. GUI thread.
class PictureLoader : public QObject {
    Q_OBJECT
public:
    explicit PictureLoader(TimelineScene& scene, QObject* parent = nullptr);

    /// Size of the canvas in logical pixels and its scale. Labels are drawn in `labelFont`.
    void setCanvas(QSize size, double devicePixelRatio, const QFont& labelFont);
    void setPalette(const LanePalette& palette);

    /// The picture as far as it is known, brought up to date with rows and scrolling. Empty before the canvas has a
    /// size.
    const QImage& image();
    /// The window that image() shows.
    TimeRange imageWindow() const { return m_imageWindow; }
    /// Everything in sight is painted exactly for the scene's window.
    bool exact() const;

    /// Picture of a row of the present image; null if nothing is known yet.
    const RowPicture* picture(const TimelineRow& row) const;
    double devicePixelRatio() const { return m_ratio; }
    /// Labels in the present image.
    std::size_t labelCount() const { return m_labelCount; }

    /// Device pixel line of a height in the rows (logical, from the top of all rows), of a row or below one.
    int deviceY(const TimelineRow& row, std::int64_t y) const;
    /// The part [top, top + height) of a lane of a row, in device pixels; lanes as RowRequest counts them.
    struct Lane {
        int top = 0, height = 0;
    };
    Lane laneOf(const TimelineRow& row, PictureKind kind, std::uint32_t lane, std::uint32_t laneCount) const;
    /// The same of a lane or strip of a preview, by its place among RowPicture::slices.
    Lane previewLane(const TimelineRow& row, const RowPicture& picture, std::uint32_t place) const;

signals:
    void pictureChanged();
    void becameExact();

private:
    void schedule();
    void request();
    void take(const PictureResult& result);
    void forgetClosed();
    void forgetRowsOutOfSight();
    /// Content that a picture is painted of.
    struct Painting {
        std::vector<std::pair<const TimelineRow*, const RowPicture*>> rows;  ///< In this order, pinned ones last.
        int pinned = 0, bottom = 0;  ///< Lines at which the pinned rows and all rows end.
    };
    /// A part of the lines.
    struct Band {
        int number = 0;
        std::size_t labelCount = 0;
        std::vector<std::string_view> missing;  ///< Names for which there was no label yet, perhaps several times.
    };
    void paint();
    /// Paints bands, on several cores.
    void paintBands(const Painting& painting, std::vector<Band>& bands);
    void paintRow(LanePainter& painter, const TimelineRow& row, const RowPicture* picture) const;
    RowRequest requestFor(const TimelineRow& row) const;

    TimelineScene& m_scene;
    JobSlot m_slot;
    QTimer m_timer;          // gathers changes of one turn of the event loop into one request
    bool m_pending = false;  // the scene changed while a request was under way
    QSize m_size;
    double m_ratio = 1;
    LanePalette m_palette;
    LabelCache m_labels;
    QImage m_image;
    TimeRange m_imageWindow;
    bool m_dirty = true;  // the image does not show what is known
    std::size_t m_labelCount = 0;
    std::unordered_map<RowKey, std::shared_ptr<const RowPicture>, RowKeyHash> m_rows;
};

}  // namespace altiscope
