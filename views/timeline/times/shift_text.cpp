#include "views/timeline/times/shift_text.h"

#include "views/common/support/formatters.h"

#include <QCoreApplication>

#include <cstdlib>

namespace altiscope {

namespace {

struct ShiftTexts {
    Q_DECLARE_TR_FUNCTIONS(altiscope::RankShifts)
};

QString clockText(const RankClock& clock) {
    switch (clock.state) {
    case RankClock::State::Reference: return ShiftTexts::tr("The clocks of the other ranks are aligned to this one.");
    case RankClock::State::Aligned:
        return ShiftTexts::tr("Clock moved by %1 (it drifts by %2 ppm): by %3 collectives, within %4")
            .arg(formatExactNs({clock.offset}), formatNumber(static_cast<double>(clock.driftPpb) / 1000),
                 formatCount(clock.pairs), formatDuration({clock.offsetResidual}));
    case RankClock::State::NoCommonGroup:
        return ShiftTexts::tr("Clock as recorded: no collective in common with the ranks that are aligned");
    case RankClock::State::NoCollectives: break;
    }
    return ShiftTexts::tr("Clock as recorded: there are no collectives to align it by");
}

}  // namespace

QString shiftOriginText(ShiftOrigin origin) {
    switch (origin) {
    case ShiftOrigin::None: break;
    case ShiftOrigin::Collectives: return ShiftTexts::tr("by collectives");
    case ShiftOrigin::Operator: return ShiftTexts::tr("by operator %1");
    case ShiftOrigin::Hand: return ShiftTexts::tr("by hand");
    }
    return {};
}

QString shiftOriginText(const RankShifts* shifts, RankIndex rank) {
    const ShiftOrigin origin = shifts == nullptr ? ShiftOrigin::None : shifts->originOf(rank);
    const QString text = shiftOriginText(origin);
    return origin == ShiftOrigin::Operator ? text.arg(toQString(shifts->own[rank.value]->operatorName)) : text;
}

QString trackShiftText(const RankShifts* shifts, RankIndex rank, TrackIndex track) {
    if (shifts == nullptr) return {};
    const std::int64_t by = shifts->of(rank, track).value - shifts->of(rank).value;
    if (by == 0) return {};
    const QString amount = formatExactNs({std::abs(by)});
    return by > 0 ? ShiftTexts::tr("Drawn %1 later than its rank, by hand").arg(amount)
                  : ShiftTexts::tr("Drawn %1 earlier than its rank, by hand").arg(amount);
}

QString shiftText(const RankShifts* shifts, RankIndex rank) {
    if (shifts == nullptr) return {};
    if (rank.value < shifts->own.size() && shifts->own[rank.value]) {
        const DurationNs by = shifts->of(rank);
        if (by.value == 0) return ShiftTexts::tr("Clock as recorded");
        const QString how = shiftOriginText(shifts, rank);
        const QString amount = formatExactNs({std::abs(by.value)});
        return by.value > 0 ? ShiftTexts::tr("Drawn %1 later than recorded, %2").arg(amount, how)
                            : ShiftTexts::tr("Drawn %1 earlier than recorded, %2").arg(amount, how);
    }
    return shifts->clocks != nullptr && rank.value < shifts->clocks->ranks.size()
               ? clockText(shifts->clocks->ranks[rank.value])
               : QString();
}

}  // namespace altiscope
