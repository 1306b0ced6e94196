#pragma once

#include "views/common/plots/plot_data.h"
#include "views/common/support/formatters.h"

#include "views/common/plots/plot_library.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <utility>

namespace altiscope {

// How the axes of plots are labelled. For the sources of this folder.

/// Times with their unit, and as many decimals as the distance of two labels needs.
class DurationTicker : public QCPAxisTicker {
public:
    /// A place on the axis stands for the time (place + 0.5) * nsPerPlace + first: that of intervals; by default for
    /// itself.
    explicit DurationTicker(std::int64_t first = 0, double nsPerPlace = 1, double half = 0)
        : m_first(static_cast<double>(first)), m_scale(nsPerPlace), m_half(half) {
        setTickOrigin(-m_first / m_scale - m_half);
    }

protected:
    double getTickStep(const QCPRange& range) override {
        m_step = cleanMantissa(range.size() * m_scale / std::max(1, tickCount()));
        m_extent = std::max(std::abs(valueAt(range.lower)), std::abs(valueAt(range.upper)));
        return m_step / m_scale;
    }
    int getSubTickCount(double) override { return 0; }
    QString getTickLabel(double tick, const QLocale&, QChar, int) override {
        return formatAxisTime({std::llround(valueAt(tick))}, {std::max<std::int64_t>(1, std::llround(m_step))},
                              {std::llround(m_extent)});
    }

private:
    double valueAt(double place) const { return (place + m_half) * m_scale + m_first; }

    double m_first, m_scale, m_half;
    double m_step = 1, m_extent = 1;
};

/// Values of any unit but times. A place on the axis stands for the value (place + half) * scale + first.
class ValueTicker : public QCPAxisTicker {
public:
    explicit ValueTicker(CellUnit unit, double first = 0, double scale = 1, double half = 0)
        : m_unit(unit), m_first(first), m_scale(scale), m_half(half) {
        setTickOrigin(-m_first / m_scale - m_half);
    }

protected:
    double getTickStep(const QCPRange& range) override {
        return cleanMantissa(range.size() * m_scale / std::max(1, tickCount())) / m_scale;
    }
    int getSubTickCount(double) override { return 0; }
    QString getTickLabel(double tick, const QLocale&, QChar, int) override {
        const double value = (tick + m_half) * m_scale + m_first;
        // The rest of 0 after rounding is 0.
        return plotValueText(m_unit, std::abs(value) < 1e-9 * std::abs(m_scale) ? 0 : value);
    }

private:
    CellUnit m_unit;
    double m_first, m_scale, m_half;
};

/// Whole numbers.
class CountTicker : public QCPAxisTicker {
protected:
    double getTickStep(const QCPRange& range) override {
        return std::max(1.0, cleanMantissa(range.size() / std::max(1, tickCount())));
    }
    int getSubTickCount(double) override { return 0; }
    QString getTickLabel(double tick, const QLocale&, QChar, int) override {
        return formatCount(static_cast<std::uint64_t>(std::llround(std::max(0.0, tick))));
    }
};

/// Labels of places; as many as fit when they are drawn: the size of the plot comes later than its content.
class LabelTicker : public QCPAxisTicker {
public:
    LabelTicker(QStringList labels, const QCPAxis& axis, double pixelsOfLabel)
        : m_labels(std::move(labels)), m_axis(axis), m_pixelsOfLabel(pixelsOfLabel) {}

protected:
    double getTickStep(const QCPRange& range) override {
        const int pixels =
            m_axis.orientation() == Qt::Horizontal ? m_axis.axisRect()->width() : m_axis.axisRect()->height();
        const double step = std::max(1.0, std::ceil(range.size() / std::max(1.0, pixels / m_pixelsOfLabel)));
        m_room = static_cast<int>(0.95 * step * pixels / range.size());
        return step;
    }
    int getSubTickCount(double) override { return 0; }
    QString getTickLabel(double tick, const QLocale&, QChar, int) override {
        const auto place = static_cast<qsizetype>(std::llround(tick));
        if (place < 0 || place >= m_labels.size()) return {};
        // A name must not run into those beside it. Downwards there is room to the left only.
        if (m_axis.orientation() == Qt::Vertical) return m_labels[place];
        return QFontMetrics(m_axis.tickLabelFont()).elidedText(m_labels[place], Qt::ElideMiddle, m_room);
    }

private:
    QStringList m_labels;
    const QCPAxis& m_axis;
    double m_pixelsOfLabel;
    int m_room = 0;  ///< Pixels from one label to the next.
};

}  // namespace altiscope
