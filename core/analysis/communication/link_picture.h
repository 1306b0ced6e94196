#pragma once

#include "core/analysis/communication/link_comparison.h"
#include "core/analysis/communication/link_matrix.h"
#include "core/analysis/communication/link_metric.h"

#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <vector>

namespace altiscope {

/// Cells of a matrix in sight; a cell is 1 wide and high.
struct LinkWindow {
    double left = 0, top = 0, width = 1, height = 1;
    bool operator==(const LinkWindow&) const = default;
};

/// A matrix by one metric, to be drawn at any zoom at a cost of the picture alone. Where several links share a pixel
/// the one that matters stands for them: the lowest bandwidth, the largest size, time or count, the slowest transport.
/// Bandwidths of links whose transfers are too small to have one (LinkSum::isTooSmall) stand for none but others of
/// their kind, and set no ends. Constant.
class LinkPicture {
public:
    enum class Inner : std::uint8_t { Shown, Hidden };  ///< Links of ranks to themselves.

    /// @return Null if cancelled. O(links), parallel on the arena; 90 MB for 4096 ranks.
    static std::shared_ptr<const LinkPicture> make(std::shared_ptr<const LinkMatrix> matrix, LinkMetric metric,
                                                   Inner inner, const CancelToken& cancel);

    /// How much each link changed from a base: current - base, see LinkComparison::values(). The matrix is the current
    /// one; where several links share a pixel the largest change in either direction stands for them. Transports have
    /// no difference: then the matrix itself is shown.
    static std::shared_ptr<const LinkPicture> makeDifference(std::shared_ptr<const LinkComparison> links,
                                                             LinkMetric metric, Inner inner, const CancelToken& cancel);
    bool isDifference() const { return m_links != nullptr; }
    /// Of a difference: both sides; else null.
    const std::shared_ptr<const LinkComparison>& comparison() const { return m_links; }

    const LinkMatrix& matrix() const { return *m_matrix; }
    const std::shared_ptr<const LinkMatrix>& shared() const { return m_matrix; }
    LinkMetric metric() const { return m_metric; }
    Inner inner() const { return m_inner; }
    /// In sample(): there are links, but none has a bandwidth.
    static constexpr float kTooSmall = std::numeric_limits<float>::max();
    bool anyTooSmall() const { return m_anyTooSmall; }
    bool lowestMatters() const { return m_metric == LinkMetric::Bandwidth && !isDifference(); }

    /// Of all links but those too small; nullopt if none has a value.
    std::optional<double> min() const { return m_min; }
    std::optional<double> max() const { return m_max; }
    /// The smallest that is above 0, for a logarithmic scale.
    std::optional<double> minPositive() const { return m_minPositive; }
    /// Of a link; nullopt if it has none, or is an inner one and these are hidden.
    std::optional<double> value(const LinkSum& link) const;
    /// Of all links of a source, or of those to a target: the metric of their sum; of transports the slowest.
    const std::vector<std::optional<double>>& ofSources() const { return m_ofSources; }
    const std::vector<std::optional<double>>& ofTargets() const { return m_ofTargets; }

    /// Values of the equal parts of a window, row by row; NaN where no link has one. A link that lies on a border may
    /// be shown on both sides of it; none is omitted. @pre The window lies within the matrix. O(columns * rows).
    std::vector<float> sample(const LinkWindow& window, int columns, int rows) const;
    /// The link that stands for the cells that overlap a part. O(cells of the part * log links of a source).
    std::optional<LinkSum> standsFor(const LinkWindow& part) const;

private:
    struct Level {
        std::size_t shift = 0, side = 0;  // cells of 2^shift by 2^shift links
        std::vector<float> values;
    };
    LinkPicture(std::shared_ptr<const LinkMatrix> matrix, LinkMetric metric, Inner inner);
    void buildLevels(const CancelToken& cancel);
    void sumUp();
    const Level* levelFor(double cells) const;
    template <class Join>
    void readRow(const Level* level, std::size_t row, std::size_t firstColumn, std::vector<float>& out,
                 Join join) const;
    template <class Join>
    void sampleInto(std::vector<float>& picture, const LinkWindow& window, int columns, int rows, Join join) const;
    float none() const;
    bool isSmall(const LinkSum& link) const;
    float joined(float a, float b) const;

    std::shared_ptr<const LinkMatrix> m_matrix;
    std::shared_ptr<const LinkComparison> m_links;  // of a difference
    LinkMetric m_metric;
    Inner m_inner;
    std::vector<Level> m_levels;  // the finest first
    std::optional<double> m_min, m_max, m_minPositive;
    bool m_anyTooSmall = false;
    std::vector<std::optional<double>> m_ofSources, m_ofTargets;
};

}  // namespace altiscope
