#include "views/timeline/page/timeline_marks.h"

#include "views/common/plots/time_axis.h"

#include <QCoreApplication>

namespace altiscope {

namespace {

struct MarkTexts {
    Q_DECLARE_TR_FUNCTIONS(altiscope::TimelineMarks)
};

/// Index into Theme::hues of moments that other pages show.
constexpr std::size_t kHueOfMoments = 0;

}  // namespace

std::vector<ShownMark> shownMarks(const Marks& marks, const TimelineSources& sources) {
    std::vector<ShownMark> shown;
    for (const TimelineSource& source : sources) {
        const std::vector<Mark>& list = marks.of(source.capture);
        for (std::size_t i = 0; i < list.size(); ++i) {
            shown.push_back({.capture = source.capture,
                             .place = i,
                             .range = shifted(list[i].range, source.shift),
                             .hue = static_cast<std::size_t>(list[i].colour),
                             .name = list[i].name,
                             .note = list[i].note});
        }
    }
    return shown;
}

void addMoment(std::vector<ShownMark>& shown, const MomentElsewhere& moment, const TimelineSources& sources) {
    const auto source = sources.sourceOf(moment.capture);
    if (!source) return;
    const TimeNs at = shifted(moment.time, sources.shiftOf(*source, moment.rank));
    shown.push_back({.capture = moment.capture,
                     .place = ShownMark::kElsewhere,
                     .range = {at, at},
                     .hue = kHueOfMoments,
                     .name = moment.title,
                     .note = MarkTexts::tr("Selected on the page Snapshot: a double click leads there.")});
}

bool addMark(Marks& marks, const SelectionState& shared, const TimelineSelection& selection,
             const TimelineSources& sources, std::optional<TimeNs> pointer, std::uint32_t source) {
    const auto selected = sources.sourceOf(shared.capture);
    if (shared.range && selected) {
        marks.add(shared.capture, {*shared.range, {}, {}, 0});
        return true;
    }
    const auto slice = selection.sliceRange();
    if (!pointer && slice && selected) source = *selected;
    const std::optional<TimeNs> at = pointer ? pointer : slice ? std::optional(slice->begin) : std::nullopt;
    if (!at || source >= sources.size()) return false;
    source = sources.ownerOf(source);
    const TimeNs own = shifted(*at, {-sources[source].shift.value});
    marks.add(sources[source].capture, {{own, own}, {}, {}, 0});
    return true;
}

}  // namespace altiscope
