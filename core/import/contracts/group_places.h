#pragma once

#include <cstdint>
#include <optional>
#include <set>
#include <vector>

namespace altiscope {

/// The places in a communication group that one rank's links state. Links name ranks by their places in the group
/// (local ranks), and a rank lists those that it takes part in: its own place is the one of a link from a place to
/// itself, or else the one end that all of its links share. Source: core/import/communication/FORMAT.md section 3.
class GroupWitness {
public:
    explicit GroupWitness(std::int64_t rank) : m_rank(rank) {}

    void addLink(std::int64_t source, std::int64_t target);
    /// That the group has operations of all its ranks together, by the rank's rows; else it may exchange between pairs
    /// alone.
    void addCollective() { m_isCollective = true; }

    std::int64_t rank() const { return m_rank; }
    /// The rank's own places: one, none where nothing states it, several where its links contradict each other.
    std::set<std::int64_t> own() const;
    std::int64_t highest() const { return m_highest; }
    bool isCollective() const { return m_isCollective; }

private:
    std::int64_t m_rank, m_highest = -1;
    std::set<std::int64_t> m_toItself;
    std::optional<std::set<std::int64_t>> m_inAll;
    bool m_isCollective = false;
};

/// The ranks of a group as far as its witnesses state them.
struct GroupPlaces {
    std::vector<std::optional<std::int64_t>> ranks;  ///< By place, as far as links name places.
    bool isWhole = false;                            ///< These are all places, and all ranks are known.
    /// Ranks whose links contradict others or themselves: they count for nothing.
    std::vector<std::int64_t> conflicting;
};

/// Places in a group follow the numbers of its ranks. So two known places with as many ranks between them as places
/// state those between them, rank k at place k states all before it, and as many witnesses as places are the group.
/// Nothing is guessed: a place stays unknown where several ranks could be there. Contradictions leave out the ranks
/// concerned, or everything if the order is broken.
/// @param witnesses  At most one per rank counts as such; equal ranks that agree count once.
/// @param rankCount  How many ranks the job has, if known.
GroupPlaces groupPlaces(const std::vector<GroupWitness>& witnesses, std::optional<std::int64_t> rankCount);

}  // namespace altiscope
