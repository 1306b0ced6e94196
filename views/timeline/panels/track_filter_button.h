#pragma once

#include "views/timeline/scene/timeline_scene.h"

#include <QToolButton>

#include <vector>

class QLineEdit;
class QMenu;

namespace altiscope {

/// Which tracks are shown: by text and kind, and what was hidden in the tree. Says how many are hidden while any is,
/// and shows them all again. GUI thread.
class TrackFilterButton : public QToolButton {
    Q_OBJECT
public:
    explicit TrackFilterButton(TimelineScene& scene, QWidget* parent = nullptr);

    /// Opens the menu with the keys in its text field.
    void open();

protected:
    void changeEvent(QEvent* event) override;

private:
    void listKinds();
    void listHidden();
    void refresh();

    TimelineScene& m_scene;
    QMenu* m_menu;
    QLineEdit* m_text;  ///< In the menu.
    std::vector<QAction*> m_kinds;
    QAction* m_afterKinds;
    QAction* m_all;
};

/// Name of a kind of track, in the present language.
QString trackKindTitle(TrackKind kind);

}  // namespace altiscope
