#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace altiscope {

/// Transfers of one collective by one transport. Times are ms, sizes MB (10^6 bytes), as doubles that were added in the
/// order of the transfers: the profiler's files show their rounding.
struct CollectiveTraffic {
    struct Packets {
        double size = 0;
        std::uint64_t count = 0;
        double time = 0;
    };
    double size = 0, time = 0;
    std::uint64_t packets = 0, largePackets = 0;  ///< 0: nothing went by it itself.
    bool hasOthers = false;      ///< Sums of other transports are in it: SDMA holds HCCS, PCIE and SIO.
    std::vector<Packets> sizes;  ///< In the order in which sizes first occurred.
};

/// A collective of a device with the numbers of communication.json and communication_matrix.json. Units as
/// CollectiveTraffic.
struct CollectiveRecord {
    static constexpr std::array<std::string_view, 5> kTransports{"RDMA", "HCCS", "PCIE", "SDMA", "SIO"};
    struct Link {
        std::uint32_t source = 0, target = 0;  ///< Ranks of the group.
        std::string transport;                 ///< Empty: a kind without a name.
        double size = 0, time = 0;
        /// Values that were added up, in that order.
        struct Transfer {
            std::uint32_t plane = 0;
            double size = 0, time = 0;
            std::string_view transport{};  ///< A word of the program's own.
        };
        std::vector<Transfer> transfers{};
    };
    static constexpr std::uint32_t kNoType = 0xffffffff;

    std::string name;
    std::string group;                   ///< Its hash, decimal.
    std::int64_t device = 0, begin = 0;  ///< Begin: wall time, ns.
    std::uint32_t collection = 0;        ///< Index in TaskRecords::collections.
    std::uint32_t place = 0;             ///< In the vendor's list of the collectives of its device.
    std::uint32_t type = kNoType;        ///< Type of its operator: index in TaskRecords::texts; kNoType: not known.
    double length = 0;                   ///< From its first task of the master's stream to its last, ns.
    double elapsed = 0, transit = 0, wait = 0, synchronization = 0;
    std::uint64_t transits = 0, waits = 0, synchronizations = 0;  ///< How many were added up.
    std::array<CollectiveTraffic, kTransports.size()> traffic;
    std::vector<Link> links;
    std::vector<std::uint32_t> planes;  ///< In the order in which they first occur.
};

}  // namespace altiscope
