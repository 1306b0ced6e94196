#pragma once

#include "core/report/deliverables/deliverable_input.h"

#include <cstdint>
#include <deque>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

namespace altiscope {

using CollectiveList = std::vector<const CollectiveRecord*>;

/// The collectives of all devices as msprof goes through them: devices by their folders' names, the last one first;
/// of several devices' collectives of one name and group the last one counts, at the place of the first, but their
/// links are added up.
class ListedCollectives {
public:
    explicit ListedCollectives(const TaskRecords& records);
    ListedCollectives(const ListedCollectives&) = delete;
    ListedCollectives& operator=(const ListedCollectives&) = delete;
    const CollectiveList& list() const { return m_list; }

private:
    std::deque<CollectiveRecord> m_merged;
    CollectiveList m_list;
};

/// The collectives of a step as torch_npu lists them.
struct StepCollectives {
    std::string key;  ///< "step3"; "step" where there are none.
    CollectiveList pointToPoint, collective;
};
/// In the order of `input.steps`; those of no step are left out where there are several. MindSpore calls the whole of a
/// recording without steps "step0", and point-to-point what has "Send" or "Receive" in its name.
std::vector<StepCollectives> collectivesBySteps(const DeliverableInput& input);
/// Those that begin in these steps.
std::vector<StepCollectives> collectivesBySteps(const DeliverableInput& input, std::span<const DeviceStep> steps);

/// Begin of a collective in microseconds as the vendor's program adds it up: the monotonic time, and the offset of the
/// wall clock as the text of a double.
double startTimestamp(const DeliverableInput& input, const CollectiveRecord& record);

/// Whether anything was added to it.
inline bool isTouched(const CollectiveTraffic& traffic) { return traffic.packets > 0 || traffic.hasOthers; }
/// GB/s to four digits; 0 where no time is known.
double trafficRate(const CollectiveTraffic& traffic);
/// To four digits.
double largePacketRatio(const CollectiveTraffic& traffic);
/// GB/s of MB and ms, to four digits.
double linkRate(double megabytes, double milliseconds);

/// Traffic over a link.
struct LinkEntry {
    const CollectiveRecord* collective = nullptr;  ///< Null: several.
    std::string transport;                         ///< Empty: a kind without a name.
    double size = 0, time = 0, rate = 0;           ///< MB, ms, GB/s.
};
/// An entry that the matrix of torch_npu picks of all collectives of a kind.
struct RankedLink {
    std::string selection;  ///< "allreduce-top1"
    std::string group;      ///< Its hash.
    std::uint32_t source = 0, target = 0;
    LinkEntry entry;
};
/// Whose program picks entries, and lists collectives.
enum class MatrixWriter : std::uint8_t {
    Torch,
    MindSpore,  ///< Lists the worst but one and two even where there are fewer, and has words of its own for kinds.
};
/// The best, middle and worst entries of each kind over each link, and their sums.
std::vector<RankedLink> rankedLinks(const CollectiveList& list, MatrixWriter writer = MatrixWriter::Torch);

/// A list in the order in which keys first came.
template <class Value>
class OrderedMembers {
public:
    Value& at(const std::string& key) {
        const auto [known, isNew] = m_places.try_emplace(key, m_members.size());
        if (isNew) m_members.emplace_back(key, Value());
        return m_members[known->second].second;
    }
    std::vector<std::pair<std::string, Value>>& all() { return m_members; }

private:
    std::vector<std::pair<std::string, Value>> m_members;
    std::unordered_map<std::string, std::size_t> m_places;
};

/// The members of a JSON object in order, as Python writes them.
class JsonMembers {
public:
    void add(std::string_view key, std::string_view json);
    void addNumber(std::string_view key, double value);
    bool empty() const { return m_text.empty(); }
    std::string text() const { return '{' + m_text + '}'; }

private:
    std::string m_text;
};

/// A sum as Python writes it that begins with the integer 0: `0` where nothing was added.
std::string sumText(double value, bool isTouched);
/// To four digits as Python rounds; what is divided by nothing is the integer 0.
double fourDigits(double value);

}  // namespace altiscope
