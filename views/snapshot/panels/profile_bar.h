#pragma once

#include "views/common/support/translated.h"
#include "views/snapshot/data/profile_link.h"

#include <QWidget>

class QLabel;
class QToolButton;

namespace altiscope {

/// One line: how the snapshot is joined with a timeline, when the selected event was, the way to the operator of the
/// selected block, and times by hand. GUI thread.
class ProfileBar : public Translated<QWidget> {
    Q_OBJECT
public:
    ProfileBar(ProfileLink& link, SnapshotSelection& selection, QWidget* parent = nullptr);

private:
    void retranslate() override;
    void refresh();
    void fillMenu();

    ProfileLink& m_link;
    SnapshotSelection& m_selection;
    QLabel *m_text, *m_time;
    QToolButton *m_operator, *m_clock;
};

}  // namespace altiscope
