#include "views/timeline/scene/slice_colours.h"

#include "core/analysis/steps/wait_names.h"
#include "views/timeline/scene/colour_rules.h"

#include <algorithm>

namespace altiscope {

std::string_view hueName(std::string_view name) {
    const std::size_t last = name.find_last_not_of("0123456789_#@.- ");
    return last == std::string_view::npos ? name : name.substr(0, last + 1);
}

ColourIndex hueOfDuration(DurationNs duration) {
    // The hues of the theme that lead from blue to red.
    static constexpr std::array<ColourIndex, 16> kRamp{0, 14, 4, 12, 8, 5, 10, 2, 13, 6, 9, 1, 15, 3, 7, 11};
    // 1, 2.2 and 4.6 of each decade from a microsecond on.
    static constexpr std::array<std::int64_t, 3> kSteps{1'000, 2'150, 4'640};
    std::size_t place = 0;
    std::int64_t scale = 1;
    while (place + 1 < kRamp.size() && duration.value >= kSteps[place % 3] * scale) {
        ++place;
        if (place % 3 == 0) scale *= 10;
    }
    return kRamp[place];
}

SliceColours::SliceColours(std::shared_ptr<const TraceStore> trace, ColourBy by, RankIndex rank,
                           std::shared_ptr<const RuledColours> ruled)
    : m_trace(std::move(trace)), m_weights(trackWeights(*m_trace)), m_by(by),
      m_hueOfRank(static_cast<ColourIndex>(rank.value * 5 % Theme::kHues)), m_ruled(std::move(ruled)) {
    if (by == ColourBy::Track) {
        for (const Track& track : m_trace->tracks())
            m_hueOfTrack.push_back(static_cast<ColourIndex>(Theme::hueIndex(track.name)));
    }
    const StringPool& texts = m_trace->texts();
    for (const std::string_view wait : kWaitNames)
        if (const auto id = texts.find(wait)) m_waits.push_back(*id);
    if ((by != ColourBy::Name && by != ColourBy::Category) || texts.size() > kTable) return;
    m_hueOfText.resize(texts.size());
    for (std::uint32_t i = 0; i < texts.size(); ++i) {
        m_hueOfText[i] = static_cast<ColourIndex>(Theme::hueIndex(hueName(texts.text({i}))));
    }
    if (by != ColourBy::Name || m_trace->columns().colour.size() == 0) return;
    std::vector<ColourIndex> requested(texts.size());
    for (std::uint32_t i = 0; i < texts.size(); ++i) requested[i] = colourOfName({i});
    m_colourOfText = std::move(requested);
}

SliceColours::~SliceColours() = default;

ColourIndex SliceColours::hueOfText(StringId text) const {
    return m_hueOfText.empty() ? static_cast<ColourIndex>(Theme::hueIndex(hueName(m_trace->text(text))))
                               : m_hueOfText[text.value];
}

ColourIndex SliceColours::colourOfName(StringId colour) const {
    if (!m_colourOfText.empty()) return m_colourOfText[colour.value];
    const auto known = namedColour(m_trace->text(colour));
    return known ? static_cast<ColourIndex>(kFirstNamedColour + *known) : hueOfText(colour);
}

ColourIndex SliceColours::of(const WindowItem& item, bool overlapTrack) const {
    if (overlapTrack) {
        const std::string_view name = m_trace->text(item.name);
        if (name == "Computing") return kComputingColour;
        // Time that is not overlapped is communication too: one meaning, distinguished by its track.
        if (name.starts_with("Communication")) return kCommunicationColour;
        if (name == "Free") return kFreeColour;
    }
    if (m_ruled != nullptr) {
        const ColourIndex colour = m_ruled->of(item.name, m_trace->columns().category[item.slice.value]);
        if (colour != RuledColours::kNoColour) return colour;
    }
    if (std::find(m_waits.begin(), m_waits.end(), item.name) != m_waits.end()) return kWaitColour;
    switch (m_by) {
    case ColourBy::Name: {
        const auto& colours = m_trace->columns().colour;
        if (colours.size() != 0 && colours[item.slice.value] != kNoColour)
            return colourOfName(colours[item.slice.value]);
        break;
    }
    case ColourBy::Category: return hueOfText(m_trace->columns().category[item.slice.value]);
    case ColourBy::Duration: return hueOfDuration(item.length);
    case ColourBy::Track: return m_hueOfTrack[m_trace->runOf(item.slice).track];
    case ColourBy::Rank: return m_hueOfRank;
    }
    return hueOfText(item.name);
}

QRgb mixed(QRgb under, QRgb over, int parts) {
    const auto channel = [parts](int a, int b) { return a + (b - a) * parts / 255; };
    return qRgb(channel(qRed(under), qRed(over)), channel(qGreen(under), qGreen(over)),
                channel(qBlue(under), qBlue(over)));
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
    // A wait is time in which nothing is done: its stripes are seen, not its ground.
    constexpr int kPale = 80;
    palette.fill[kWaitColour] = mixed(palette.background, theme.wait.rgb(), kPale);
    const QRgb black = qRgb(0, 0, 0), white = qRgb(255, 255, 255);
    for (std::size_t i = 0; i < kNamedColours.size(); ++i) {
        QRgb& fill = palette.fill[kFirstNamedColour + i] = 0xff000000U | kNamedColours[i].rgb;
        // White on white is to be seen all the same.
        if (fill == palette.background) fill = mixed(fill, theme.dark ? white : black, 30);
    }
    for (std::size_t i = 0; i < kColourCount; ++i) {
        // The theme's hues are made for its labels; what a source requests may be as dark or as light as they.
        const QRgb label = i == kWaitColour               ? theme.text.rgb()
                           : i < kFirstNamedColour        ? theme.label.rgb()
                           : qGray(palette.fill[i]) < 100 ? white
                                                          : black;
        palette.edge[i] = mixed(palette.fill[i], palette.fill[i] == black ? white : black, theme.dark ? 90 : 60);
        if (i == kWaitColour) palette.edge[i] = mixed(palette.fill[i], theme.wait.rgb(), 150);
        palette.area[i] = mixed(palette.background, palette.fill[i], 110);
        for (int coverage = 0; coverage < 256; ++coverage) {
            palette.label[i][static_cast<std::size_t>(coverage)] = mixed(palette.fill[i], label, coverage);
        }
    }
    return palette;
}

}  // namespace altiscope
