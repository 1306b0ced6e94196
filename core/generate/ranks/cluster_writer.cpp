#include "core/generate/ranks/cluster_writer.h"

#include "core/base/text/json_text.h"
#include "core/base/threads/parallel.h"
#include "core/generate/model/operation_names.h"
#include "core/generate/model/stage_emitter.h"
#include "core/generate/ranks/cluster_steps.h"
#include "core/generate/text/communication_numbers.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <functional>
#include <iterator>
#include <map>
#include <numeric>
#include <optional>
#include <unordered_map>
#include <utility>

namespace altiscope::generate {

namespace {

const std::string kFolder = "cluster_analysis_output/";

/// Groups of the same ranks share one key of the cluster files.
struct RankSet {
    std::vector<std::uint32_t> ranks;
    std::vector<std::uint32_t> groups;
};

std::vector<RankSet> rankSets(const RunPlan& plan) {
    std::vector<RankSet> sets;
    std::map<std::vector<std::uint32_t>, std::size_t> places;
    for (std::uint32_t group = 0; group < plan.groups.size(); ++group) {
        const auto [place, isNew] = places.emplace(plan.groups[group].members, sets.size());
        if (isNew) sets.push_back({plan.groups[group].members, {}});
        sets[place->second].groups.push_back(group);
    }
    return sets;
}

/// Collectives and links of one group in one step of one rank.
StepCommunication ofGroup(const Run& run, const StepCommunication& all, std::uint32_t group) {
    StepCommunication part;
    const std::string ending = "@" + std::to_string(run.plan.groups[group].hash);
    std::copy_if(all.collectives.begin(), all.collectives.end(), std::back_inserter(part.collectives),
                 [&](const CollectiveSummary& summary) { return summary.name.ends_with(ending); });
    std::copy_if(all.links.begin(), all.links.end(), std::inserter(part.links, part.links.end()),
                 [&](const auto& link) { return link.first.group == group; });
    return part;
}

StepCommunication playStep(const Run& run, std::uint32_t rank, std::uint64_t step) {
    StepCommunication sum;
    const std::uint32_t microBatches = run.program.microBatches;
    for (std::uint64_t unit = step * microBatches; unit < (step + 1) * microBatches; ++unit)
        sum.add(communicationOf(run, recordUnit(run, rank, unit, UnitParts::Device)));
    return sum;
}

/// The two files of a cluster's communication, which have the same nesting.
class ClusterCommunication {
public:
    ClusterCommunication(const PassContext& context, OutputStream& operations, OutputStream& matrix)
        : m_context(context), m_run(context.run), m_operations(operations), m_matrix(matrix) {}

    Result<Done> write() {
        m_operationText.add("{");
        m_matrixText.add("{");
        bool first = true;
        for (const RankSet& set : rankSets(m_run.plan)) {
            if (m_context.cancel.cancelled()) return Cancelled{};
            both(first ? "\"" : ", \"");
            both(rankTuple(set.ranks));
            both("\": {");
            first = false;
            const Result<Done> done = writeSet(set);
            if (!done.ok()) return done;
            both("}");
        }
        both("}");
        return flush(0);
    }

private:
    using Members = std::vector<StepCommunication>;  ///< By place in the rank set.
    using Links = std::vector<std::pair<LinkKey, LinkTransfer>>;

    void both(std::string_view text) {
        m_operationText.add(text);
        m_matrixText.add(text);
    }

    /// Writes texts that are larger than `min`.
    Result<Done> flush(std::size_t min) {
        for (const auto& [stream, text] :
             {std::pair(&m_operations, &m_operationText), std::pair(&m_matrix, &m_matrixText)}) {
            if (text->size() < min) continue;
            const Result<Done> done = stream->write(text->view());
            if (!done.ok()) return done;
            m_context.progress.addDone(text->size());
            text->clear();
        }
        return Done{};
    }

    Result<Done> writeSet(const RankSet& set) {
        const std::uint32_t steps = clusterCommunicationSteps(m_run.plan);
        for (std::uint32_t step = 0; step < steps; ++step) {
            Members all(set.ranks.size());
            parallelFor(all.size(), [&](std::size_t i) {
                if (!m_context.cancel.cancelled()) all[i] = playStep(m_run, set.ranks[i], step);
            });
            if (m_context.cancel.cancelled()) return Cancelled{};
            both(step == 0 ? "\"step" : ", \"step");
            both(std::to_string(m_run.plan.firstStep + step));
            both("\": {");
            for (const std::uint32_t group : set.groups) {
                if (group != set.groups.front()) both(", ");
                Members members;
                for (const StepCommunication& one : all) members.push_back(ofGroup(m_run, one, group));
                const Result<Done> done = writeOperations(set, group, members);
                if (!done.ok()) return done;
                writeMatrix(group, members);
            }
            both("}");
            const Result<Done> done = flush(kFlushBytes);
            if (!done.ok()) return done;
        }
        return Done{};
    }

    Result<Done> writeOperations(const RankSet& set, std::uint32_t group, const Members& members) {
        for (const Operation& operation : operationsOf(members)) {
            addOperation(operation.name, set, [&](std::size_t member) {
                const auto found = operation.places.find(member);
                return found == operation.places.end() ? std::nullopt
                                                       : std::optional(members[member].collectives[found->second]);
            });
            m_operationText.add(", ");
            const Result<Done> done = flush(kFlushBytes);
            if (!done.ok()) return done;
        }
        addOperation(totalName(group), set, [&](std::size_t member) {
            CollectiveSummary total;
            for (const CollectiveSummary& summary : members[member].collectives) total.add(summary);
            return std::optional(total);
        });
        return Done{};
    }

    /// What members call by one name.
    struct Operation {
        std::string name;
        std::map<std::size_t, std::size_t> places;  ///< Member -> number among its collectives.
    };

    /// All members take part in all operations of their group, but not under the same names: what one of two sends the
    /// other receives, and ranks that began to count at different steps have different numbers.
    static std::vector<Operation> operationsOf(const Members& members) {
        std::vector<Operation> operations;
        std::unordered_map<std::string, std::size_t> known;
        for (std::size_t i = 0; i < members.front().collectives.size(); ++i) {
            for (std::size_t member = 0; member < members.size(); ++member) {
                const std::string& name = members[member].collectives[i].name;
                const auto [place, isNew] = known.emplace(name, operations.size());
                if (isNew) operations.push_back({name, {}});
                operations[place->second].places.emplace(member, i);
            }
        }
        return operations;
    }

    std::string totalName(std::uint32_t group) const {
        return "Total Op Info@" + std::to_string(m_run.plan.groups[group].hash);
    }

    /// @param summaryOf  Of a member; nothing if it has no operation of this name.
    void addOperation(const std::string& name, const RankSet& set,
                      const std::function<std::optional<CollectiveSummary>(std::size_t)>& summaryOf) {
        m_operationText.add('"');
        m_operationText.add(name);
        m_operationText.add("\": {");
        bool first = true;
        for (std::size_t member = 0; member < set.ranks.size(); ++member) {
            const std::optional<CollectiveSummary> summary = summaryOf(member);
            if (!summary) continue;
            m_operationText.add(first ? "\"" : ", \"");
            first = false;
            m_operationText.addNumber(std::uint64_t{set.ranks[member]});
            m_operationText.add("\": ");
            addCollectiveSummary(*summary, TotalBandwidth::Shown, m_operationText);
        }
        m_operationText.add('}');
    }

    /// Links of all members under each selection, then their totals once more under the name of all operations.
    void writeMatrix(std::uint32_t group, const Members& members) {
        std::vector<std::pair<std::string, Links>> words;
        Links totals;
        for (const StepCommunication& member : members) {
            for (const LinkSelection& selection : linkSelections(member)) {
                const std::string name =
                    std::string(namesOf(selection.operation).link) + "-" + std::string(selection.word);
                auto word =
                    std::find_if(words.begin(), words.end(), [&](const auto& one) { return one.first == name; });
                if (word == words.end()) word = words.insert(words.end(), {name, {}});
                std::copy(selection.links.begin(), selection.links.end(), std::back_inserter(word->second));
                if (selection.word == "total") addTotals(selection.links, totals);
            }
        }
        const std::string ending = "@" + std::to_string(m_run.plan.groups[group].hash);
        for (const auto& [word, links] : words) {
            addLinks(word + ending, group, links);
            m_matrixText.add(", ");
        }
        addLinks(totalName(group), group, totals);
    }

    /// Links of several operations over the same way are one in the totals.
    static void addTotals(const Links& links, Links& totals) {
        for (const auto& [key, call] : links) {
            const auto isSame = [&key = key](const auto& one) {
                return one.first.source == key.source && one.first.target == key.target;
            };
            const auto known = std::find_if(totals.begin(), totals.end(), isSame);
            if (known == totals.end()) {
                totals.emplace_back(key, call);
                continue;
            }
            known->second.bytes += call.bytes;
            known->second.ticks += call.ticks;
        }
    }

    void addLinks(const std::string& name, std::uint32_t group, const Links& links) {
        const std::vector<std::uint32_t>& ranks = m_run.plan.groups[group].members;
        m_matrixText.add('"');
        m_matrixText.add(name);
        m_matrixText.add("\": {");
        bool first = true;
        for (const auto& [key, call] : links) {
            // Ranks of the whole run here, not of the group as in the files of a rank.
            addMatrixLink({group, key.operation, ranks[key.source], ranks[key.target], key.transport}, call, first,
                          m_matrixText);
            first = false;
        }
        m_matrixText.add('}');
    }

    static constexpr std::size_t kFlushBytes = std::size_t{1} << 20U;

    const PassContext& m_context;
    const Run& m_run;
    OutputStream& m_operations;
    OutputStream& m_matrix;
    TextBuffer m_operationText;
    TextBuffer m_matrixText;
};

std::string groupJson(const RunPlan& plan) {
    nlohmann::ordered_json json;
    json["collective"] = nlohmann::ordered_json::array();
    json["p2p"] = nlohmann::ordered_json::array();
    json["comm_group_parallel_info"] = nlohmann::ordered_json::array();
    const auto kindOf = [](const PlannedGroup& group) { return group.slot == kPipelineSlot ? "p2p" : "collective"; };
    for (const PlannedGroup& group : plan.groups) json[kindOf(group)].push_back(group.members);
    if (json["p2p"].empty()) {
        // Ranks that pass data on from stage to stage; there is one stage.
        std::vector<std::uint32_t> all(plan.ranks);
        std::iota(all.begin(), all.end(), 0U);
        json["p2p"].push_back(all);
    }
    for (const PlannedGroup& group : plan.groups) {
        json["comm_group_parallel_info"].push_back({{"type", kindOf(group)},
                                                    {"rank_set", group.members},
                                                    {"group_name", std::to_string(group.hash)},
                                                    {"group_id", group.name},
                                                    {"pg_name", group.parallelType}});
    }
    return dumpJson(json);
}

Result<Done> writeCommunication(const PassContext& context, OutputTarget& target) {
    auto operations = target.open(kFolder + "cluster_communication.json");
    if (!operations.ok()) return operations.as<Done>();
    auto matrix = target.open(kFolder + "cluster_communication_matrix.json");
    if (!matrix.ok()) return matrix.as<Done>();
    Result<Done> done = ClusterCommunication(context, *operations.value(), *matrix.value()).write();
    if (done.ok()) done = operations.value()->close();
    if (done.ok()) done = matrix.value()->close();
    return done;
}

}  // namespace

std::uint32_t clusterCommunicationSteps(const RunPlan& plan) {
    constexpr std::uint32_t kRankSteps = 8'192;
    return std::min(plan.steps, std::max(kRankSteps / plan.ranks, 2U));
}

Result<std::vector<RankTruth>> clusterTruth(const PassContext& context, std::vector<StepCollector> steps) {
    const Run& run = context.run;
    std::vector<RankTruth> truths(run.plan.ranks);
    const std::uint64_t detailed = std::uint64_t{clusterCommunicationSteps(run.plan)} * run.program.microBatches;
    parallelFor(truths.size(), [&](std::size_t i) {
        const auto rank = static_cast<std::uint32_t>(i);
        TruthCollector truth(run, rank, truths[i]);
        for (std::uint64_t unit = 0; unit < detailed; ++unit) {
            if (context.cancel.cancelled()) return;
            const UnitRecord record = recordUnit(run, rank, unit, UnitParts::Device);
            truth.add(record, communicationOf(run, record));
        }
        truths[i].steps = steps[i].take();
    });
    if (context.cancel.cancelled()) return Cancelled{};
    return truths;
}

Result<Done> writeCluster(const PassContext& context, const std::vector<RankTruth>& truths, OutputTarget& target) {
    Result<Done> done = writeFile(target, kFolder + "communication_group.json", groupJson(context.run.plan));
    if (done.ok()) done = writeClusterSteps(context, truths, target);
    if (done.ok()) done = writeCommunication(context, target);
    return done;
}

}  // namespace altiscope::generate
