#include "core/analysis/collectives/clock_fit.h"

#include "core/base/values/median.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <limits>

namespace altiscope {

namespace {

__extension__ using Wide = __int128;

constexpr std::int64_t kBillion = 1'000'000'000;
/// Clocks that go faster or slower by more than this are none; the worst that are sold differ by some hundred.
constexpr double kMaxDrift = 2.5e-3;
/// Ends of one collective on two ranks may be apart by this in spite of right clocks.
constexpr std::int64_t kEndsApart = 5'000;
/// If half of the pairs are further apart than this, they are no pairs.
constexpr std::int64_t kMaxResidual = 100'000;
/// Nearer ones than this are pairs, however near those of another order are.
constexpr double kSureSpread = 10'000;
constexpr std::size_t kProbes = 96, kCandidates = 12;

/// The difference of two clocks at a time of one of them; times count from the first end of each.
struct ClockDifference {
    double own, ahead;
};

struct Line {
    double slope = 0, ahead = 0, spread = 0;  // spread: median distance from the line
    double distance(const ClockDifference& d) const { return d.ahead - (ahead + slope * d.own); }
};

/// By medians: half of the differences may be anything. @pre there are some
Line robustLine(const std::vector<ClockDifference>& differences) {
    Line line;
    std::vector<double> values;
    const std::size_t half = differences.size() / 2;
    if (differences.size() >= 4) {
        for (std::size_t i = 0; i + half < differences.size(); ++i) {
            const double passed = differences[i + half].own - differences[i].own;
            if (passed > 0) values.push_back((differences[i + half].ahead - differences[i].ahead) / passed);
        }
        if (!values.empty()) line.slope = std::clamp(upperMedian(values), -kMaxDrift, kMaxDrift);
    }
    values.clear();
    for (const ClockDifference& d : differences) values.push_back(d.ahead - line.slope * d.own);
    line.ahead = upperMedian(values);
    values.clear();
    for (const ClockDifference& d : differences) values.push_back(std::abs(line.distance(d)));
    line.spread = upperMedian(values);
    return line;
}

/// The line of least squares through what lies near a robust one.
Line refined(const Line& line, const std::vector<ClockDifference>& differences) {
    const double reach = std::max(6 * line.spread, 200.0);
    double count = 0, sumX = 0, sumY = 0;
    for (const ClockDifference& d : differences) {
        if (std::abs(line.distance(d)) > reach) continue;
        ++count, sumX += d.own, sumY += line.distance(d);
    }
    if (count < 4) return line;
    double squares = 0, products = 0;
    for (const ClockDifference& d : differences) {
        if (std::abs(line.distance(d)) > reach) continue;
        squares += (d.own - sumX / count) * (d.own - sumX / count);
        products += (d.own - sumX / count) * (line.distance(d) - sumY / count);
    }
    const double slope = squares > 0 ? products / squares : 0;
    return {line.slope + slope, line.ahead + sumY / count - slope * sumX / count, line.spread};
}

/// Few ends that are not quite together lie on many lines: without good reason a clock does not drift.
Line plausible(const Line& line, const std::vector<ClockDifference>& differences) {
    constexpr std::size_t kMin = 8;
    constexpr double kTimesSpread = 8;
    const double passed = differences.back().own - differences.front().own;
    // The more there are, the better they tell a line from chance.
    const double chance =
        kTimesSpread * line.spread * std::sqrt(static_cast<double>(kMin) / static_cast<double>(differences.size()));
    if (differences.size() >= kMin && std::abs(line.slope) * passed > chance) return line;
    Line flat;
    std::vector<double> values;
    for (const ClockDifference& d : differences) values.push_back(d.ahead);
    flat.ahead = upperMedian(values);
    values.clear();
    for (const ClockDifference& d : differences) values.push_back(std::abs(flat.distance(d)));
    flat.spread = upperMedian(values);
    return flat;
}

/// Two lists of ends, counted from the first end of each.
class EndPairs {
public:
    EndPairs(const std::vector<CollectiveEnd>& own, const std::vector<CollectiveEnd>& other)
        : m_own(own), m_other(other) {}

    std::optional<ClockLine> fit() const;

private:
    double ownAt(std::size_t i) const { return static_cast<double>(m_own[i].end - m_own[0].end); }
    double otherAt(std::size_t j) const { return static_cast<double>(m_other[j].end - m_other[0].end); }
    std::optional<Line> byOrder() const;
    std::vector<ClockDifference> atLag(std::ptrdiff_t lag) const;
    std::size_t agreeing(std::ptrdiff_t lag) const;
    std::vector<ClockDifference> near(const Line& line, double reach, std::size_t& overlapping) const;

    const std::vector<CollectiveEnd>& m_own;
    const std::vector<CollectiveEnd>& m_other;
};

/// Pairs if own number i is the other's i + lag.
std::vector<ClockDifference> EndPairs::atLag(std::ptrdiff_t lag) const {
    std::vector<ClockDifference> differences;
    for (std::size_t i = 0; i < m_own.size(); ++i) {
        const std::ptrdiff_t j = static_cast<std::ptrdiff_t>(i) + lag;
        if (j < 0 || static_cast<std::size_t>(j) >= m_other.size()) continue;
        const auto at = static_cast<std::size_t>(j);
        if (m_own[i].what == m_other[at].what) differences.push_back({ownAt(i), otherAt(at) - ownAt(i)});
    }
    return differences;
}

/// How many of some neighbours have equal distances at a lag.
std::size_t EndPairs::agreeing(std::ptrdiff_t lag) const {
    const std::size_t gaps = m_own.size() - 1, stride = gaps / kProbes + 1;
    std::size_t agree = 0, seen = 0;
    for (std::size_t i = 0; i < gaps; i += stride) {
        const std::ptrdiff_t j = static_cast<std::ptrdiff_t>(i) + lag;
        if (j < 0 || static_cast<std::size_t>(j) + 1 >= m_other.size()) continue;
        // Most lags are ruled out by the first few.
        if (++seen == 12 && agree == 0) return 0;
        const auto at = static_cast<std::size_t>(j);
        if (m_own[i].what != m_other[at].what || m_own[i + 1].what != m_other[at + 1].what) continue;
        const std::int64_t gap = m_own[i + 1].end - m_own[i].end, otherGap = m_other[at + 1].end - m_other[at].end;
        if (std::abs(gap - otherGap) <= kEndsApart + static_cast<std::int64_t>(kMaxDrift * static_cast<double>(gap)))
            ++agree;
    }
    return agree;
}

std::optional<Line> EndPairs::byOrder() const {
    struct LagCandidate {
        std::ptrdiff_t lag;
        std::size_t agree;
    };
    std::vector<LagCandidate> candidates;
    const auto own = static_cast<std::ptrdiff_t>(m_own.size()), other = static_cast<std::ptrdiff_t>(m_other.size());
    for (std::ptrdiff_t lag = 1 - own; lag < other; ++lag) {
        if (const std::size_t agree = own > 1 ? agreeing(lag) : 0; agree > 0) candidates.push_back({lag, agree});
    }
    if (candidates.empty()) {
        // So few that none has a neighbour with the same distance: only what stands alone counts.
        if (own != other || own > 3) return std::nullopt;
        const auto differences = atLag(0);
        return static_cast<std::ptrdiff_t>(differences.size()) == own ? std::optional(robustLine(differences))
                                                                      : std::nullopt;
    }
    std::sort(candidates.begin(), candidates.end(),
              [](const LagCandidate& a, const LagCandidate& b) { return a.agree > b.agree; });
    std::optional<Line> best;
    double secondBest = std::numeric_limits<double>::max();
    // Steps repeat: of several orders that look alike that one is right at which the ends lie on a line.
    for (std::size_t c = 0; c < candidates.size() && c < kCandidates; ++c) {
        const Line line = robustLine(atLag(candidates[c].lag));
        if (best) secondBest = std::min(secondBest, std::max(best->spread, line.spread));
        if (!best || line.spread < best->spread) best = line;
    }
    // Orders of what is not the same are all about as bad.
    if (best->spread > kSureSpread && 2 * best->spread > secondBest) return std::nullopt;
    return best;
}

/// For each own end the nearest of the other rank that is the same thing, within reach of the line.
/// @param overlapping  Own ends that lie within the other's time.
std::vector<ClockDifference> EndPairs::near(const Line& line, double reach, std::size_t& overlapping) const {
    std::vector<ClockDifference> differences;
    overlapping = 0;
    std::size_t first = 0;
    for (std::size_t i = 0; i < m_own.size(); ++i) {
        const double expected = ownAt(i) + line.ahead + line.slope * ownAt(i);
        if (expected < -reach || expected > otherAt(m_other.size() - 1) + reach) continue;
        ++overlapping;
        while (first < m_other.size() && otherAt(first) < expected - reach) ++first;
        std::optional<double> nearest;
        for (std::size_t j = first; j < m_other.size() && otherAt(j) <= expected + reach; ++j) {
            if (m_own[i].what != m_other[j].what) continue;
            if (!nearest || std::abs(otherAt(j) - expected) < std::abs(*nearest - expected)) nearest = otherAt(j);
        }
        if (nearest) differences.push_back({ownAt(i), *nearest - ownAt(i)});
    }
    return differences;
}

std::optional<ClockLine> EndPairs::fit() const {
    if (m_own.empty() || m_other.empty()) return std::nullopt;
    std::optional<Line> line = byOrder();
    if (!line || line->spread > static_cast<double>(kMaxResidual)) return std::nullopt;
    // Some may be missing on one of them, so that the order is right for a part only; the time is right for all.
    std::vector<ClockDifference> differences;
    std::size_t overlapping = 0;
    for (int round = 0; round < 3; ++round) {
        differences = near(*line, std::max(20 * line->spread, 50'000.0), overlapping);
        if (differences.empty() || 2 * differences.size() < overlapping) return std::nullopt;
        line = refined(robustLine(differences), differences);
    }
    line = plausible(*line, differences);
    std::vector<double> distances;
    for (const ClockDifference& d : differences) distances.push_back(std::abs(line->distance(d)));
    std::sort(distances.begin(), distances.end());
    ClockLine result;
    result.pairs = differences.size();
    result.residual = std::llround(distances[(distances.size() * 95 + 99) / 100 - 1]);
    result.base = m_own[0].end;
    result.offset = (m_other[0].end - m_own[0].end) + std::llround(line->ahead);
    result.driftPpb = std::llround(line->slope * static_cast<double>(kBillion));
    return result;
}

std::int64_t gain(std::int64_t passed, std::int64_t driftPpb) {
    return static_cast<std::int64_t>(static_cast<Wide>(passed) * driftPpb / kBillion);
}

}  // namespace

std::int64_t ClockLine::at(std::int64_t own) const { return own + offset + gain(own - base, driftPpb); }

ClockLine ClockLine::inverse() const {
    ClockLine back = *this;
    back.base = base + offset;
    back.offset = -offset;
    back.driftPpb = static_cast<std::int64_t>(-static_cast<Wide>(driftPpb) * kBillion / (kBillion + driftPpb));
    return back;
}

ClockLine ClockLine::withBase(std::int64_t newBase) const {
    ClockLine line = *this;
    line.offset = at(newBase) - newBase;
    line.base = newBase;
    return line;
}

ClockLine ClockLine::then(const ClockLine& next) const {
    ClockLine line = *this;
    line.offset = next.at(at(base)) - base;
    line.driftPpb = driftPpb + next.driftPpb + gain(driftPpb, next.driftPpb);
    line.residual = residual + next.residual;
    return line;
}

std::optional<ClockLine> fitClocks(const std::vector<CollectiveEnd>& own, const std::vector<CollectiveEnd>& other) {
    return EndPairs(own, other).fit();
}

}  // namespace altiscope
