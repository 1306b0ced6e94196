#pragma once

#include "views/operators/shares.h"

#include <QWidget>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace altiscope {

/// Shares as a pie: the first begins at the top, the others follow clockwise. Pieces that have room carry their
/// percentage, large ones their name too; a tooltip shows all of each. A click chooses one. GUI thread.
class SharePie : public QWidget {
    Q_OBJECT
public:
    explicit SharePie(QWidget* parent = nullptr);

    /// @param title  Written above.
    void setShares(std::vector<Share> shares, const QString& title);
    const std::vector<Share>& shares() const { return m_shares; }
    void setChosen(std::optional<std::uint32_t> key);
    /// Which piece lies there.
    std::optional<std::size_t> placeAt(const QPointF& at) const;
    QRectF circle() const;

signals:
    void chosen(std::uint32_t key);

protected:
    void paintEvent(QPaintEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void changeEvent(QEvent* event) override;
    bool event(QEvent* event) override;

private:
    std::vector<Share> m_shares;
    QString m_title;
    std::optional<std::uint32_t> m_chosen;
};

}  // namespace altiscope
