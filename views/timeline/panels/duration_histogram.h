#pragma once

#include "core/analysis/support/duration_spread.h"

#include <QWidget>

#include <vector>

namespace altiscope {

/// How long slices are: a bar for each bucket of a logarithmic scale, with its count when the pointer rests on it. GUI
/// thread.
class DurationHistogram : public QWidget {
    Q_OBJECT
public:
    explicit DurationHistogram(QWidget* parent = nullptr);

    void show(std::vector<DurationBucket> buckets);
    QSize sizeHint() const override;

protected:
    bool event(QEvent* event) override;
    void paintEvent(QPaintEvent* event) override;

private:
    QRectF plotArea() const;
    QRectF barOf(std::size_t bucket) const;

    std::vector<DurationBucket> m_buckets;
    std::uint64_t m_most = 0, m_all = 0;
};

}  // namespace altiscope
