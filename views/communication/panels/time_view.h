#pragma once

#include "core/session/session.h"
#include "views/common/support/view_memory.h"
#include "views/communication/canvas/collective_canvas.h"
#include "views/communication/data/communication_times.h"

#include <QWidget>

#include <memory>
#include <optional>
#include <vector>

class QComboBox;
class QLabel;
class QMenu;
class QTabWidget;
class QToolButton;

namespace altiscope {

class PlotView;
class TablePanel;

/// When collectives ran on each rank, and how long they moved data and waited: by rank, by size of packets, each one,
/// and one of them on all its ranks. GUI thread; rows are read and summed up on workers.
class TimeView : public QWidget {
    Q_OBJECT
public:
    TimeView(Session& session, const ViewMemory& memory, QWidget* parent = nullptr);

    /// Null: nothing is shown. What was shown stays until the result is there.
    /// @param origin  From which times of the capture count on all pages; nullopt, without a timeline: from the first
    ///                collective.
    void show(std::shared_ptr<const CommunicationSource> source, const CollectiveQuery& query,
              std::optional<TimeNs> origin);
    bool idle() const;
    /// Times that cannot be compared; empty: none.
    QString clockGap() const;

    const std::shared_ptr<const CommunicationTimes>& shown() const { return m_times; }
    CollectiveCanvas& canvas() { return *m_canvas; }
    TablePanel& ranks() { return *m_ranks; }
    TablePanel& packets() { return *m_packets; }
    TablePanel& collectives() { return *m_collectives; }
    TablePanel& peers() { return *m_peers; }
    /// Once the result is there, if it is on its way.
    void chooseRank(RankIndex rank);
    /// Likewise: the one of this name that begins nearest to `begin`, on its rank's clock.
    void chooseCollective(RankIndex rank, const QString& name, TimeNs begin);
    /// Selects among what is shown, and brings it into sight.
    void choose(CollectiveCanvas::Place place) { select(place, true); }
    QTabWidget& tabs() { return *m_tabs; }
    /// Draws all ranks so that a collective begins (ends) at once on those that took part.
    void align(CollectiveCanvas::Place place, CollectiveChart::Edge edge);
    /// Ranks are again where their clocks put them.
    void restoreClocks();
    /// By what ranks are aligned, in words; empty: by their clocks.
    QString alignment() const;

signals:
    void sliceRequested(altiscope::SliceId slice);
    void placeRequested(RankIndex rank, altiscope::TimeRange range);
    void shownChanged();
    /// The collective that chooseCollective() requests is not among those shown.
    void collectiveNotFound(const QString& name);
    /// One sentence for the status bar.
    void statusMessage(const QString& text);

protected:
    void changeEvent(QEvent* event) override;

private:
    void setUp();
    void connectParts();
    void take(std::shared_ptr<const CommunicationTimes> times);
    void takeAligned(std::shared_ptr<const CommunicationTimes> times);
    void addAlignmentTo(QMenu& menu, std::optional<CollectiveCanvas::Place> place);
    void showAlignment();
    void showTables();
    void showBars();
    void showScopes();
    void showPackets();
    void readCollectives();
    void readPeers();
    void takePeers(PeerTimes peers);
    std::optional<CollectiveCanvas::Place> placeOfRow(std::uint32_t row) const;
    std::optional<RankIndex> chosenRank() const;
    void select(CollectiveCanvas::Place place, bool inTable);
    void open(CollectiveCanvas::Place place);
    QString rankLabel(std::size_t row) const;
    std::vector<QString> rankLabels() const;
    void retranslate();

    ViewMemory m_memory;
    std::optional<TimeNs> m_captureOrigin;
    TimeNs m_origin;  ///< Origin of what is shown.
    std::shared_ptr<const CommunicationTimes> m_times;
    std::shared_ptr<const CommunicationSource> m_requestedSource;  ///< Source that the request in m_slot reads.
    std::shared_ptr<const CollectiveSet> m_tableSet;  ///< Collectives that the table shows, which follows later.
    std::shared_ptr<const CollectiveDirectory>
        m_directory;  ///< All collectives of the capture of m_times; null: not known yet.
    std::optional<PeerTimes> m_found;
    std::optional<RankIndex> m_wantedRank;
    struct WantedCollective {
        RankIndex rank{};
        QString name;
        TimeNs begin;
    };
    std::optional<WantedCollective> m_wantedCollective;
    CollectiveQuery m_query;
    std::shared_ptr<const CollectiveAlignment> m_alignment;  ///< For requests to come; what is shown has its own.
    std::weak_ptr<const CaptureStore> m_alignedCapture;      ///< The capture of m_alignment.
    JobSlot m_slot, m_tableSlot, m_peerSlot, m_sliceSlot, m_alignSlot;
    QLabel *m_coloursLabel, *m_alignmentLabel;
    QToolButton* m_restore;
    QComboBox* m_colours;
    CollectiveCanvas* m_canvas;
    QTabWidget* m_tabs;
    TablePanel *m_ranks, *m_packets, *m_collectives, *m_peers;
    PlotView *m_bars, *m_sizes;
};

}  // namespace altiscope
