#include "views/timeline/peer_feed.h"

#include <utility>

namespace altiscope {

PeerFeed::PeerFeed(TimelineScene& scene, TimelineSelection& selection, QObject* parent)
    : QObject(parent), m_scene(scene), m_selection(selection), m_slot(scene.jobs()) {
    connect(&selection, &TimelineSelection::changed, this, &PeerFeed::follow);
    connect(&scene, &TimelineScene::rowsChanged, this, &PeerFeed::forget);
}

/// What is known of a capture goes when that is closed or read anew.
void PeerFeed::forget() {
    if (m_directory == nullptr) return;
    for (const TimelineSource& source : m_scene.model().sources()) {
        if (source.store == m_directory->capture()) return;
    }
    m_directory.reset();
}

void PeerFeed::follow() {
    const auto& slice = m_selection.slice();
    const auto source = slice ? m_scene.model().sourceOf(slice->capture) : std::nullopt;
    const auto store = source ? m_scene.model().sources()[*source].store : nullptr;
    const bool isOne = store != nullptr && store->sealed && slice->key.rank < store->ranks.size() && store->ranks[slice->key.rank].trace == slice->trace &&
                       isCollective(*slice->trace, slice->place.slice);
    const auto wanted = isOne ? std::optional(slice->key) : std::nullopt;
    if (wanted == m_asked && (!wanted || store == m_askedOf)) return;
    m_asked = wanted;
    m_askedOf = wanted ? store : nullptr;
    m_slot.cancel();
    if (std::exchange(m_answer, std::nullopt)) emit changed();
    if (!wanted) {
        emit becameIdle();
        return;
    }
    struct Found {
        std::shared_ptr<const CollectiveDirectory> directory;
        std::optional<CollectivePeers> peers;
    };
    const auto known = m_directory != nullptr && m_directory->capture() == store ? m_directory : nullptr;
    m_slot.start(
        [known, store, ref = SliceRef{slice->key.rank, slice->place.slice}](const CancelToken& token) {
            Found found{known != nullptr ? known : CollectiveDirectory::make(store, token), {}};
            if (found.directory != nullptr) found.peers = found.directory->peersOf(ref, token);
            return found;
        },
        [this, capture = slice->capture, store, key = slice->key](Found found) {
            if (found.directory != nullptr) m_directory = std::move(found.directory);
            if (found.peers) m_answer = PeerAnswer{capture, store, key, std::move(*found.peers)};
            emit changed();
            if (idle()) emit becameIdle();
        });
}

}  // namespace altiscope
