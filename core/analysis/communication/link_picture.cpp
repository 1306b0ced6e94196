#include "core/analysis/communication/link_picture.h"

#include "core/base/threads/parallel.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>

namespace altiscope {

namespace {

/// A finer level than this would be kept for matrices alone that are too large to be read in full.
constexpr std::size_t kLargestSide = 4096;
constexpr std::size_t kRowsTogether = 64;
constexpr double kNoValue = std::numeric_limits<double>::quiet_NaN();

struct Lower {
    float operator()(float a, float b) const { return b < a ? b : a; }
};
struct Higher {
    float operator()(float a, float b) const { return a < b ? b : a; }
};

/// Of differences: an absent one, which is infinite, gives way to any.
struct Farther {
    float operator()(float a, float b) const {
        if (std::isinf(a)) return b;
        return std::isinf(b) || std::abs(b) <= std::abs(a) ? a : b;
    }
};

template <class Join>
void joinInto(float* to, const float* from, std::size_t count, Join join) {
    for (std::size_t i = 0; i < count; ++i) to[i] = join(to[i], from[i]);
}

std::optional<double> metricOf(const LinkSum& sum, LinkMetric metric, std::size_t transports) {
    switch (metric) {
    case LinkMetric::Bandwidth: return sum.bandwidth();
    case LinkMetric::Size: return static_cast<double>(sum.size);
    case LinkMetric::Time: return sum.hasTime() ? std::optional(static_cast<double>(sum.time)) : std::nullopt;
    case LinkMetric::Count: return sum.calls == 0 ? std::nullopt : std::optional(static_cast<double>(sum.calls));
    case LinkMetric::Transport:
        if (sum.transports == 0) return std::nullopt;
        return static_cast<double>(transports - static_cast<std::size_t>(std::countr_zero(sum.transports)));
    }
    return std::nullopt;
}

std::optional<double> metricOf(const LinkMatrix::End& end, LinkMetric metric, std::size_t transports) {
    if (end.links == 0) return std::nullopt;
    if (metric == LinkMetric::Count)
        return end.uncounted == 0 ? std::optional(static_cast<double>(end.calls)) : std::nullopt;
    return metricOf(LinkSum{0, 0, end.size, end.untimed == 0 ? end.time : LinkSum::kTimeUnknown, 0, end.transports},
                    metric, transports);
}

/// The smallest and largest value, and the smallest above 0.
struct ValueEnds {
    double min = std::numeric_limits<double>::infinity(), max = -std::numeric_limits<double>::infinity(),
           positive = std::numeric_limits<double>::infinity();
    bool anyTooSmall = false;

    void add(double value) {
        if (value >= static_cast<double>(LinkPicture::kTooSmall)) {
            anyTooSmall = true;
            return;
        }
        min = std::min(min, value);
        max = std::max(max, value);
        if (value > 0) positive = std::min(positive, value);
    }
    void add(const ValueEnds& other) {
        min = std::min(min, other.min);
        max = std::max(max, other.max);
        positive = std::min(positive, other.positive);
        anyTooSmall = anyTooSmall || other.anyTooSmall;
    }
};

}  // namespace

LinkPicture::LinkPicture(std::shared_ptr<const LinkMatrix> matrix, LinkMetric metric, Inner inner)
    : m_matrix(std::move(matrix)), m_metric(metric), m_inner(inner) {}

float LinkPicture::none() const {
    return lowestMatters() ? std::numeric_limits<float>::infinity() : -std::numeric_limits<float>::infinity();
}

std::optional<double> LinkPicture::value(const LinkSum& link) const {
    if (m_inner == Inner::Hidden && link.source == link.target) return std::nullopt;
    if (m_links != nullptr) {
        const auto place = m_matrix->placeOf(link.source, link.target);
        const auto values = place ? m_links->values(link.source, *place, m_metric) : std::nullopt;
        return values ? std::optional(values->current - values->base) : std::nullopt;
    }
    return metricOf(link, m_metric, m_matrix->transports().size());
}

std::shared_ptr<const LinkPicture> LinkPicture::make(std::shared_ptr<const LinkMatrix> matrix, LinkMetric metric,
                                                     Inner inner, const CancelToken& cancel) {
    std::shared_ptr<LinkPicture> picture(new LinkPicture(std::move(matrix), metric, inner));
    picture->buildLevels(cancel);
    if (!cancel.cancelled()) picture->sumUp();
    return cancel.cancelled() ? nullptr : picture;
}

std::shared_ptr<const LinkPicture> LinkPicture::makeDifference(std::shared_ptr<const LinkComparison> links,
                                                               LinkMetric metric, Inner inner,
                                                               const CancelToken& cancel) {
    std::shared_ptr<LinkPicture> picture(new LinkPicture(links->current, metric, inner));
    if (metric != LinkMetric::Transport) picture->m_links = std::move(links);
    picture->buildLevels(cancel);
    if (!cancel.cancelled()) picture->sumUp();
    return cancel.cancelled() ? nullptr : picture;
}

/// Whether a link has no value of its own since it is too small to tell a bandwidth.
bool LinkPicture::isSmall(const LinkSum& link) const {
    return m_metric == LinkMetric::Bandwidth && !isDifference() && m_matrix->isTooSmall(link);
}

float LinkPicture::joined(float a, float b) const {
    if (isDifference()) return Farther()(a, b);
    return lowestMatters() ? Lower()(a, b) : Higher()(a, b);
}

namespace {

/// Joins the values of a source's links into a row of cells. `valueOf` gives NaN where there is none.
template <class ValueOf, class Join>
void joinLinks(const LinkMatrix& matrix, std::size_t source, float* row, std::size_t shift, bool hidesInner,
               ValueEnds& ends, ValueOf valueOf, Join join) {
    for (std::size_t place = matrix.rowBegin(source); place < matrix.rowEnd(source); ++place) {
        const std::uint32_t target = matrix.target(place);
        if (hidesInner && target == source) continue;
        const double value = valueOf(matrix.link(source, place));
        if (std::isnan(value)) continue;
        ends.add(value);
        row[target >> shift] = join(row[target >> shift], static_cast<float>(value));
    }
}

/// A choice for each metric outside of the loop: there are millions of links.
void joinLinks(const LinkMatrix& matrix, LinkMetric metric, std::size_t source, float* row, std::size_t shift,
               bool hidesInner, ValueEnds& ends) {
    const auto fill = [&](auto valueOf) { joinLinks(matrix, source, row, shift, hidesInner, ends, valueOf, Higher()); };
    switch (metric) {
    case LinkMetric::Bandwidth:
        return joinLinks(
            matrix, source, row, shift, hidesInner, ends,
            [&](const LinkSum& link) {
                if (link.time <= 0) return kNoValue;
                return matrix.isTooSmall(link) ? static_cast<double>(LinkPicture::kTooSmall)
                                               : static_cast<double>(link.size) / static_cast<double>(link.time);
            },
            Lower());
    case LinkMetric::Size: return fill([](const LinkSum& link) { return static_cast<double>(link.size); });
    case LinkMetric::Time:
        return fill([](const LinkSum& link) { return link.hasTime() ? static_cast<double>(link.time) : kNoValue; });
    case LinkMetric::Count:
        return fill([](const LinkSum& link) { return link.calls == 0 ? kNoValue : static_cast<double>(link.calls); });
    case LinkMetric::Transport:
        return fill([kinds = matrix.transports().size()](const LinkSum& link) {
            return metricOf(link, LinkMetric::Transport, kinds).value_or(kNoValue);
        });
    }
}

/// The same of differences.
void joinDifferences(const LinkComparison& links, LinkMetric metric, std::size_t source, float* row, std::size_t shift,
                     bool hidesInner, ValueEnds& ends) {
    const LinkMatrix& matrix = *links.current;
    for (std::size_t place = matrix.rowBegin(source); place < matrix.rowEnd(source); ++place) {
        const std::uint32_t target = matrix.target(place);
        if (hidesInner && target == source) continue;
        const auto values = links.values(source, place, metric);
        if (!values) continue;
        ends.add(values->current - values->base);
        float& cell = row[target >> shift];
        cell = Farther()(cell, static_cast<float>(values->current - values->base));
    }
}

}  // namespace

void LinkPicture::buildLevels(const CancelToken& cancel) {
    const std::size_t count = m_matrix->nodes().size();
    if (count == 0) return;
    std::size_t shift = 0;
    while (((count - 1) >> shift) + 1 > kLargestSide) ++shift;
    const auto sideOf = [count](std::size_t by) { return ((count - 1) >> by) + 1; };
    Level finest{shift, sideOf(shift), {}};
    finest.values.assign(finest.side * finest.side, none());
    const std::size_t parts = (finest.side + kRowsTogether - 1) / kRowsTogether;
    std::vector<ValueEnds> ends(parts);
    parallelFor(parts, [&](std::size_t part) {
        ValueEnds own;
        const std::size_t last = std::min(count, (part + 1) * kRowsTogether << shift);
        for (std::size_t source = part * kRowsTogether << shift; source < last && !cancel.cancelled(); ++source) {
            float* const row = finest.values.data() + (source >> shift) * finest.side;
            if (isDifference()) joinDifferences(*m_links, m_metric, source, row, shift, m_inner == Inner::Hidden, own);
            else joinLinks(*m_matrix, m_metric, source, row, shift, m_inner == Inner::Hidden, own);
        }
        ends[part] = own;
    });
    ValueEnds all;
    for (const ValueEnds& own : ends) all.add(own);
    if (all.min <= all.max) {
        m_min = all.min;
        m_max = all.max;
    }
    if (std::isfinite(all.positive)) m_minPositive = all.positive;
    m_anyTooSmall = all.anyTooSmall;
    m_levels.push_back(std::move(finest));
    while (m_levels.back().side > 1 && !cancel.cancelled()) {
        const Level& below = m_levels.back();
        Level level{below.shift + 1, (below.side + 1) / 2, {}};
        level.values.assign(level.side * level.side, none());
        parallelFor(level.side, [&](std::size_t row) {
            float* to = level.values.data() + row * level.side;
            for (std::size_t y = 2 * row; y < std::min(below.side, 2 * row + 2); ++y) {
                const float* from = below.values.data() + y * below.side;
                for (std::size_t x = 0; x < below.side; ++x) to[x / 2] = joined(to[x / 2], from[x]);
            }
        });
        m_levels.push_back(std::move(level));
    }
}

void LinkPicture::sumUp() {
    const auto value = [&](LinkMatrix::End end, std::size_t node) {
        if (m_inner == Inner::Shown) end.add(m_matrix->toItself(node));
        return metricOf(end, m_metric, m_matrix->transports().size());
    };
    const auto change = [](const std::optional<LinkComparison::Values>& values) {
        return values ? std::optional(values->current - values->base) : std::nullopt;
    };
    for (std::size_t node = 0; node < m_matrix->nodes().size(); ++node) {
        if (isDifference()) {
            const bool withInner = m_inner == Inner::Shown;
            m_ofSources.push_back(change(m_links->sourceValues(node, m_metric, withInner)));
            m_ofTargets.push_back(change(m_links->targetValues(node, m_metric, withInner)));
            continue;
        }
        m_ofSources.push_back(value(m_matrix->toOthers(node), node));
        m_ofTargets.push_back(value(m_matrix->fromOthers(node), node));
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
template <class Join>
void LinkPicture::readRow(const Level* level, std::size_t row, std::size_t firstColumn, std::vector<float>& out,
                          Join join) const {
    if (level != nullptr)
        return joinInto(out.data(), level->values.data() + row * level->side + firstColumn, out.size(), join);
    std::size_t place = m_matrix->rowBegin(row);
    const std::size_t end = m_matrix->rowEnd(row);
    while (place < end && m_matrix->target(place) < firstColumn) ++place;
    for (; place < end && m_matrix->target(place) < firstColumn + out.size(); ++place) {
        const auto known = value(m_matrix->link(row, place));
        float& cell = out[m_matrix->target(place) - firstColumn];
        if (known) cell = join(cell, isSmall(m_matrix->link(row, place)) ? kTooSmall : static_cast<float>(*known));
    }
}

namespace {

/// Which cells of a level the equal parts of a stretch overlap: [first, last) of each.
std::vector<std::pair<std::size_t, std::size_t>> overlappedCells(double begin, double length, int count,
                                                                 std::size_t shift, std::size_t side) {
    std::vector<std::pair<std::size_t, std::size_t>> parts;
    const double cell = static_cast<double>(std::size_t{1} << shift);
    const auto inSide = [side](double place) {
        return static_cast<std::size_t>(std::clamp(place, 0.0, static_cast<double>(side)));
    };
    for (int i = 0; i < count; ++i) {
        const double from = (begin + length * i / count) / cell, to = (begin + length * (i + 1) / count) / cell;
        const std::size_t first = std::min(inSide(std::floor(from)), side - 1);
        parts.emplace_back(first, std::max(first + 1, inSide(std::ceil(to - 1e-9))));
    }
    return parts;
}

}  // namespace

std::vector<float> LinkPicture::sample(const LinkWindow& window, int columns, int rows) const {
    std::vector<float> picture(static_cast<std::size_t>(columns) * static_cast<std::size_t>(rows),
                               std::numeric_limits<float>::quiet_NaN());
    if (m_levels.empty() || columns <= 0 || rows <= 0) return picture;
    if (isDifference()) sampleInto(picture, window, columns, rows, Farther());
    else if (lowestMatters()) sampleInto(picture, window, columns, rows, Lower());
    else sampleInto(picture, window, columns, rows, Higher());
    return picture;
}

template <class Join>
void LinkPicture::sampleInto(std::vector<float>& picture, const LinkWindow& window, int columns, int rows,
                             Join join) const {
    const Level* level = levelFor(std::min(window.width / columns, window.height / rows));
    const std::size_t shift = level == nullptr ? 0 : level->shift,
                      side = level == nullptr ? m_matrix->nodes().size() : level->side;
    const auto across = overlappedCells(window.left, window.width, columns, shift, side),
               down = overlappedCells(window.top, window.height, rows, shift, side);
    const std::size_t firstColumn = across.front().first;
    std::vector<float> joined(across.back().second - firstColumn);
    const float empty = none();
    for (std::size_t y = 0; y < down.size(); ++y) {
        float* to = picture.data() + y * static_cast<std::size_t>(columns);
        if (y > 0 && down[y] == down[y - 1]) {
            std::copy(to - columns, to, to);
            continue;
        }
        std::fill(joined.begin(), joined.end(), empty);
        for (std::size_t row = down[y].first; row < down[y].second; ++row)
            readRow(level, row, firstColumn, joined, join);
        for (std::size_t x = 0; x < across.size(); ++x) {
            float best = joined[across[x].first - firstColumn];
            for (std::size_t cell = across[x].first + 1; cell < across[x].second; ++cell)
                best = join(best, joined[cell - firstColumn]);
            if (best != empty) to[x] = best;
        }
    }
}

std::optional<LinkSum> LinkPicture::standsFor(const LinkWindow& part) const {
    const std::size_t side = m_matrix->nodes().size();
    if (side == 0) return std::nullopt;
    const auto [left, right] = overlappedCells(part.left, part.width, 1, 0, side).front();
    const auto [top, bottom] = overlappedCells(part.top, part.height, 1, 0, side).front();
    std::optional<LinkSum> best;
    double bestValue = 0;
    bool bestIsTooSmall = false;
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
            if (!known) continue;
            const bool isTooSmall = isSmall(link);
            const bool isBetter = bestIsTooSmall != isTooSmall ? bestIsTooSmall
                                  : isDifference()             ? std::abs(*known) > std::abs(bestValue)
                                  : lowestMatters()            ? *known < bestValue
                                                               : *known > bestValue;
            if (best && !isBetter) continue;
            best = link;
            bestValue = *known;
            bestIsTooSmall = isTooSmall;
        }
    }
    return best;
}

}  // namespace altiscope
