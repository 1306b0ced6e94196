#pragma once

#include "views/common/support/translated.h"
#include "views/common/support/view_memory.h"
#include "views/snapshot/canvas/block_colours.h"
#include "views/snapshot/data/loaded_snapshot.h"
#include "views/snapshot/data/snapshot_selection.h"

#include <QWidget>

#include <memory>
#include <optional>
#include <vector>

class QComboBox;
class QLabel;
class QSpinBox;
class QTimer;
class QToolButton;

namespace altiscope {

/// Settings of the page: which device, what colours say, and the selected event with stepping and playing. GUI thread.
class SnapshotBar : public Translated<QWidget> {
    Q_OBJECT
public:
    SnapshotBar(SnapshotSelection& selection, const ViewMemory& memory, QWidget* parent = nullptr);

    /// The chosen device stays if it is there.
    void setChoices(std::vector<SnapshotChoice> choices);
    std::optional<SnapshotChoice> choice() const;
    /// The snapshot that was read with a rank, of a device, if it is there.
    void choose(RankIndex rank, std::int64_t device);
    void setSnapshot(std::shared_ptr<const LoadedSnapshot> snapshot);
    BlockColouring colouring() const;
    bool isPlaying() const;
    /// To the event so many before or after; stays within the history.
    void step(std::int64_t by);
    void setPlaying(bool isPlaying);

signals:
    void choiceChanged();
    void colouringChanged();

private:
    void retranslate() override;
    void showSelectedEvent();
    void offerAnnotations(bool isOffered);
    QToolButton* addButton(const QString& icon);

    SnapshotSelection& m_selection;
    ViewMemory m_memory;
    std::vector<SnapshotChoice> m_choices;
    std::shared_ptr<const LoadedSnapshot> m_snapshot;
    QLabel *m_deviceLabel, *m_colourLabel, *m_eventLabel;
    QComboBox *m_device, *m_colour, *m_speed;
    QSpinBox* m_event;
    QToolButton *m_before, *m_play, *m_after, *m_peak;
    QTimer* m_timer;
};

}  // namespace altiscope
