#pragma once

#include "core/base/values/cancel.h"
#include "views/common/theme/theme.h"
#include "views/timeline/picture/row_picture.h"

#include <QFont>
#include <QSize>
#include <QString>

#include <cstddef>
#include <optional>
#include <vector>

namespace altiscope {

class TimelineScene;
struct TrackChoice;

/// A row of a picture that is made for a file.
struct PicturedRow {
    QString title;
    int level = 0;
    bool isGroup = false;
    int top = 0, height = 0;  ///< Logical pixels from the first row.
    std::uint32_t lanes = 0;
    int lane = 0;       ///< Height of one.
    TimelineRow shape;  ///< Strips of a collapsed thread lie by it.
    RowRequest request;
};

/// A picture of rows over a time, with their names, a time axis and a line that says what it shows: everything that
/// workers need to make it. Coordinates are logical pixels.
struct TracePicture {
    std::vector<PicturedRow> rows;
    std::size_t excluded = 0;  ///< Rows for which the picture has no room.
    TimeRange window;          ///< On the axis; not empty.
    TimeNs origin;             ///< From which times count.
    RowMetrics metrics;
    const Theme* theme = nullptr;
    QFont font;
    QString source;  ///< "run1, 4 ranks, from 1.2 s, 3.4 ms long"
    int nameWidth = 0, width = 0;
    double ratio = 1;  ///< Device pixels of a logical one.

    int height() const;  ///< Height of the rows.
    QSize size() const;  ///< Size of the whole picture.
};

/// The rows that the scene shows, or those of the chosen tracks with the groups around them. As many as fit into a
/// picture. GUI thread. O(rows).
/// @param width  Of the whole picture.
/// @param only   Without a choice of tracks: these rows, ascending; null: all.
TracePicture pictureOf(const TimelineScene& scene, const TrackChoice* tracks, TimeRange window, int width, double ratio,
                       const QFont& font, const Theme& theme, const std::vector<std::size_t>* only = nullptr);

/// Writes it as PNG with `ratio` device pixels for a logical one, or as SVG, by the ending of the name. The file
/// appears when it is complete. Any thread; parallel on the arena; cost: lanes * width.
/// @return What went wrong, empty if nothing; nullopt if it was cancelled: then nothing is written.
std::optional<QString> writePicture(const TracePicture& picture, const QString& file, const CancelToken& cancel);

}  // namespace altiscope
