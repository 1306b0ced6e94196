#include "core/import/communication/cluster_keys.h"

#include "core/base/text/text.h"
#include "core/import/communication/cluster_groups.h"
#include "core/import/communication/communication_names.h"

#include <algorithm>

namespace altiscope::reader {

std::optional<std::pair<std::int64_t, std::int64_t>> linkEnds(std::string_view key) {
    const std::size_t dash = key.find('-');
    if (dash == std::string_view::npos) return std::nullopt;
    const auto source = clusterRankOf(key.substr(0, dash)), target = clusterRankOf(key.substr(dash + 1));
    if (!source || !target) return std::nullopt;
    return std::pair(*source, *target);
}

std::uint32_t ClusterKeys::setOf(const JsonKey& key) {
    // Objects under one key share it.
    if (key == m_lastKey) return m_lastPlace;
    const auto [known, isNew] = m_places.emplace(*key, static_cast<std::uint32_t>(m_sets.size()));
    if (isNew) {
        auto ranks = rankSetOf(*key);
        ClusterSet set;
        set.isKnown = ranks.has_value();
        if (ranks) {
            set.repeated = ranks->repeated;
            set.ranks = std::move(ranks->ranks);
        }
        m_sets.push_back(std::move(set));
    }
    m_lastKey = key;
    m_lastOperator.reset();
    m_lastPlace = known->second;
    return m_lastPlace;
}

std::uint32_t ClusterKeys::addOperator(const JsonLeaf& leaf) {
    const std::uint32_t place = setOf(leaf.path.front());
    if (leaf.path.size() < 2 || !m_sets[place].isKnown) return place;
    const JsonKey& key = leaf.path[leaf.path.size() - 2];
    if (key == m_lastOperator) return place;
    m_lastOperator = key;
    if (const auto group = operatorKey(*key).group) m_groups.emplace(repairedUtf8(*group), place);
    return place;
}

std::uint32_t ClusterKeys::addLink(const JsonLeaf& leaf) {
    const std::uint32_t place = addOperator(leaf);
    ClusterSet& set = m_sets[place];
    const auto ends = linkEnds(*leaf.path.back());
    if (!ends) return place;
    for (const std::int64_t end : {ends->first, ends->second}) {
        set.max = std::max(set.max, end);
        if (set.isKnown && !std::binary_search(set.ranks.begin(), set.ranks.end(), end)) ++set.outside;
    }
    return place;
}

}  // namespace altiscope::reader
