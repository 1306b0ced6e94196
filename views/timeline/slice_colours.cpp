#include "views/timeline/slice_colours.h"

namespace altiscope {

std::string_view hueName(std::string_view name) {
    const std::size_t last = name.find_last_not_of("0123456789_#@.- ");
    return last == std::string_view::npos ? name : name.substr(0, last + 1);
}

SliceColours::SliceColours(std::shared_ptr<const TraceStore> trace) : m_trace(std::move(trace)) {
    const StringPool& texts = m_trace->texts();
    if (texts.size() > kTable) return;
    m_hueOfText.resize(texts.size());
    for (std::uint32_t i = 0; i < texts.size(); ++i) {
        m_hueOfText[i] = static_cast<ColourIndex>(Theme::hueIndex(hueName(texts.text({i}))));
    }
}

ColourIndex SliceColours::of(SliceIndex slice, bool overlapTrack) const {
    const StringId id = m_trace->nameId(slice);
    if (overlapTrack) {
        const std::string_view name = m_trace->text(id);
        if (name == "Computing") return kComputingColour;
        // What is not overlapped is communication too: one meaning, told apart by its track.
        if (name.starts_with("Communication")) return kCommunicationColour;
        if (name == "Free") return kFreeColour;
    }
    if (m_hueOfText.empty()) return static_cast<ColourIndex>(Theme::hueIndex(hueName(m_trace->text(id))));
    return m_hueOfText[id.value];
}

QRgb mixed(QRgb under, QRgb over, int parts) {
    const auto channel = [parts](int a, int b) { return a + (b - a) * parts / 255; };
    return qRgb(channel(qRed(under), qRed(over)), channel(qGreen(under), qGreen(over)), channel(qBlue(under), qBlue(over)));
}

LanePalette makeLanePalette(const Theme& theme) {
    LanePalette palette;
    palette.background = theme.background.rgb();
    palette.group = theme.raised.rgb();
    palette.line = theme.hairLine.rgb();
    for (std::size_t i = 0; i < Theme::kHues; ++i) palette.fill[i] = theme.hues[i].rgb();
    palette.fill[kComputingColour] = theme.computing.rgb();
    palette.fill[kCommunicationColour] = theme.communication.rgb();
    palette.fill[kFreeColour] = theme.free.rgb();
    const QRgb black = qRgb(0, 0, 0);
    for (std::size_t i = 0; i < kColourCount; ++i) {
        palette.edge[i] = mixed(palette.fill[i], black, theme.dark ? 90 : 60);
        palette.area[i] = mixed(palette.background, palette.fill[i], 110);
        for (int coverage = 0; coverage < 256; ++coverage) {
            palette.label[i][static_cast<std::size_t>(coverage)] = mixed(palette.fill[i], theme.label.rgb(), coverage);
        }
    }
    return palette;
}

} // namespace altiscope
