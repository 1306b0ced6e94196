#pragma once

#include "views/timeline/scene/timeline_selection.h"

#include <QObject>

#include <optional>
#include <vector>

class QAction;
class QMenu;
class QWidget;

namespace altiscope {

class Session;

/// Saves the marked range (else the time in sight) of the chosen tracks (else of all that are shown) as Chrome JSON, or
/// as PNG or SVG the picture of the chosen tracks (else of the rows in sight), or of all that are shown. Asks for the
/// file; writing is a job; never writes into an open capture. GUI thread.
class TimelineSaving : public QObject {
    Q_OBJECT
public:
    /// @param look  Whose font, palette and resolution pictures have; parent of dialogs.
    TimelineSaving(Session& session, TimelineScene& scene, TimelineSelection& selection, QWidget& look);

    /// For menus and the command palette; named by retranslate().
    const std::vector<QAction*>& actions() const { return m_actions; }
    void retranslate();
    void saveTraceAs();
    enum class Pictured : unsigned char {
        Seen,  ///< Without a choice of tracks: the rows in sight.
        All,   ///< Without one: all that are shown, however far they are scrolled.
    };
    void savePictureOf(Pictured what);
    /// The same with the file known.
    void saveTrace(const QString& file);
    void savePicture(const QString& file, Pictured what = Pictured::Seen);

signals:
    void statusMessage(const QString& text);

private:
    std::optional<std::uint32_t> source() const;
    TimeRange range() const;
    QString whatItShows(std::uint32_t source) const;
    QString nameOf(std::uint32_t source) const;

    Session& m_session;
    TimelineScene& m_scene;
    TimelineSelection& m_selection;
    QWidget& m_look;
    std::vector<QAction*> m_actions;
};

}  // namespace altiscope
