#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <utility>

namespace altiscope::generate {

/// Levels of calls, and of the types that type_info_dic names.
inline constexpr std::uint16_t kAclLevel = 20000, kNodeLevel = 10000, kHcclLevel = 5500, kRuntimeLevel = 5000;

/// Types of tasks of the runtime. Flips have a fixed number; of all others type_info_dic gives the name.
enum class RuntimeTask : std::uint16_t {
    AiCore = 0,
    AiCpu = 1,
    EventRecord = 2,
    EventWait = 3,
    Copy = 5,
    Flip = 98,
    AiVector = 66,
    FftsPlus = 70,
    MixCube = 71,
    MixVector = 72,
    Common = 73,
    ProfilingOn = 80,
    ProfilingOff = 81
};

/// The texts that records name by numbers. One thread.
class RawTexts {
public:
    /// Number of a text; 0 for an empty one.
    std::uint64_t hash(std::string_view text);
    /// Type of an acl call. @param group  The kind of interface: high half of the number.
    std::uint32_t aclType(std::uint32_t group, std::string_view name);

    static constexpr std::uint32_t kLaunchType = 5, kMasterType = 65537;

    /// hash_dic and type_info_dic.
    std::string hashes() const;
    std::string types() const;

private:
    std::map<std::string, std::uint64_t, std::less<>> m_hashes;
    std::map<std::pair<std::uint32_t, std::string>, std::uint32_t> m_aclTypes;
};

}  // namespace altiscope::generate
