#include "core/compare/measures.h"

#include "core/analysis/steps/step_parts.h"
#include "core/findings/finding.h"
#include "core/query/results/row_function.h"

#include <algorithm>
#include <functional>
#include <iterator>
#include <set>
#include <string_view>
#include <tuple>

namespace altiscope {

namespace {

/// The part of communication that a step waits for: all of it counts by type of collective.
constexpr std::array kCategories{StepPart::Step, StepPart::Computing, StepPart::Exposed,
                                 StepPart::Free, StepPart::Bubble,    StepPart::Preparing};

/// "hcom_allReduce__586_0_1" -> "hcom_allReduce"
std::string_view typeOfCollective(std::string_view name) { return name.substr(0, name.find("__")); }

/// The collectives of one origin of a rank.
struct OriginCollectives {
    std::map<std::string, std::vector<StepSum>, std::less<>> types;
    std::map<std::string, double> waits;  ///< By type, ns of all steps, as far as it is known how long data moved.
    std::vector<bool> steps;              ///< With any.
};

/// In which steps a rank without a collective of some type had none: computed ones are those of all its events, of
/// recorded ones files may hold some steps alone.
std::vector<bool> stepsWithCollectives(const OriginCollectives& rank, std::string_view origin, OptionalNumber rankId,
                                       const MeasuredPart& part) {
    std::vector<bool> steps = rank.steps;
    if (origin != "computed" || std::find(steps.begin(), steps.end(), true) == steps.end()) return steps;
    for (const StepTimes& row : part.times())
        if (const auto step = part.step(row.step); step && row.rankId == rankId) steps[*step] = true;
    return steps;
}

bool comesEarlier(const StepSum& a, const StepSum& b) { return a.step < b.step; }

/// A capture of the chosen ranks and steps alone: of others the rules must know nothing. Nothing if all are chosen.
std::shared_ptr<const CaptureStore> chosenPart(const ComparisonSide& side) {
    if (!side.ranks && !side.steps) return nullptr;
    auto part = std::make_shared<CaptureStore>(*side.capture);
    std::erase_if(part->ranks, [&](const RankEntry& rank) { return !isChosen(side.ranks, rank.info.rankId); });
    for (RankEntry& rank : part->ranks)
        std::erase_if(rank.steps, [&](const Step& step) { return !isChosen(side.steps, step.number); });
    return part;
}

/// A rank either recorded all of the others in a step or nothing.
bool isKnownByValue(const MeasureKey& key) {
    if (key.dimension == Dimension::Memory) return !key.key.starts_with(kOfStack);
    return key.dimension == Dimension::Category || key.dimension == Dimension::Role;
}

/// The time of a step by role, where ranks state one.
void addRoles(const MeasuredPart& part, const std::map<OptionalNumber, std::vector<StepSum>>& steps, Measures& to) {
    for (const auto& [rank, sums] : steps)
        if (const std::string_view role = part.role(rank); !role.empty())
            to.add({.dimension = Dimension::Role, .rankId = {}, .key = std::string(role)}, sums);
}

}  // namespace

MeasuredPart::MeasuredPart(const ComparisonSide& side, std::vector<StepTimes> times) : m_side(side) {
    std::set<OptionalNumber> steps;
    for (const StepTimes& row : times) {
        if (!isChosen(side.ranks, row.rankId) || !isChosen(side.steps, row.step)) continue;
        steps.insert(row.step);
        if (row.rankId) m_rankIds.insert(*row.rankId);
        if (row.device) m_devices[row.rankId] = *row.device;
        m_times.push_back(row);
    }
    // A capture that states no steps is one; what no step holds stands for all only where nothing else is known.
    if (m_times.empty() && !side.steps) steps.insert(OptionalNumber());
    if (steps.size() > 1) steps.erase(OptionalNumber());
    for (const OptionalNumber& step : steps) m_steps.emplace(step, m_steps.size());
    for (RankIndex rank; rank.value < side.capture->ranks.size(); ++rank.value) {
        const OptionalNumber id = side.capture->ranks[rank.value].info.rankId;
        if (!isChosen(side.ranks, id)) continue;
        m_ranks.push_back(rank);
        if (id) m_rankIds.insert(*id);
    }
}

std::vector<OptionalNumber> MeasuredPart::stepNumbers() const {
    std::vector<OptionalNumber> numbers;
    for (const auto& [number, index] : m_steps) numbers.push_back(number);
    return numbers;
}

std::optional<std::size_t> MeasuredPart::step(OptionalNumber number) const {
    const auto found = m_steps.find(number);
    return found == m_steps.end() ? std::nullopt : std::optional(found->second);
}

OptionalNumber MeasuredPart::device(OptionalNumber rank) const {
    const auto found = m_devices.find(rank);
    return found == m_devices.end() ? std::nullopt : std::optional(found->second);
}

std::string_view MeasuredPart::role(OptionalNumber rank) const {
    for (const RankIndex index : m_ranks) {
        const RankInfo& info = m_side.capture->ranks[index.value].info;
        if (info.rankId != rank) continue;
        for (const auto& [key, value] : info.metadata)
            if (key == "role") return value;
    }
    return {};
}

bool MeasuredPart::hasRank(OptionalNumber rank) const { return isChosen(m_side.ranks, rank); }

void addTo(std::vector<StepSum>& sums, std::size_t step, double value) {
    if (!sums.empty() && sums.back().step == step) sums.back().sum += value;
    else sums.push_back({.step = static_cast<std::uint32_t>(step), .ranks = 1, .sum = value});
}

void Measures::add(const MeasureKey& key, std::vector<StepSum> sums) {
    std::stable_sort(sums.begin(), sums.end(), comesEarlier);
    std::vector<StepSum> ofRank;
    for (const StepSum& sum : sums) {
        if (!ofRank.empty() && ofRank.back().step == sum.step) ofRank.back().sum += sum.sum;
        else ofRank.push_back(sum);
    }
    const std::lock_guard lock(m_mutex);
    std::vector<StepSum>& known = m_measures[key].sums;
    if (known.empty()) {
        known.assign(ofRank.begin(), ofRank.end());
        return;
    }
    std::vector<StepSum> both, combined;
    std::merge(known.begin(), known.end(), ofRank.begin(), ofRank.end(), std::back_inserter(both), comesEarlier);
    for (const StepSum& sum : both) {
        if (combined.empty() || combined.back().step != sum.step) {
            combined.push_back(sum);
            continue;
        }
        combined.back().sum += sum.sum;
        combined.back().ranks += sum.ranks;
    }
    combined.shrink_to_fit();
    known = std::move(combined);
}

void Measures::set(const MeasureKey& key, double value) {
    const std::lock_guard lock(m_mutex);
    m_measures[key].sums = {{.step = 0, .ranks = 1, .sum = value}};
}

void Measures::addRecorded(Dimension dimension, const std::vector<bool>& steps) {
    const std::lock_guard lock(m_mutex);
    std::vector<std::uint32_t>& ranks = m_recorded[static_cast<std::size_t>(dimension)];
    ranks.resize(m_stepCount, 0);
    for (std::size_t step = 0; step < steps.size() && step < ranks.size(); ++step)
        if (steps[step]) ++ranks[step];
}

void Measures::addFinding(const RankedRule& finding, bool isHigh) {
    const std::lock_guard lock(m_mutex);
    m_rules.insert(finding.rule);
    if (isHigh) m_highFindings.push_back(finding);
}

void Measures::addWaits(const std::string& type, double sum) {
    const std::lock_guard lock(m_mutex);
    m_waits[type] += sum;
}

double Measures::meanWait(const std::string& type) const {
    const auto found = m_waits.find(type);
    const double recorded = recordedSteps(Dimension::Collective);
    return found == m_waits.end() || recorded <= 0 ? 0 : found->second / recorded;
}

void Measures::addRecordedLinks(OptionalNumber rank, const std::vector<bool>& steps) {
    const std::lock_guard lock(m_mutex);
    std::vector<bool>& known = m_recordedLinks[rank];
    known.resize(m_stepCount, false);
    for (std::size_t step = 0; step < steps.size() && step < known.size(); ++step)
        known[step] = known[step] || steps[step];
}

void Measures::addLink(const std::string& key, OptionalNumber rank, std::vector<StepSum> sums) {
    const MeasureKey link{.dimension = Dimension::Link, .rankId = {}, .key = key};
    add(link, std::move(sums));
    const std::lock_guard lock(m_mutex);
    OptionalNumber& recorder = m_measures[link].recorder;
    recorder = recorder ? std::min(recorder, rank ? rank : recorder) : rank;
}

std::vector<bool> Measures::knownSteps(Dimension dimension, OptionalNumber recorder) const {
    if (dimension == Dimension::Link) {
        const auto found = m_recordedLinks.find(recorder);
        return found == m_recordedLinks.end() ? std::vector<bool>() : found->second;
    }
    std::vector<bool> known;
    for (const std::uint32_t ranks : m_recorded[static_cast<std::size_t>(dimension)]) known.push_back(ranks > 0);
    return known;
}

StepValues Measures::statedValues(const Measure& measure) {
    StepValues values;
    for (const StepSum& sum : measure.sums) {
        values.steps.push_back(sum.step);
        values.values.push_back(sum.sum / sum.ranks);
    }
    return values;
}

StepValues Measures::valuesOf(const MeasureKey& key, const Measure* measure, const Measure* other) const {
    static const std::vector<StepSum> kNothing;
    const std::vector<StepSum>& sums = measure == nullptr ? kNothing : measure->sums;
    if (key.dimension == Dimension::Finding) {
        // Where a rule could find nothing, that it found nothing says nothing.
        if (measure == nullptr && !canFind(key.key)) return {};
        return {{0}, {sums.empty() ? 0 : sums.front().sum}};
    }
    if (isKnownByValue(key)) return measure == nullptr ? StepValues() : statedValues(*measure);
    std::vector<bool> known = knownSteps(key.dimension, (measure == nullptr ? other : measure)->recorder);
    known.resize(m_stepCount, false);
    for (const StepSum& sum : sums) known[sum.step] = true;
    const auto& ranks = m_recorded[static_cast<std::size_t>(key.dimension)];
    StepValues values;
    auto sum = sums.begin();
    for (std::uint32_t step = 0; step < known.size(); ++step) {
        if (!known[step]) continue;
        values.steps.push_back(step);
        double value = 0;
        if (sum != sums.end() && sum->step == step) {
            value = key.dimension == Dimension::Link ? sum->sum : sum->sum / ranks[step];
            ++sum;
        }
        values.values.push_back(value);
    }
    return values;
}

bool Measures::has(Dimension dimension) const {
    const auto first = m_measures.lower_bound({.dimension = dimension, .unit = {}, .rankId = {}, .key = {}});
    return first != m_measures.end() && first->first.dimension == dimension;
}

void Measures::addKernels(const std::string& key, std::size_t count) {
    const std::lock_guard lock(m_mutex);
    m_kernels[key] += count;
}

double Measures::recordedSteps(Dimension dimension) const {
    double steps = 0;
    for (const std::uint32_t ranks : m_recorded[static_cast<std::size_t>(dimension)]) steps += ranks;
    return steps;
}

void measureCategories(const MeasuredPart& part, Measures& to) {
    for (const StepPart which : kCategories) {
        const std::string name(infoOf(which).name);
        std::map<OptionalNumber, std::vector<StepSum>> byRank;
        std::vector<StepSum> sums(part.stepCount(), StepSum{.step = 0, .ranks = 0, .sum = 0});
        for (const StepTimes& row : part.times()) {
            const auto step = part.step(row.step);
            const OptionalNumber value = row.part(which);
            if (!step || !value) continue;
            StepSum& sum = sums[*step];
            sum.step = static_cast<std::uint32_t>(*step);
            ++sum.ranks;
            sum.sum += static_cast<double>(*value);
            addTo(byRank[row.rankId], *step, static_cast<double>(*value));
        }
        std::erase_if(sums, [](const StepSum& sum) { return sum.ranks == 0; });
        if (!sums.empty()) to.add({.dimension = Dimension::Category, .rankId = {}, .key = name}, sums);
        if (which == StepPart::Step) {
            addRoles(part, byRank, to);
            continue;
        }
        for (const auto& [rank, values] : byRank)
            if (rank) to.add({.dimension = Dimension::Category, .rankId = rank, .key = name}, values);
    }
}

Result<Done> measureCollectives(const ComparisonSide& side, const MeasuredPart& part, Measures& to,
                                const CancelToken& cancel) {
    // Ranks that have computed rows count with these alone.
    std::map<OptionalNumber, std::map<std::string, OriginCollectives>> ranks;
    RowFunction sink([&](std::span<const Value> row) {
        const OptionalNumber rank = integerOf(row[0]), elapsed = integerOf(row[4]);
        const auto step = part.step(integerOf(row[1]));
        if (!part.hasRank(rank)) return true;
        OriginCollectives& found = ranks[rank][std::string(row[2].bytes)];
        found.steps.resize(part.stepCount(), false);
        if (!step || !elapsed) return true;
        found.steps[*step] = true;
        const std::string type(typeOfCollective(row[3].bytes));
        addTo(found.types[type], *step, static_cast<double>(*elapsed));
        if (const OptionalNumber transit = integerOf(row[5]))
            found.waits[type] += static_cast<double>(*elapsed) - static_cast<double>(*transit);
        return true;
    });
    const auto done =
        side.database->run("SELECT rank_id, step, origin, op_name, elapsed, transit FROM collective", sink, cancel);
    if (!done.ok()) return done.as<Done>();
    for (const auto& [rank, origins] : ranks) {
        const auto& [origin, found] = *origins.begin();
        to.addRecorded(Dimension::Collective, stepsWithCollectives(found, origin, rank, part));
        for (const auto& [type, sums] : found.types)
            to.add({.dimension = Dimension::Collective, .rankId = {}, .key = type}, sums);
        for (const auto& [type, sum] : found.waits) to.addWaits(type, sum);
    }
    return Done{};
}

Result<Done> measureFindings(const ComparisonSide& side, bool areSingleRanks, Measures& to, const CancelToken& cancel) {
    std::map<std::tuple<std::string, OptionalNumber, DifferenceUnit>, double> sums;
    RowFunction sink([&](std::span<const Value> row) {
        const std::string rule(row[0].bytes);
        const OptionalNumber rank = areSingleRanks ? std::nullopt : integerOf(row[1]), recoverable = integerOf(row[2]);
        to.addFinding({rule, integerOf(row[1])}, row[3].bytes == findingSeverityName(FindingSeverity::High));
        const auto unit = recoverable ? DifferenceUnit::Nanoseconds : DifferenceUnit::Count;
        sums[{rule, rank, unit}] += recoverable ? static_cast<double>(*recoverable) : 1;
        return true;
    });
    std::optional<QueryDatabase> ofPart;
    if (auto part = chosenPart(side)) ofPart.emplace(std::move(part));
    const auto done = (ofPart ? *ofPart : *side.database)
                          .run("SELECT rule, rank_id, recoverable, severity FROM finding", sink, cancel);
    if (!done.ok()) return done.as<Done>();
    for (const auto& [key, value] : sums)
        to.set({.dimension = Dimension::Finding,
                .unit = std::get<2>(key),
                .rankId = std::get<1>(key),
                .key = std::get<0>(key)},
               value);
    return Done{};
}

}  // namespace altiscope
