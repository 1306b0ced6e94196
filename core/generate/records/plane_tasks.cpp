#include "core/generate/records/plane_tasks.h"

#include "core/generate/support/noise.h"

#include <algorithm>

namespace altiscope::generate {

namespace {

constexpr std::int64_t kRecordNs = 700;
constexpr std::int64_t kStaggerNs = 280;  ///< Between the starts of two planes.
constexpr std::int64_t kTailNs = 4'000;

DeviceTime deviceTime(std::int64_t ns, Noise& noise) {
    return {std::max<std::int64_t>(ns, 0) * DeviceTime::kPerNs + noise.below(8)};
}

/// Builds the tasks phase by phase; `m_now` is where the phase begins.
class PlaneWriter {
public:
    PlaneWriter(const PlannedGroup& group, const Membership& place, const CollectiveView& view,
                const CollectiveTiming& timing)
        : m_group(group), m_place(place), m_view(view), m_timing(timing), m_noise(view.noiseKey), m_now(view.start) {}

    std::vector<PlaneTask> write() {
        local(PlaneTaskKind::ReduceInline, 4, 600);
        switch (m_view.operation) {
        case CollectiveOperation::AllReduce: reduce(); break;
        case CollectiveOperation::AllToAllV: exchange(); break;
        case CollectiveOperation::Send: send(); break;
        case CollectiveOperation::Receive: receive(); break;
        }
        // The last one ends with the collective.
        constexpr std::int64_t kLastNs = 600;
        add(PlaneTaskKind::ReduceInline, Transport::Local, 0, m_view.end - DurationNs{kLastNs},
            {kLastNs * DeviceTime::kPerNs}, 4);
        std::sort(m_tasks.begin(), m_tasks.end(), [](const PlaneTask& a, const PlaneTask& b) {
            return std::pair(a.start, a.context) < std::pair(b.start, b.context);
        });
        return std::move(m_tasks);
    }

private:
    /// Bytes of one transfer, in whole blocks.
    std::uint64_t partBytes() const {
        return std::max<std::uint64_t>(linkBytes(m_group, {m_view.operation, m_view.bytes}) / 512 * 512, 512);
    }

    void reduce() {
        const std::uint64_t part = partBytes();
        copy(part);
        handshake(std::max(m_timing.ready, m_now));
        // Both phases get half of the time until the end; their handshakes take some of it.
        const std::int64_t rest = (m_view.end - m_now).value - kTailNs;
        const std::int64_t phase = rest / 2;
        transfer(PlaneTaskKind::ReduceInline, part, m_now + DurationNs{phase});
        copy(part);
        transfer(PlaneTaskKind::Memcpy, part, m_view.end - DurationNs{kTailNs});
    }

    void exchange() {
        copy(partBytes());
        handshake(std::max(m_timing.ready, m_now));
        transfer(PlaneTaskKind::Memcpy, partBytes(), m_view.end - DurationNs{kTailNs});
    }

    void send() {
        const std::uint64_t bytes = partBytes();
        copy(bytes);
        handshake(std::max(m_timing.ready, m_now));
        transfer(PlaneTaskKind::Memcpy, bytes, arrival());
        // The receiver says when it does not need the sender any more.
        waitForPeer(m_view.end - DurationNs{kTailNs});
    }

    void receive() {
        handshake(std::max(m_timing.ready, m_now));
        waitForPeer(arrival());
        copy(partBytes());
    }

    /// All that was sent is on the receiver's device.
    TimeNs arrival() const { return m_view.end - DurationNs{kTailNs} - localCopyTime(partBytes()); }

    Transport transportOf(std::uint32_t peer) const {
        const auto host = [&](std::uint32_t local) { return m_group.members[local] / kDevicesPerHost; };
        return host(peer) == host(m_place.localRank) ? Transport::Hccs : Transport::Rdma;
    }

    void add(PlaneTaskKind kind, Transport transport, std::uint32_t plane, TimeNs start, DeviceTime duration,
             std::uint64_t bytes) {
        const std::uint32_t peer = plane == 0 ? m_place.localRank : m_place.peers[plane - 1];
        m_tasks.push_back({start, duration, kind, transport, plane, peer, m_context++, bytes});
    }

    void copy(std::uint64_t bytes) { local(PlaneTaskKind::Memcpy, bytes, localCopyTime(bytes).value); }

    /// Until the only peer has done its part.
    void waitForPeer(TimeNs until) {
        add(PlaneTaskKind::NotifyWait, Transport::Local, 1, m_now,
            deviceTime(std::max<std::int64_t>((until - m_now).value, 20), m_noise), 0);
        m_now = std::max(m_now, until);
    }

    void local(PlaneTaskKind kind, std::uint64_t bytes, std::int64_t ns) {
        // A copy inside the device goes on beside what the planes do.
        add(kind, Transport::Local, 0, m_now, deviceTime(std::min(ns, (m_view.end - m_now).value - 900), m_noise),
            bytes);
        m_now = m_now + DurationNs{std::min<std::int64_t>(ns + 1'200, 4'000)};
    }

    /// Tells every peer and waits for each. @param until  The last of them has come.
    void handshake(TimeNs until) {
        const auto peers = static_cast<std::uint32_t>(m_place.peers.size());
        for (std::uint32_t i = 0; i < peers; ++i) {
            add(PlaneTaskKind::NotifyRecord, Transport::Hccs, i + 1, m_now + DurationNs{i * kStaggerNs},
                deviceTime(kRecordNs + m_noise.below(60), m_noise), 0);
        }
        m_now = m_now + DurationNs{peers * kStaggerNs + kRecordNs};
        const TimeNs begin = m_now;
        const std::int64_t longest = std::max<std::int64_t>((until - begin).value, 0);
        const std::uint32_t last = awaitedPeer();
        for (std::uint32_t i = 0; i < peers; ++i) {
            const TimeNs start = begin + DurationNs{i * 740};
            std::int64_t wait = 20;
            // Who waits for the last one waits until it comes; the others arrive somewhere before.
            if (i == last || peers == 1) wait = longest - i * 740;
            else if (longest > 4'000)
                wait = static_cast<std::int64_t>(
                    m_noise.below(static_cast<std::uint32_t>(std::min<std::int64_t>(longest / 2, 2'000'000'000))));
            add(PlaneTaskKind::NotifyWait, Transport::Local, i + 1, start,
                deviceTime(std::max<std::int64_t>(wait, i % 2 == 0 ? 20 : 0), m_noise), 0);
            m_now = std::max(m_now, start + DurationNs{20});
        }
        m_now = std::max(m_now, until) + DurationNs{3'000};
    }

    /// Place among the peers of the one that comes last: a member on another host lets the peer over there be late. No
    /// place at all if this rank itself is the last.
    std::uint32_t awaitedPeer() const {
        const auto peers = static_cast<std::uint32_t>(m_place.peers.size());
        if (m_timing.lastMember == m_place.localRank) return peers;
        for (std::uint32_t i = 0; i < peers; ++i) {
            if (m_place.peers[i] == m_timing.lastMember) return i;
        }
        return peers - 1;
    }

    /// One transfer in as many pieces as the run's packets are small; each has a pause of its own after it.
    void addPackets(PlaneTaskKind kind, std::uint32_t peer, TimeNs start, std::int64_t ns, std::uint64_t part) {
        const Transport transport = transportOf(m_place.peers[peer]);
        if (m_view.packets == 1) {
            add(kind, transport, peer + 1, start, deviceTime(ns, m_noise), part);
            return;
        }
        constexpr std::int64_t kPauseNs = 300;
        const std::int64_t each = ns / m_view.packets;
        const std::uint64_t bytes = part / m_view.packets;
        for (std::uint32_t i = 0; i < m_view.packets; ++i) {
            const bool last = i + 1 == m_view.packets;
            add(kind, transport, peer + 1, start + DurationNs{each * i},
                deviceTime(std::max<std::int64_t>(each - kPauseNs, 200), m_noise),
                last ? part - bytes * (m_view.packets - 1) : bytes);
        }
    }

    void transfer(PlaneTaskKind kind, std::uint64_t part, TimeNs until) {
        const auto peers = static_cast<std::uint32_t>(m_place.peers.size());
        const TimeNs begin = m_now;
        // The closing handshake needs its own time.
        const std::int64_t closing = peers * (kStaggerNs + 740) + kRecordNs + 4'500;
        const std::int64_t span = std::max<std::int64_t>((until - begin).value - closing, 2'000);
        for (std::uint32_t i = 0; i < peers; ++i) {
            const std::uint32_t factor = m_view.peerFactors.empty() ? m_view.slowest : m_view.peerFactors[i];
            const std::int64_t ownSpan = span * factor / m_view.slowest;
            const std::int64_t ns = std::max<std::int64_t>(
                ownSpan - i * kStaggerNs - m_noise.below(static_cast<std::uint32_t>(ownSpan / 16 + 1)), 800);
            const TimeNs start = begin + DurationNs{i * kStaggerNs};
            addPackets(kind, i, start, ns, part);
            // Who is done waits for the slowest link of the group.
            const TimeNs done = start + DurationNs{ns + 400};
            if (factor < m_view.slowest) {
                add(PlaneTaskKind::NotifyWait, Transport::Local, i + 1, done,
                    deviceTime((begin - done).value + span, m_noise), 0);
            }
        }
        m_now = begin + DurationNs{span + 600};
        handshake(m_now);
    }

    const PlannedGroup& m_group;
    const Membership& m_place;
    const CollectiveView& m_view;
    const CollectiveTiming& m_timing;
    Noise m_noise;
    TimeNs m_now;
    std::uint32_t m_context = 0;
    std::vector<PlaneTask> m_tasks;
};

}  // namespace

std::vector<PlaneTask> planeTasks(const PlannedGroup& group, const Membership& place, const CollectiveView& view,
                                  const CollectiveTiming& timing) {
    return PlaneWriter(group, place, view, timing).write();
}

}  // namespace altiscope::generate
