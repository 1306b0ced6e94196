#pragma once

#include "views/operators/shares.h"

#include <QAbstractScrollArea>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace altiscope {

/// Shares as bars below each other, with their names and percentages. A click, or the arrows, chooses one. GUI thread.
class ShareBars : public QAbstractScrollArea {
    Q_OBJECT
public:
    explicit ShareBars(QWidget* parent = nullptr);

    void setShares(std::vector<Share> shares);
    const std::vector<Share>& shares() const { return m_shares; }
    /// Marks the share of a key.
    void setChosen(std::optional<std::uint32_t> key);
    /// Where a bar is drawn, in the viewport.
    QRect barRect(std::size_t place) const;

signals:
    void chosen(std::uint32_t key);

protected:
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void changeEvent(QEvent* event) override;
    bool viewportEvent(QEvent* event) override;

private:
    int rowHeight() const;
    std::optional<std::size_t> placeAt(const QPoint& at) const;
    void choose(std::size_t place);
    void updateScrollBar();

    std::vector<Share> m_shares;
    std::optional<std::uint32_t> m_chosen;
};

}  // namespace altiscope
