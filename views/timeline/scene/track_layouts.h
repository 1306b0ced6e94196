#pragma once

#include "core/session/job_runner.h"
#include "views/common/support/page_state.h"
#include "views/common/support/view_memory.h"
#include "views/timeline/scene/timeline_scene.h"

#include <QJsonArray>
#include <QJsonObject>
#include <QObject>
#include <QStringList>
#include <QTimer>

#include <cstdint>
#include <map>
#include <memory>
#include <unordered_set>
#include <utility>
#include <vector>

class QMenu;
class QWidget;

namespace altiscope {

class TrackNames;

/// Arrangements of the rows that the user has given names, for any capture; and the last one of each capture, which it
/// is opened with. Both are kept in the view memory, by names of processes and tracks (see track_layout.h). GUI thread;
/// names are looked up on a worker.
class TrackLayouts : public QObject {
    Q_OBJECT
public:
    /// The scene must outlive it.
    TrackLayouts(TimelineScene& scene, ViewMemory memory, QWidget* window, QObject* parent = nullptr);
    ~TrackLayouts() override;

    QStringList names() const;
    /// The state of what is shown: pinned, hidden, ordered, merged, sized and expanded rows of the first capture, the
    /// filter of tracks and the colouring. One with this name is replaced.
    void save(const QString& name);
    /// To all open captures, as one step that can be undone.
    void apply(const QString& name);
    void remove(const QString& name);
    void rename(const QString& name, const QString& to);
    /// All rows as recorded.
    void reset();

    /// The rows of the captures of a workspace, the filter of tracks and the colouring:
    /// {"rows":[LAYOUT by capture (see track_layout.h)],"text","kinds":[KIND],"colours":N,"rules":[]}.
    QJsonObject state(const WorkspaceIds& captures) const;
    /// In place of how captures were arranged last; of those that are not read yet once they are.
    void restore(const QJsonObject& state, const WorkspaceIds& captures);
    /// Whether rows of a capture are still to be arranged by restore(): for ever if it cannot be read.
    bool isWaitingFor(CaptureId capture) const { return m_wanted.contains(capture); }

    /// Nothing is being looked up.
    bool idle() const { return !m_slot.busy(); }

    /// The entries that do all this.
    void fillMenu(QMenu& menu);

signals:
    /// The layout that restore() wants for a capture is applied.
    void applied();

private:
    QJsonObject all() const;
    /// A capture whose last arrangement is kept.
    struct Followed {
        std::shared_ptr<const CaptureStore> store;
        /// Null until they are looked up, and its last arrangement is applied.
        std::shared_ptr<const TrackNames> names;
    };
    void follow();
    void lookUp();
    void applyLast(CaptureId capture);
    void applyWanted(CaptureId capture);
    void arrangeAs(CaptureId capture, const QJsonObject& layout);
    void showFilter(const QJsonObject& layout, TrackFilter& filter) const;
    void showColours(const QJsonObject& layout);
    void saveFilter(QJsonObject& layout) const;
    std::shared_ptr<const TrackNames> namesOf(const TimelineSource& source) const;
    void keepLast();
    void keep(const Followed& followed, QStringList& list) const;
    QString promptName(const QString& title, const QString& suggestion) const;

    TimelineScene& m_scene;
    ViewMemory m_memory;
    QWidget* m_window;
    QTimer m_keeper;  // gathers changes
    std::map<CaptureId, Followed> m_followed;
    std::map<CaptureId, QJsonObject> m_wanted;  // layouts of a workspace
    JobSlot m_slot;
    /// Last result of state(), and its input: it is called every second.
    struct Said {
        std::vector<std::pair<CaptureId, std::shared_ptr<const TrackNames>>> of;
        TrackArrangement arrangement;
        std::unordered_set<RowKey, RowKeyHash> hidden;
        RowExpansion expansion;
        QJsonArray rows;
    };
    mutable Said m_said;
    TrackArrangement m_kept;  // as it was when it was kept last
    std::unordered_set<RowKey, RowKeyHash> m_keptHidden;
    RowExpansion m_keptExpansion;
};

}  // namespace altiscope
