#include "core/generate/ranks/unit_pass.h"

#include "core/base/threads/parallel.h"

#include <algorithm>

namespace altiscope::generate {

namespace {

Result<Done> writeUnit(const PassContext& context, const UnitPass& pass, RenderedUnit& unit) {
    for (std::size_t i = 0; i < pass.streams.size(); ++i) {
        std::string_view text = unit.texts[i].view();
        if (unit.record.unit == 0 && i == 0) text.remove_prefix(std::min(pass.dropAtBegin, text.size()));
        const Result<Done> done = pass.streams[i]->write(text);
        if (!done.ok()) return done;
        context.progress.addDone(text.size());
    }
    return pass.collect ? pass.collect(unit) : Result<Done>(Done{});
}

}  // namespace

Result<Done> runUnitPass(const PassContext& context, std::uint32_t rank, const UnitPass& pass, TraceTally& tally) {
    const std::uint64_t units = context.run.plan.units();
    std::vector<RenderedUnit> wave(std::min<std::uint64_t>(context.unitsAtOnce, units));
    for (std::uint64_t first = 0; first < units; first += wave.size()) {
        const auto count = static_cast<std::size_t>(std::min<std::uint64_t>(wave.size(), units - first));
        const auto renderOne = [&](std::size_t i) {
            if (context.cancel.cancelled()) return;
            RenderedUnit& unit = wave[i];
            for (TextBuffer& text : unit.texts) text.clear();
            unit.tally = TraceTally(tally.tracks.size());
            unit.record = recordUnit(context.run, rank, first + i, pass.parts);
            pass.render(unit);
        };
        if (count == 1) renderOne(0);
        else parallelFor(count, renderOne);
        for (std::size_t i = 0; i < count; ++i) {
            if (context.cancel.cancelled()) return Cancelled{};
            const Result<Done> done = writeUnit(context, pass, wave[i]);
            if (!done.ok()) return done;
            tally.add(wave[i].tally);
        }
    }
    return Done{};
}

}  // namespace altiscope::generate
