#include "views/common/plots/colour_ramp.h"

#include <algorithm>
#include <cmath>

namespace altiscope {

namespace {

constexpr int kColours = 256;

// Viridis: equal steps look equal, also without colours.
constexpr std::array<unsigned, 10> kStops = {0x440154, 0x482878, 0x3e4989, 0x31688e, 0x26828e,
                                             0x1f9e89, 0x35b779, 0x6ece58, 0xb5de2b, 0xfde725};

// Little saturation beside the neutral middle, so that small differences look small; the middle is near the background.
constexpr std::array<unsigned, 9> kOnLight = {0x1d5b9e, 0x3f87bf, 0x86b8da, 0xc8dcea, 0xf2f3f4,
                                              0xf6d5c6, 0xec9d80, 0xcf5a49, 0xa81c2c};
constexpr std::array<unsigned, 9> kOnDark = {0x7db6f0, 0x5590c8, 0x3b6893, 0x2f475f, 0x2a2d33,
                                             0x573833, 0x8b493d, 0xc3604c, 0xf39178};

template <std::size_t kCount>
std::array<QRgb, kColours> makeColours(const std::array<unsigned, kCount>& stops) {
    std::array<QRgb, kColours> colours{};
    for (int i = 0; i < kColours; ++i) {
        const double place = i * (static_cast<double>(kCount) - 1.0) / (kColours - 1);
        const auto stop = std::min(stops.size() - 2, static_cast<std::size_t>(place));
        const double part = place - static_cast<double>(stop);
        const QRgb a = stops[stop], b = stops[stop + 1];
        const auto mixed = [&](int from, int to) { return static_cast<int>(std::lround(from + (to - from) * part)); };
        colours[static_cast<std::size_t>(i)] =
            qRgb(mixed(qRed(a), qRed(b)), mixed(qGreen(a), qGreen(b)), mixed(qBlue(a), qBlue(b)));
    }
    return colours;
}

const std::array<QRgb, kColours>& allColours(ColourRamp::Look look) {
    static const std::array kRamps{makeColours(kStops), makeColours(kOnLight), makeColours(kOnDark)};
    return kRamps[static_cast<std::size_t>(look)];
}

}  // namespace

ColourRamp::ColourRamp(double low, double high, Scale scale, Look look)
    : m_low(low), m_high(std::max(low, high)), m_scale(low > 0 ? scale : Scale::Linear), m_look(look) {
    const bool isLog = m_scale == Scale::Logarithmic;
    m_base = isLog ? std::log2(m_low) : m_low;
    m_length = (isLog ? std::log2(m_high) : m_high) - m_base;
}

double ColourRamp::share(double value) const {
    // One value alone lies in the middle: it is neither little nor much.
    if (!(m_length > 0)) return 0.5;
    const double place = m_scale == Scale::Linear ? value : value > 0 ? std::log2(value) : m_base;
    return std::clamp((place - m_base) / m_length, 0.0, 1.0);
}

double ColourRamp::valueAt(double share) const {
    const double place = m_base + share * m_length;
    return m_scale == Scale::Linear ? place : std::exp2(place);
}

QRgb ColourRamp::colourOf(double share, Look look) {
    return allColours(look)[static_cast<std::size_t>(std::clamp(share, 0.0, 1.0) * (kColours - 1) + 0.5)];
}

void ColourRamp::paint(std::span<const float> values, QRgb* out) const {
    const QRgb* colours = allColours(m_look).data();
    const auto factor = static_cast<float>(m_length > 0 ? (kColours - 1) / m_length : 0),
               base = static_cast<float>(m_base), low = static_cast<float>(m_low);
    // Without branches: neighbours of a noisy matrix have nothing in common.
    const float shift = m_length > 0 ? 0.5F : kColours / 2.0F, most = kColours - 1;
    const auto write = [&](auto placeOf) {
        for (std::size_t i = 0; i < values.size(); ++i) {
            const float place = (placeOf(values[i]) - base) * factor + shift, above = place > 0 ? place : 0,
                        within = above < most ? above : most;
            const QRgb colour = colours[static_cast<int>(within)];
            out[i] = values[i] == values[i] ? colour : 0;
        }
    };
    if (m_scale == Scale::Linear) return write([](float value) { return value; });
    write([low](float value) { return std::log2(value > low ? value : low); });
}

QRgb ColourRamp::colour(double value) const { return colourOf(share(value), m_look); }

QColor textOn(QRgb colour) {
    constexpr int kMiddle = 140;
    return qGray(colour) < kMiddle ? QColor(Qt::white) : QColor(Qt::black);
}

}  // namespace altiscope
