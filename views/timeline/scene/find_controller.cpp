#include "views/timeline/scene/find_controller.h"

#include "views/timeline/scene/timeline_selection.h"

#include <utility>

namespace altiscope {

namespace {

constexpr int kGatherFindMs = 60;

}  // namespace

FindController::FindController(TimelineScene& scene, TimelineSelection& selection, QObject* parent)
    : QObject(parent), m_scene(scene), m_selection(selection), m_slot(scene.jobs()) {
    m_gather.setSingleShot(true);
    m_gather.setInterval(kGatherFindMs);
    connect(&m_gather, &QTimer::timeout, this, &FindController::refresh);
    const auto later = [this] {
        if (m_query && !m_gather.isActive()) m_gather.start();
    };
    connect(&scene, &TimelineScene::rowsChanged, this, later);
    connect(&selection, &TimelineSelection::changed, this, [this, later] {
        later();
        if (m_result.hits) emit changed();
    });
}

void FindController::request(std::optional<SliceQuery> query, bool onlySelected) {
    m_query = std::move(query);
    m_onlySelected = onlySelected;
    m_wantedStep.reset();
    m_gather.start();
}

void FindController::refresh() {
    const TimelineModel& model = m_scene.model();
    const TrackChoice* chosen = m_onlySelected ? m_selection.tracks() : nullptr;
    const auto source =
        model.sources().empty()
            ? std::nullopt
            : std::optional(
                  model.sources().sourceOf(chosen != nullptr ? chosen->capture : m_selection.capture()).value_or(0));
    if (!m_query || !source) {
        m_slot.cancel();
        m_requested.reset();
        m_resultQuery.reset();
        m_result = {};
        emit changed();
        emit becameIdle();
        return;
    }
    SliceSelection wanted = selectionOf(
        model, *source, chosen, m_onlySelected ? m_selection.markedRange() : std::nullopt, m_selection.onlyDepths());
    if (m_requested == wanted && m_requestedQuery == m_query) {
        if (idle()) emit becameIdle();
        return;
    }
    m_requested = wanted;
    m_requestedQuery = m_query;
    const TimeNs origin = m_scene.origin() - model.sources()[*source].shift;
    m_slot.startInParts<SearchResult>(
        [wanted = std::move(wanted), query = *m_query, origin, range = m_scene.window().home(),
         of = model.sources()[*source].capture](const CancelToken& token, const auto& publish) -> SearchResult {
            SearchResult result;
            result.range = range;
            result.capture = of;
            const auto found = findSlices(
                wanted, query,
                [&](std::uint64_t count) {
                    SearchResult first;
                    first.count = count;
                    publish(std::move(first));
                },
                token);
            if (found.failed()) result.problem = found.error();
            if (!found.ok()) return result;
            result.hits = found.value();
            result.count = result.hits->count();
            result.marks = result.hits->marks(range, kMarks);
            result.rows = SliceRows::make(wanted, result.hits->spans(), origin, token,
                                          SliceRows::ChosenSlices(result.hits, &result.hits->slices()));
            return result;
        },
        [this](SearchResult result) {
            m_result = std::move(result);
            if (m_result.hits || m_result.problem) m_resultQuery = m_requestedQuery;
            emit changed();
            if (m_wantedStep && m_resultQuery == m_query) step(*std::exchange(m_wantedStep, std::nullopt));
            if (idle()) emit becameIdle();
        });
}

std::optional<std::uint64_t> FindController::place() const {
    const auto& selected = m_selection.slice();
    if (!selected || !m_result.hits || selected->capture != m_result.capture) return std::nullopt;
    const auto& ranks = m_result.hits->selection().capture->ranks;
    if (selected->key.rank.value >= ranks.size() || ranks[selected->key.rank.value].trace != selected->trace)
        return std::nullopt;
    return m_result.hits->placeOf({selected->key.rank, selected->place.slice});
}

void FindController::step(bool forward) {
    if (m_query && m_resultQuery != m_query) {
        m_wantedStep = forward;
        return;
    }
    const std::uint64_t count = m_result.hits ? m_result.hits->count() : 0;
    if (count == 0) return;
    std::uint64_t to = 0;
    if (const auto at = place()) {
        to = forward ? (*at + 1) % count : (*at + count - 1) % count;
    } else {
        const std::uint64_t first = m_result.hits->firstFrom(m_scene.window().range().begin);
        to = forward ? first % count : (first + count - 1) % count;
    }
    select(m_result.hits->at(to).slice);
}

void FindController::goTo(std::size_t row) {
    if (m_result.rows && row < m_result.rows->rowCount()) select(m_result.rows->slice(row));
}

void FindController::select(SliceRef slice) {
    m_selection.selectAndReveal(m_result.capture, keyOf(*m_result.hits->selection().capture, slice));
}

}  // namespace altiscope
