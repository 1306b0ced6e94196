#include "views/timeline/picture/peer_feed.h"

#include <algorithm>
#include <utility>

namespace altiscope {

PeerFeed::PeerFeed(TimelineScene& scene, TimelineSelection& selection, QObject* parent)
    : QObject(parent), m_scene(scene), m_selection(selection), m_directorySlot(scene.jobs()), m_slot(scene.jobs()) {
    connect(&selection, &TimelineSelection::changed, this, &PeerFeed::follow);
    connect(&scene, &TimelineScene::rowsChanged, this, &PeerFeed::forget);
}

/// What is known of a capture goes when that is closed or read anew.
void PeerFeed::forget() {
    const auto isOpen = [this](const std::shared_ptr<const CaptureStore>& store) {
        const auto& sources = m_scene.model().sources();
        return std::any_of(sources.begin(), sources.end(),
                           [&store](const TimelineSource& source) { return source.store == store; });
    };
    if (m_directory != nullptr && !isOpen(m_directory->capture())) m_directory.reset();
    if (m_listed == nullptr || isOpen(m_listed)) return;
    m_directorySlot.cancel();
    m_listed.reset();
}

void PeerFeed::follow() {
    const auto& slice = m_selection.slice();
    const auto source = slice ? m_scene.model().sources().sourceOf(slice->capture) : std::nullopt;
    const auto store = source ? m_scene.model().sources()[*source].store : nullptr;
    const bool isOne = store != nullptr && store->sealed && slice->key.rank.value < store->ranks.size() &&
                       store->ranks[slice->key.rank.value].trace == slice->trace &&
                       isCollective(*slice->trace, slice->place.slice);
    std::optional<Question> wanted;
    if (isOne) wanted = Question{slice->capture, store, slice->key, slice->place.slice};
    if (wanted == m_requested) return;
    m_requested = std::move(wanted);
    m_slot.cancel();
    if (std::exchange(m_answer, std::nullopt)) emit changed();
    if (m_requested) ask();
    else if (idle()) emit becameIdle();
}

void PeerFeed::ask() {
    if (m_directory == nullptr || m_directory->capture() != m_requested->store) return makeDirectory();
    m_slot.start(
        [directory = m_directory, ref = SliceRef{m_requested->key.rank, m_requested->slice}](const CancelToken& token) {
            return directory->peersOf(ref, token);
        },
        [this](auto peers) {
            if (peers)
                m_answer = PeerAnswer{m_requested->capture, m_requested->store, m_requested->key, std::move(*peers)};
            emit changed();
            if (idle()) emit becameIdle();
        });
}

/// Takes a pass over all ranks. Goes on while other slices are selected, also when no one waits for it any more.
void PeerFeed::makeDirectory() {
    if (m_listed == m_requested->store) return;
    m_listed = m_requested->store;
    m_directorySlot.start(
        [store = m_listed](const CancelToken& token) { return CollectiveDirectory::make(store, token); },
        [this](std::shared_ptr<const CollectiveDirectory> directory) {
            m_listed.reset();
            if (directory == nullptr) return;
            m_directory = std::move(directory);
            if (m_requested) ask();
            else emit becameIdle();
        });
}

}  // namespace altiscope
