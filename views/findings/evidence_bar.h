#pragma once

#include "core/session/findings_loader.h"
#include "views/common/support/evidence_spots.h"

#include <QFrame>

#include <cstddef>
#include <memory>
#include <optional>

class QLabel;
class QToolButton;

namespace altiscope {

/// A finding above whatever page shows its evidence: its sentences, which place of how many is shown, and the ways to
/// the others and back; in a low window one line of them, with the rest in its tip. Hidden while there is none;
/// Escape closes it unless something else in the window takes it. GUI thread.
class EvidenceBar : public QFrame {
    Q_OBJECT
public:
    explicit EvidenceBar(QWidget* parent = nullptr);

    /// @param index  In found->findings.  @param spot  Index in evidenceSpots() of it; clamped.
    void show(std::shared_ptr<const CaptureFindings> found, std::size_t index, std::size_t spot);
    void close();
    /// Null: it is closed.
    const Finding* finding() const { return m_finding; }
    /// The spot that is shown; nullopt where the finding leads nowhere.
    std::optional<EvidenceSpot> spot() const;
    const std::shared_ptr<const CaptureFindings>& found() const { return m_found; }
    std::size_t index() const { return m_index; }
    /// Note on what the page at hand has done for it.
    void setNote(const QString& note);

signals:
    void spotChanged();    ///< By the user: spot() is to be shown.
    void listRequested();  ///< The finding in full.
    void closed();

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void changeEvent(QEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;

private:
    void step(int by);
    void refresh();
    void showSentences();
    bool isWindowLow() const;
    QString spotText() const;

    std::shared_ptr<const CaptureFindings> m_found;
    const Finding* m_finding = nullptr;
    std::size_t m_index = 0, m_spot = 0;
    QString m_note;
    bool m_isLow = false;
    QLabel* m_icon;
    QLabel* m_title;
    QLabel* m_detail;
    QLabel* m_where;
    QToolButton* m_previous;
    QToolButton* m_next;
    QToolButton* m_list;
    QToolButton* m_close;
};

}  // namespace altiscope
