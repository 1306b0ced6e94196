#include "core/store/file/track_blob.h"

#include "core/base/memory/discard.h"

#include <cstring>
#include <type_traits>

namespace altiscope {

namespace {

class Writer {
public:
    template <class T>
    void field(const T& value) {
        if constexpr (std::is_same_v<T, std::string>) {
            field(static_cast<std::uint32_t>(value.size()));
            m_bytes += value;
        } else {
            static_assert(std::is_trivially_copyable_v<T>);
            m_bytes.append(reinterpret_cast<const char*>(&value), sizeof value);
        }
    }
    std::string take() { return std::move(m_bytes); }

private:
    std::string m_bytes;
};

class Reader {
public:
    explicit Reader(std::string_view bytes) : m_rest(bytes) {}

    template <class T>
    void field(T& value) {
        if constexpr (std::is_same_v<T, std::string>) {
            std::uint32_t size = 0;
            field(size);
            if (size > m_rest.size()) m_ok = false;
            if (!m_ok) return;
            value.assign(m_rest.substr(0, size));
            m_rest.remove_prefix(size);
        } else if constexpr (std::is_same_v<T, bool> || std::is_enum_v<T>) {
            std::uint8_t number = 0;
            static_assert(sizeof number == sizeof value);
            field(number);
            if (number > static_cast<std::uint8_t>(largest(value))) m_ok = false;
            if (m_ok) value = static_cast<T>(number);
        } else {
            if (sizeof value > m_rest.size()) m_ok = false;
            if (!m_ok) return;
            std::memcpy(&value, m_rest.data(), sizeof value);
            m_rest.remove_prefix(sizeof value);
        }
    }
    bool ok() const { return m_ok; }
    bool atEnd() const { return m_rest.empty(); }

private:
    static bool largest(bool) { return true; }
    static TrackKind largest(TrackKind) { return TrackKind::Other; }
    static Origin largest(Origin) { return Origin::Computed; }

    std::string_view m_rest;
    bool m_ok = true;
};

template <class Archive, class AnyTrack>
void fields(Archive& archive, AnyTrack& track) {
    archive.field(track.id);
    archive.field(track.kind);
    archive.field(track.origin);
    archive.field(track.pid);
    archive.field(track.tid);
    archive.field(track.process);
    archive.field(track.thread);
    archive.field(track.name);
    archive.field(track.labels);
    archive.field(track.processSort);
    archive.field(track.threadSort);
    archive.field(track.hasProcessSort);
    archive.field(track.hasThreadSort);
}

}  // namespace

std::string tracksToBlob(const std::vector<Track>& tracks, const CancelToken& cancel) {
    Writer writer;
    for (const Track& track : tracks) {
        if (cancel.cancelled()) break;
        fields(writer, track);
    }
    return writer.take();
}

std::optional<std::vector<Track>> tracksFromBlob(std::string_view blob, const CancelToken& cancel) {
    std::vector<Track> tracks;
    const DiscardOnCancel later(cancel, tracks);
    Reader reader(blob);
    while (!reader.atEnd()) {
        Track track;
        fields(reader, track);
        if (!reader.ok() || cancel.cancelled()) return std::nullopt;
        tracks.push_back(std::move(track));
    }
    return tracks;
}

}  // namespace altiscope
