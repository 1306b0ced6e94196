#include "core/import/memscope/memscope_replay.h"

#include <algorithm>
#include <iterator>
#include <map>
#include <optional>
#include <utility>

namespace altiscope::reader {

namespace {

class MemscopeReplay {
public:
    MemscopeReplay(MemscopeDump& dump, MemscopeBlocks& result) : m_dump(dump), m_result(result) {
        for (const std::string& pool : dump.pools) m_isDriver.push_back(isDriverPool(pool));
    }

    bool run(const CancelToken& cancel) {
        constexpr std::size_t kPollEvents = std::size_t{1} << 12;
        for (std::size_t number = 0; number < m_dump.events.size(); ++number) {
            if (number % kPollEvents == 0 && cancel.cancelled()) return false;
            MemscopeEvent& event = m_dump.events[number];
            switch (event.action) {
            case MemscopeAction::Allocate: allocate(static_cast<std::uint32_t>(number), event); break;
            case MemscopeAction::Free: release(static_cast<std::uint32_t>(number), event); break;
            case MemscopeAction::Access: access(event); break;
            case MemscopeAction::Sample: break;
            }
        }
        return true;
    }

private:
    using Live = std::map<std::int64_t, std::uint32_t>;  // block by address
    using Key = std::pair<std::int32_t, std::uint16_t>;  // device, pool

    std::uint32_t addBlock(const MemscopeEvent& event) {
        MemscopeBlock block;
        block.address = event.address;
        block.size = event.size == kNoCell ? 0 : event.size;
        block.device = event.device;
        block.pool = event.pool;
        block.isDriver = m_isDriver[event.pool];
        m_result.blocks.push_back(block);
        return static_cast<std::uint32_t>(m_result.blocks.size() - 1);
    }

    void allocate(std::uint32_t number, MemscopeEvent& event) {
        Live& live = m_live[{event.device, event.pool}];
        std::uint32_t replaced = kNoMemscopeBlock;
        if (const auto there = live.find(event.address); there != live.end()) {
            replaced = there->second;
            MemscopeBlock& old = m_result.blocks[there->second];
            old.free = number;
            old.isReplaced = true;
            ++m_result.replaced;
            live.erase(there);
        }
        event.block = addBlock(event);
        MemscopeBlock& block = m_result.blocks[event.block];
        block.alloc = number;
        block.replaces = replaced;
        block.owner = event.owner;
        block.stack = event.stack;
        live.emplace(event.address, event.block);
        if (block.isDriver) return;
        if (const auto around = driverBlockAt(event.device, event.address)) {
            m_result.blocks[*around].holdsBlocks = true;
            m_result.blocks[event.block].segment = m_result.blocks[*around].address;
        }
    }

    void release(std::uint32_t number, MemscopeEvent& event) {
        if (event.namesNoDevice) findDevice(event);
        Live& live = m_live[{event.device, event.pool}];
        const auto there = live.find(event.address);
        if (there == live.end()) {
            event.block = addBlock(event);
            ++m_result.older;
        } else {
            event.block = there->second;
            live.erase(there);
        }
        m_result.blocks[event.block].free = number;
    }

    /// The driver's releases name an address alone: they are of the device whose memory it is.
    void findDevice(MemscopeEvent& event) const {
        for (const auto& [key, live] : m_live) {
            if (key.second != event.pool || !live.contains(event.address)) continue;
            event.device = key.first;
            return;
        }
    }

    void access(MemscopeEvent& event) {
        const auto found = usedBlock(event);
        if (!found) return;
        event.block = *found;
        MemscopeBlock& block = m_result.blocks[*found];
        if (block.lastAccess != kNoCell) block.longestIdle = std::max(block.longestIdle, event.time - block.lastAccess);
        else {
            block.firstAccess = event.time;
            block.longestIdle = 0;
        }
        block.lastAccess = event.time;
    }

    /// Finds the block in the pool that the event names, else in any that cuts up memory.
    std::optional<std::uint32_t> usedBlock(const MemscopeEvent& event) const {
        if (const auto named = blockAt({event.device, event.pool}, event.address)) return named;
        for (std::uint16_t pool = 0; pool < m_isDriver.size(); ++pool) {
            if (m_isDriver[pool]) continue;
            if (const auto found = blockAt({event.device, pool}, event.address)) return found;
        }
        return driverBlockAt(event.device, event.address);
    }

    std::optional<std::uint32_t> driverBlockAt(std::int32_t device, std::int64_t address) const {
        for (std::uint16_t pool = 0; pool < m_isDriver.size(); ++pool) {
            if (!m_isDriver[pool]) continue;
            if (const auto found = blockAt({device, pool}, address)) return found;
        }
        return std::nullopt;
    }

    std::optional<std::uint32_t> blockAt(Key key, std::int64_t address) const {
        const auto live = m_live.find(key);
        if (live == m_live.end()) return std::nullopt;
        const auto after = live->second.upper_bound(address);
        if (after == live->second.begin()) return std::nullopt;
        const auto found = std::prev(after);
        const bool isInside = address - found->first < std::max<std::int64_t>(1, m_result.blocks[found->second].size);
        return isInside ? std::optional(found->second) : std::nullopt;
    }

    MemscopeDump& m_dump;
    MemscopeBlocks& m_result;
    std::vector<bool> m_isDriver;
    std::map<Key, Live> m_live;
};

}  // namespace

bool isDriverPool(std::string_view pool) { return pool == "HAL" || pool.starts_with("HOST"); }

bool replayMemscope(MemscopeDump& dump, MemscopeBlocks& blocks, const CancelToken& cancel) {
    return MemscopeReplay(dump, blocks).run(cancel);
}

}  // namespace altiscope::reader
