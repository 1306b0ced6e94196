#pragma once

#include <QColor>
#include <QRgb>

#include <array>
#include <optional>
#include <span>

namespace altiscope {

/// Colours of a range of values, from dark to light in steps that look equal; of differences from blue through neutral
/// to red. A constant value.
class ColourRamp {
public:
    enum class Scale : unsigned char { Linear, Logarithmic };
    enum class Look : unsigned char { Sequential, DivergingOnLight, DivergingOnDark };

    /// @param low, high  Values outside have the colour of the nearer end. A logarithmic scale needs low > 0, else it
    /// is linear.
    ColourRamp(double low, double high, Scale scale, Look look = Look::Sequential);

    double low() const { return m_low; }
    double high() const { return m_high; }
    Scale scale() const { return m_scale; }
    /// 0 at the low end, 1 at the high one.
    double share(double value) const;
    double valueAt(double share) const;
    QRgb colour(double value) const;
    /// The colours of many values at once; NaN is transparent.
    void paint(std::span<const float> values, QRgb* out) const;
    static QRgb colourOf(double share, Look look = Look::Sequential);
    Look look() const { return m_look; }

private:
    double m_low, m_high, m_base, m_length;
    Scale m_scale;
    Look m_look;
};

/// Black or white, whichever reads better on a colour.
QColor textOn(QRgb colour);

}  // namespace altiscope
