#include "core/session/findings_loader.h"

#include "core/findings/run_rules.h"
#include "core/query/capture_summary.h"
#include "core/session/reading/capture_results.h"
#include "core/session/reading/kept_results.h"

#include <QCoreApplication>

#include <algorithm>
#include <chrono>
#include <optional>
#include <utility>

namespace altiscope {

namespace {

bool areDefault(const FindingThresholds& thresholds) {
    const FindingThresholds usual;
    const auto infos = thresholdInfos();
    return std::all_of(infos.begin(), infos.end(),
                       [&](const ThresholdInfo& info) { return thresholds.*info.value == usual.*info.value; });
}

/// Stamps of the files that a pack was read of.
std::vector<FileStamp> stampsOfRead(const CaptureStore& capture) {
    const bool isRead = !capture.ranks.empty() && capture.ranks.front().sources != nullptr;
    return isRead ? *capture.ranks.front().sources : std::vector<FileStamp>();
}

}  // namespace

/// Result of a run of the rules.
struct FindingsLoader::Run {
    std::shared_ptr<const CaptureFindings> found;
    std::shared_ptr<const CaptureResults> kept;  ///< If the cache had them.
    bool isWorthKeeping = false;
};

bool contextHolds(const ContextFilter& context, const CaptureStore& capture, const Finding& finding) {
    if (finding.rank && !context.holds(capture.ranks[finding.rank->value].info)) return false;
    // A mean over the steps holds for each of them; where it shows first says nothing about the others.
    if (!finding.step) return true;
    if (!context.holdsStep(finding.step)) return false;
    return !finding.range || (finding.rank ? context.onClockOf(*finding.rank) : context).holdsTime(finding.range);
}

FindingsLoader::FindingsLoader(Session& session, QObject* parent)
    : QObject(parent), m_session(session), m_found(std::make_shared<const CaptureFindings>()), m_slot(session.jobs()),
      m_packSlot(session.jobs()), m_keepSlot(session.jobs()) {
    for (const auto signal : {&Session::captureOpened, &Session::captureChanged, &Session::captureClosed})
        connect(&session, signal, this, &FindingsLoader::refresh);
    refresh();
}

void FindingsLoader::showCapture(CaptureId capture) {
    if (std::exchange(m_wanted, capture) != capture) refresh();
}

void FindingsLoader::setThresholds(const FindingThresholds& thresholds) {
    m_thresholds = thresholds;
    if (m_requested) run(m_requested, m_origin);
}

std::shared_ptr<const CaptureAnalysis> FindingsLoader::analysisOf(const std::shared_ptr<const CaptureStore>& capture) {
    if (m_analysis == nullptr || &m_analysis->capture() != capture.get())
        m_analysis = std::make_shared<const CaptureAnalysis>(capture);
    return m_analysis;
}

void FindingsLoader::refresh() {
    const OpenCapture* open = m_session.capture(m_wanted);
    if (open == nullptr && !m_session.captures().empty()) open = &m_session.captures().back();
    const CaptureId id = open == nullptr ? kNoCapture : open->id;
    if (std::exchange(m_shown, id) != id || open == nullptr || open->store == nullptr) {
        m_slot.cancel();
        m_packSlot.cancel();
        m_keepSlot.cancel();
        m_requested.reset();
        m_lookedInto = kNoCapture;
        m_results.reset();
        m_keptOf.reset();
        m_found = std::make_shared<const CaptureFindings>();
        emit changed();
    }
    if (open == nullptr || open->store == nullptr) m_analysis.reset();  // or a closed capture would stay in memory
    if (m_keptOf != nullptr && open != nullptr && open->store != m_keptOf) {
        m_results.reset();
        m_keptOf.reset();
    }
    if (open != nullptr && open->store != nullptr) {
        if (m_lookedInto == id && !isStillThePack(*open)) {
            m_packSlot.cancel();
            m_results.reset();
            m_lookedInto = kNoCapture;
        }
        if (m_lookedInto != id) lookIntoPack(*open);
    }
    // Nothing is looked for in a state that the next one replaces at once.
    if (open == nullptr || open->store == nullptr || open->job != 0 || open->store == m_requested) return;
    run(open->store, open->times.origin().value_or(TimeNs{}));
}

/// False: another pack lies there by now, or the user says that ranks have other numbers than it does.
bool FindingsLoader::isStillThePack(const OpenCapture& open) const {
    return m_session.corrections(open.id).empty() && stampsOfRead(*open.store) == m_packStamps;
}

/// Its ranks may still be read, or never be: what the pack says of them is shown at once.
void FindingsLoader::lookIntoPack(const OpenCapture& open) {
    if (!m_session.corrections(open.id).empty()) return;
    m_lookedInto = open.id;
    m_packStamps = stampsOfRead(*open.store);
    using Read = std::shared_ptr<const CaptureResults>;
    m_packSlot.start([capture = open.store, program = QCoreApplication::applicationVersion().toStdString()](
                         const CancelToken& cancel) -> Read { return resultsOfPack(*capture, program, cancel); },
                     [this](Read results) {
                         const OpenCapture* shown = m_session.capture(m_shown);
                         if (results == nullptr || shown == nullptr || shown->store == nullptr) return;
                         // refresh() looks again.
                         if (!isStillThePack(*shown)) return;
                         m_results = std::move(results);
                         if (areDefault(m_thresholds)) showResults(*shown);
                         emit changed();
                     });
}

void FindingsLoader::showResults(const OpenCapture& shown) {
    if (m_requested != nullptr) return run(m_requested, m_origin);
    std::optional<TimeNs> origin = shown.times.origin();
    for (const auto& span : m_results->summary.spans) {
        if (!shown.times.origin() && span && (!origin || span->home.begin < *origin)) origin = span->home.begin;
    }
    m_found = std::make_shared<const CaptureFindings>(
        CaptureFindings{shown.store, m_results->summary.findings, origin.value_or(TimeNs{})});
}

void FindingsLoader::run(const std::shared_ptr<const CaptureStore>& capture, TimeNs origin) {
    m_requested = capture;
    m_origin = origin;
    const bool isUsual = areDefault(m_thresholds);
    m_slot.start(
        [analysis = analysisOf(capture), capture, origin, thresholds = m_thresholds, isUsual, kept = keptResults(),
         known = isUsual ? m_results : nullptr](const CancelToken& cancel) -> std::shared_ptr<const Run> {
            Run run;
            const auto findings = [&](std::vector<Finding> list) {
                run.found = std::make_shared<const CaptureFindings>(CaptureFindings{capture, std::move(list), origin});
                return std::make_shared<const Run>(std::move(run));
            };
            if (known != nullptr) return findings(known->summary.findings);
            if (isUsual) run.kept = kept.find(*capture, cancel);
            if (run.kept != nullptr) return findings(run.kept->summary.findings);
            const auto begin = std::chrono::steady_clock::now();
            const auto facts = analysis->facts(cancel);
            if (facts == nullptr) return nullptr;
            std::vector<Finding> found = runRules(*facts, memoryUsage(*capture, *facts, cancel), thresholds, cancel);
            if (cancel.cancelled()) return nullptr;
            run.isWorthKeeping = isUsual && KeptResults::isWorth(std::chrono::steady_clock::now() - begin);
            return findings(std::move(found));
        },
        [this, capture](const std::shared_ptr<const Run>& done) {
            if (!done) return;
            m_found = done->found;
            if (done->kept != nullptr) {
                m_results = done->kept;
                m_keptOf = capture;
            }
            emit changed();
            if (done->isWorthKeeping) keep(capture);
        });
}

KeptResults FindingsLoader::keptResults() const {
    const CacheChoice cache = m_session.cacheInUse();
    return {cache.folder, cache.limit, QCoreApplication::applicationVersion().toStdString()};
}

/// Nobody waits for it: what it needs is computed already, or will be for a page.
void FindingsLoader::keep(const std::shared_ptr<const CaptureStore>& capture) {
    if (capture->contentKey.empty()) return;
    m_keepSlot.start(
        [analysis = analysisOf(capture), capture, kept = keptResults()](const CancelToken& cancel) {
            auto summary = summariseCapture(capture, *analysis, cancel);
            const auto results = summary ? resultsBeside(std::move(*summary), *analysis, cancel) : nullptr;
            if (results != nullptr) kept.keep(*capture, *results, cancel);
            return Done{};
        },
        [](Done) {});
}

}  // namespace altiscope
