#include "core/analysis/link_picture.h"

#include "core/analysis/saturating.h"
#include "core/base/parallel.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>

namespace altiscope {

namespace {

/// A finer level than this would be kept for matrices alone that are too large to be read in full.
constexpr std::size_t kLargestSide = 4096;
constexpr std::size_t kRowsTogether = 64;

struct Lower {
    float operator()(float a, float b) const { return b < a ? b : a; }
};
struct Higher {
    float operator()(float a, float b) const { return a < b ? b : a; }
};

template <class Join>
void joinInto(float* to, const float* from, std::size_t count, Join join) {
    for (std::size_t i = 0; i < count; ++i) to[i] = join(to[i], from[i]);
}

std::optional<double> metricOf(const LinkSum& sum, LinkMetric metric, std::size_t transports) {
    switch (metric) {
    case LinkMetric::Bandwidth: return sum.bandwidth();
    case LinkMetric::Size: return static_cast<double>(sum.size);
    case LinkMetric::Time: return static_cast<double>(sum.time);
    case LinkMetric::Count: return sum.calls == 0 ? std::nullopt : std::optional(static_cast<double>(sum.calls));
    case LinkMetric::Transport:
        if (sum.transports == 0) return std::nullopt;
        return static_cast<double>(transports - static_cast<std::size_t>(std::countr_zero(sum.transports)));
    }
    return std::nullopt;
}

/// What begins or ends at a node; nullopt of nothing.
struct EndSum {
    std::int64_t size = 0, time = 0;
    std::uint64_t calls = 0;
    std::uint16_t transports = 0;
    bool any = false, callsKnown = true;

    static EndSum of(const LinkSum& link) { return {link.size, link.time, link.calls, link.transports, true, link.calls != 0}; }
    void add(const EndSum& other) {
        addSaturated(size, other.size);
        addSaturated(time, other.time);
        calls += other.calls;
        transports |= other.transports;
        any = any || other.any;
        callsKnown = callsKnown && other.callsKnown;
    }
    std::optional<double> value(LinkMetric metric, std::size_t kinds) const {
        if (!any) return std::nullopt;
        if (metric == LinkMetric::Count) return callsKnown ? std::optional(static_cast<double>(calls)) : std::nullopt;
        return metricOf({0, 0, size, time, 0, transports}, metric, kinds);
    }
};

}  // namespace

LinkPicture::LinkPicture(std::shared_ptr<const LinkMatrix> matrix, LinkMetric metric, Inner inner) : m_matrix(std::move(matrix)), m_metric(metric), m_inner(inner) {}

float LinkPicture::none() const { return lowestMatters() ? std::numeric_limits<float>::infinity() : -std::numeric_limits<float>::infinity(); }

std::optional<double> LinkPicture::value(const LinkSum& link) const {
    if (m_inner == Inner::Hidden && link.source == link.target) return std::nullopt;
    return metricOf(link, m_metric, m_matrix->transports().size());
}

std::shared_ptr<const LinkPicture> LinkPicture::make(std::shared_ptr<const LinkMatrix> matrix, LinkMetric metric, Inner inner, const CancelToken& cancel) {
    std::shared_ptr<LinkPicture> picture(new LinkPicture(std::move(matrix), metric, inner));
    picture->buildLevels(cancel);
    if (!cancel.cancelled()) picture->sumUp();
    return cancel.cancelled() ? nullptr : picture;
}

void LinkPicture::buildLevels(const CancelToken& cancel) {
    const std::size_t count = m_matrix->nodes().size();
    if (count == 0) return;
    std::size_t shift = 0;
    while (((count - 1) >> shift) + 1 > kLargestSide) ++shift;
    const auto sideOf = [count](std::size_t by) { return ((count - 1) >> by) + 1; };
    Level finest{shift, sideOf(shift), {}};
    finest.values.assign(finest.side * finest.side, none());
    struct Ends {
        double least = std::numeric_limits<double>::infinity(), greatest = -std::numeric_limits<double>::infinity(), positive = least;
    };
    const std::size_t parts = (finest.side + kRowsTogether - 1) / kRowsTogether;
    std::vector<Ends> ends(parts);
    parallelFor(parts, [&](std::size_t part) {
        Ends own;
        const std::size_t last = std::min(count, (part + 1) * kRowsTogether << shift);
        for (std::size_t source = part * kRowsTogether << shift; source < last && !cancel.cancelled(); ++source) {
            float* row = finest.values.data() + (source >> shift) * finest.side;
            for (std::size_t place = m_matrix->rowBegin(source); place < m_matrix->rowEnd(source); ++place) {
                const auto known = value(m_matrix->link(source, place));
                if (!known) continue;
                own.least = std::min(own.least, *known);
                own.greatest = std::max(own.greatest, *known);
                if (*known > 0) own.positive = std::min(own.positive, *known);
                float& cell = row[m_matrix->target(place) >> shift];
                const auto rounded = static_cast<float>(*known);
                cell = lowestMatters() ? Lower()(cell, rounded) : Higher()(cell, rounded);
            }
        }
        ends[part] = own;
    });
    Ends all;
    for (const Ends& own : ends) all = {std::min(all.least, own.least), std::max(all.greatest, own.greatest), std::min(all.positive, own.positive)};
    if (all.least <= all.greatest) {
        m_least = all.least;
        m_greatest = all.greatest;
    }
    if (std::isfinite(all.positive)) m_leastPositive = all.positive;
    m_levels.push_back(std::move(finest));
    while (m_levels.back().side > 1 && !cancel.cancelled()) {
        const Level& below = m_levels.back();
        Level level{below.shift + 1, (below.side + 1) / 2, {}};
        level.values.assign(level.side * level.side, none());
        parallelFor(level.side, [&](std::size_t row) {
            float* to = level.values.data() + row * level.side;
            for (std::size_t y = 2 * row; y < std::min(below.side, 2 * row + 2); ++y) {
                const float* from = below.values.data() + y * below.side;
                for (std::size_t x = 0; x < below.side; ++x) to[x / 2] = lowestMatters() ? Lower()(to[x / 2], from[x]) : Higher()(to[x / 2], from[x]);
            }
        });
        m_levels.push_back(std::move(level));
    }
}

void LinkPicture::sumUp() {
    const std::size_t count = m_matrix->nodes().size();
    constexpr std::size_t kParts = 16;
    std::vector<EndSum> sources(count);
    std::vector<std::vector<EndSum>> targets(kParts);
    parallelFor(kParts, [&](std::size_t part) {
        std::vector<EndSum>& own = targets[part];
        own.resize(count);
        for (std::size_t source = count * part / kParts; source < count * (part + 1) / kParts; ++source) {
            for (std::size_t place = m_matrix->rowBegin(source); place < m_matrix->rowEnd(source); ++place) {
                const LinkSum link = m_matrix->link(source, place);
                if (m_inner == Inner::Hidden && link.target == source) continue;
                sources[source].add(EndSum::of(link));
                own[link.target].add(EndSum::of(link));
            }
        }
    });
    for (std::size_t node = 0; node < count; ++node) {
        for (std::size_t part = 1; part < kParts; ++part) targets[0][node].add(targets[part][node]);
        m_ofSources.push_back(sources[node].value(m_metric, m_matrix->transports().size()));
        m_ofTargets.push_back(targets[0][node].value(m_metric, m_matrix->transports().size()));
    }
}

const LinkPicture::Level* LinkPicture::levelFor(double cells) const {
    const Level* best = nullptr;
    for (const Level& level : m_levels) {
        if (static_cast<double>(std::size_t{1} << level.shift) <= std::max(1.0, cells)) best = &level;
    }
    return best;
}

/// Values of one row of a level from a column on; without a level those of the links themselves.
void LinkPicture::readRow(const Level* level, std::size_t row, std::size_t firstColumn, std::vector<float>& out) const {
    if (level != nullptr) {
        const float* from = level->values.data() + row * level->side + firstColumn;
        return lowestMatters() ? joinInto(out.data(), from, out.size(), Lower()) : joinInto(out.data(), from, out.size(), Higher());
    }
    std::size_t place = m_matrix->rowBegin(row);
    const std::size_t end = m_matrix->rowEnd(row);
    while (place < end && m_matrix->target(place) < firstColumn) ++place;
    for (; place < end && m_matrix->target(place) < firstColumn + out.size(); ++place) {
        const auto known = value(m_matrix->link(row, place));
        float& cell = out[m_matrix->target(place) - firstColumn];
        if (known) cell = lowestMatters() ? Lower()(cell, static_cast<float>(*known)) : Higher()(cell, static_cast<float>(*known));
    }
}

namespace {

/// Which cells of a level the equal parts of a stretch overlap: [first, last) of each.
std::vector<std::pair<std::size_t, std::size_t>> overlappedCells(double begin, double length, int count, std::size_t shift, std::size_t side) {
    std::vector<std::pair<std::size_t, std::size_t>> parts;
    const double cell = static_cast<double>(std::size_t{1} << shift);
    const auto inSide = [side](double place) { return static_cast<std::size_t>(std::clamp(place, 0.0, static_cast<double>(side))); };
    for (int i = 0; i < count; ++i) {
        const double from = (begin + length * i / count) / cell, to = (begin + length * (i + 1) / count) / cell;
        const std::size_t first = std::min(inSide(std::floor(from)), side - 1);
        parts.emplace_back(first, std::max(first + 1, inSide(std::ceil(to - 1e-9))));
    }
    return parts;
}

}  // namespace

std::vector<float> LinkPicture::sample(const LinkWindow& window, int columns, int rows) const {
    std::vector<float> picture(static_cast<std::size_t>(columns) * static_cast<std::size_t>(rows), std::numeric_limits<float>::quiet_NaN());
    if (m_levels.empty() || columns <= 0 || rows <= 0) return picture;
    const Level* level = levelFor(std::min(window.width / columns, window.height / rows));
    const std::size_t shift = level == nullptr ? 0 : level->shift, side = level == nullptr ? m_matrix->nodes().size() : level->side;
    const auto across = overlappedCells(window.left, window.width, columns, shift, side), down = overlappedCells(window.top, window.height, rows, shift, side);
    const std::size_t firstColumn = across.front().first;
    std::vector<float> joined(across.back().second - firstColumn);
    for (std::size_t y = 0; y < down.size(); ++y) {
        float* to = picture.data() + y * static_cast<std::size_t>(columns);
        if (y > 0 && down[y] == down[y - 1]) {
            std::copy(to - columns, to, to);
            continue;
        }
        std::fill(joined.begin(), joined.end(), none());
        for (std::size_t row = down[y].first; row < down[y].second; ++row) readRow(level, row, firstColumn, joined);
        for (std::size_t x = 0; x < across.size(); ++x) {
            float best = none();
            for (std::size_t cell = across[x].first; cell < across[x].second; ++cell) {
                const float one = joined[cell - firstColumn];
                best = lowestMatters() ? Lower()(best, one) : Higher()(best, one);
            }
            if (std::isfinite(best)) to[x] = best;
        }
    }
    return picture;
}

std::optional<LinkSum> LinkPicture::standsFor(const LinkWindow& part) const {
    const std::size_t side = m_matrix->nodes().size();
    if (side == 0) return std::nullopt;
    const auto [left, right] = overlappedCells(part.left, part.width, 1, 0, side).front();
    const auto [top, bottom] = overlappedCells(part.top, part.height, 1, 0, side).front();
    std::optional<LinkSum> best;
    double bestValue = 0;
    for (std::size_t source = top; source < bottom; ++source) {
        std::size_t low = m_matrix->rowBegin(source), high = m_matrix->rowEnd(source);
        while (low < high) {
            const std::size_t middle = (low + high) / 2;
            if (m_matrix->target(middle) < left) low = middle + 1;
            else high = middle;
        }
        for (; low < m_matrix->rowEnd(source) && m_matrix->target(low) < right; ++low) {
            const LinkSum link = m_matrix->link(source, low);
            const auto known = value(link);
            if (!known || (best && (lowestMatters() ? *known >= bestValue : *known <= bestValue))) continue;
            best = link;
            bestValue = *known;
        }
    }
    return best;
}

}  // namespace altiscope
