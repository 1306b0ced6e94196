#pragma once

#include "views/operators/operator_numbers.h"

#include <QColor>
#include <QFontMetrics>
#include <QString>

#include <cstdint>
#include <optional>
#include <vector>

namespace altiscope {

struct Theme;

/// A part of the time, for bars and pies.
struct Share {
    QString title;
    std::int64_t time = 0;  ///< ns
    std::uint64_t count = 0;
    double part = 0;  ///< Share of all, 0 to 1.
    /// Index in KernelGroups::keys; nullopt: the sum of those that are not shown by themselves.
    std::optional<std::uint32_t> key;
};

/// The first `most` of them, and what the others amount to, if there are any: "12 others". 0: all.
std::vector<Share> groupShares(const OperatorNumbers& numbers, std::size_t most);
/// By kind of core. Empty for collectives.
std::vector<Share> coreShares(const OperatorNumbers& numbers);

/// "MatMulV2, AI_CORE: 1.25 ms, 41 %, 312 kernels", every digit of the time below.
QString shareTip(const Share& share);
/// The title where there is less room: what names of one model have in common stands in front, and between its slashes.
QString shortTitle(const Share& share, const QFontMetrics& metrics, int room);
/// Hue of the i-th share, so that neighbours differ; the share of all others is grey.
QColor shareColour(const Share& share, std::size_t place, const Theme& theme);

}  // namespace altiscope
