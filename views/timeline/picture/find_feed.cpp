#include "views/timeline/picture/find_feed.h"

#include "views/timeline/scene/timeline_selection.h"

#include <utility>

namespace altiscope {

namespace {

constexpr int kGatherFindMs = 60;

}  // namespace

FindFeed::FindFeed(TimelineScene& scene, TimelineSelection& selection, QObject* parent)
    : QObject(parent), m_scene(scene), m_selection(selection), m_slot(scene.jobs()) {
    m_gather.setSingleShot(true);
    m_gather.setInterval(kGatherFindMs);
    connect(&m_gather, &QTimer::timeout, this, &FindFeed::refresh);
    const auto later = [this] {
        if (m_query && !m_gather.isActive()) m_gather.start();
    };
    connect(&scene, &TimelineScene::rowsChanged, this, later);
    connect(&selection, &TimelineSelection::changed, this, [this, later] {
        later();
        if (m_answer.hits) emit changed();
    });
}

void FindFeed::ask(std::optional<SliceQuery> query, bool onlySelected) {
    m_query = std::move(query);
    m_onlySelected = onlySelected;
    m_wantedStep.reset();
    m_gather.start();
}

void FindFeed::refresh() {
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
        m_answered.reset();
        m_answer = {};
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
    m_slot.startInParts<FindAnswer>(
        [wanted = std::move(wanted), query = *m_query, origin, range = m_scene.window().home(),
         of = model.sources()[*source].capture](const CancelToken& token, const auto& publish) -> FindAnswer {
            FindAnswer answer;
            answer.range = range;
            answer.capture = of;
            const auto found = findSlices(
                wanted, query,
                [&](std::uint64_t count) {
                    FindAnswer first;
                    first.count = count;
                    publish(std::move(first));
                },
                token);
            if (found.failed()) answer.problem = found.error();
            if (!found.ok()) return answer;
            answer.hits = found.value();
            answer.count = answer.hits->count();
            answer.marks = answer.hits->marks(range, kMarks);
            answer.rows = SliceRows::make(wanted, answer.hits->spans(), origin, token,
                                          SliceRows::ChosenSlices(answer.hits, &answer.hits->slices()));
            return answer;
        },
        [this](FindAnswer answer) {
            m_answer = std::move(answer);
            if (m_answer.hits || m_answer.problem) m_answered = m_requestedQuery;
            emit changed();
            if (m_wantedStep && m_answered == m_query) step(*std::exchange(m_wantedStep, std::nullopt));
            if (idle()) emit becameIdle();
        });
}

std::optional<std::uint64_t> FindFeed::place() const {
    const auto& selected = m_selection.slice();
    if (!selected || !m_answer.hits || selected->capture != m_answer.capture) return std::nullopt;
    const auto& ranks = m_answer.hits->selection().capture->ranks;
    if (selected->key.rank.value >= ranks.size() || ranks[selected->key.rank.value].trace != selected->trace)
        return std::nullopt;
    return m_answer.hits->placeOf({selected->key.rank, selected->place.slice});
}

void FindFeed::step(bool forward) {
    if (m_query && m_answered != m_query) {
        m_wantedStep = forward;
        return;
    }
    const std::uint64_t count = m_answer.hits ? m_answer.hits->count() : 0;
    if (count == 0) return;
    std::uint64_t to = 0;
    if (const auto at = place()) {
        to = forward ? (*at + 1) % count : (*at + count - 1) % count;
    } else {
        const std::uint64_t first = m_answer.hits->firstFrom(m_scene.window().range().begin);
        to = forward ? first % count : (first + count - 1) % count;
    }
    select(m_answer.hits->at(to).slice);
}

void FindFeed::goTo(std::size_t row) {
    if (m_answer.rows && row < m_answer.rows->rowCount()) select(m_answer.rows->slice(row));
}

void FindFeed::select(SliceRef slice) {
    m_selection.selectAndReveal(m_answer.capture, keyOf(*m_answer.hits->selection().capture, slice));
}

}  // namespace altiscope
