#include "core/import/raw_records/raw_devices.h"

#include "core/base/values/parse.h"
#include "core/import/files/profiler_info.h"

#include <algorithm>
#include <string_view>

namespace altiscope::reader {

RawIdentity rawIdentity(const FolderListing& listing, const ListedFolder& prof, Diagnostics& diagnostics) {
    static constexpr std::string_view kDevice = "device_";
    RawIdentity identity;
    const auto factsOf = [&](const ListedFolder& folder, const std::string& name) {
        return folder.file(name) == nullptr ? Metadata{}
                                            : readMetadata(folder.path / name, folder.relativeTo(name), diagnostics);
    };
    const auto takeHost = [&](const Metadata& facts) {
        const std::string* host = findOption(facts, "hostname");
        if (host != nullptr && identity.host.empty()) identity.host = *host;
    };
    if (const ListedFolder* host = listing.child(prof, "host")) takeHost(factsOf(*host, "info.json"));
    for (const std::size_t number : prof.folders) {
        const ListedFolder& folder = listing.folders[number];
        if (!folder.name.starts_with(kDevice)) continue;
        const std::string_view digits = std::string_view(folder.name).substr(kDevice.size());
        const auto device = wholeNumber(digits);
        if (!device || *device < 0) continue;
        const Metadata facts = factsOf(folder, "info.json." + std::string(digits));
        takeHost(facts);
        RawDevice& added = identity.devices.emplace_back(RawDevice{*device, std::nullopt, &folder});
        const std::string* rank = findOption(facts, "rank_id");
        const auto stated = rank != nullptr ? wholeNumber(*rank) : std::nullopt;
        if (stated && *stated >= 0) added.rankId = stated;
    }
    std::sort(identity.devices.begin(), identity.devices.end(),
              [](const RawDevice& a, const RawDevice& b) { return a.device < b.device; });
    return identity;
}

}  // namespace altiscope::reader
