#include "views/timeline/overlay/peer_loader.h"

#include <algorithm>
#include <utility>

namespace altiscope {

PeerLoader::PeerLoader(TimelineScene& scene, TimelineSelection& selection, QObject* parent)
    : QObject(parent), m_scene(scene), m_selection(selection), m_directorySlot(scene.jobs()), m_slot(scene.jobs()) {
    connect(&selection, &TimelineSelection::changed, this, &PeerLoader::follow);
    connect(&scene, &TimelineScene::rowsChanged, this, &PeerLoader::forget);
}

/// Peers in a capture are forgotten when that is closed or read anew.
void PeerLoader::forget() {
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

void PeerLoader::follow() {
    const auto& slice = m_selection.slice();
    const auto source = slice ? m_scene.model().sources().sourceOf(slice->capture) : std::nullopt;
    const auto store = source ? m_scene.model().sources()[*source].store : nullptr;
    const bool isOne = store != nullptr && store->sealed && slice->key.rank.value < store->ranks.size() &&
                       store->ranks[slice->key.rank.value].trace == slice->trace &&
                       isCollective(*slice->trace, slice->place.slice);
    std::optional<PeerQuery> wanted;
    if (isOne) wanted = PeerQuery{slice->capture, store, slice->key, slice->place.slice};
    if (wanted == m_requested) return;
    m_requested = std::move(wanted);
    m_slot.cancel();
    if (std::exchange(m_result, std::nullopt)) emit changed();
    if (m_requested) request();
    else if (idle()) emit becameIdle();
}

void PeerLoader::request() {
    if (m_directory == nullptr || m_directory->capture() != m_requested->store) return makeDirectory();
    m_slot.start(
        [directory = m_directory, ref = SliceRef{m_requested->key.rank, m_requested->slice}](const CancelToken& token) {
            return directory->peersOf(ref, token);
        },
        [this](auto peers) {
            if (peers)
                m_result = PeerResult{m_requested->capture, m_requested->store, m_requested->key, std::move(*peers)};
            emit changed();
            if (idle()) emit becameIdle();
        });
}

/// Takes a pass over all ranks. Goes on while other slices are selected, also when no one waits for it any more.
void PeerLoader::makeDirectory() {
    if (m_listed == m_requested->store) return;
    m_listed = m_requested->store;
    m_directorySlot.start(
        [store = m_listed](const CancelToken& token) { return CollectiveDirectory::make(store, token); },
        [this](std::shared_ptr<const CollectiveDirectory> directory) {
            m_listed.reset();
            if (directory == nullptr) return;
            m_directory = std::move(directory);
            if (m_requested) request();
            else emit becameIdle();
        });
}

}  // namespace altiscope
