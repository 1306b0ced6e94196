#include "core/generate/raw/raw_writer.h"

#include "core/generate/ranks/profiler_facts.h"
#include "core/generate/raw/raw_device_records.h"
#include "core/generate/raw/raw_framework_records.h"
#include "core/generate/raw/raw_host_files.h"
#include "core/generate/raw/raw_side_files.h"

namespace altiscope::generate {

Result<Done> writeRawRank(const PassContext& context, OutputTarget& target, std::uint32_t rank) {
    const Run& run = context.run;
    const RankIdentity& identity = run.plan.identities[rank];
    const RankTracks tracks(identity);
    const std::filesystem::path folder = rankFolder(rank, Framework::Torch), prof = folder / profFolder(run, rank);
    const Result<Done> side = writeRawSideFiles(run, rank, target, prof);
    if (!side.ok()) return side;
    RawHostFiles host(run, tracks, rank, target, prof / "host" / "data");
    RawDeviceRecords device(run, rank, target, prof / ("device_" + std::to_string(identity.device)) / "data");
    RawFrameworkRecords framework(run, tracks, rank, target, folder / "FRAMEWORK");
    // Rounds of task numbers, addresses and names go on from unit to unit.
    const auto collect = [&](RenderedUnit& unit) -> Result<Done> {
        Result<Done> done = host.unit(unit.record);
        if (done.ok()) done = device.unit(unit.record);
        if (done.ok()) done = framework.unit(unit.record);
        return done;
    };
    TraceTally unused(tracks.tracks().size());
    Result<Done> done =
        runUnitPass(context, rank, {UnitParts::Everything, {}, [](RenderedUnit&) {}, collect, 0}, unused);
    if (done.ok()) done = host.close();
    if (done.ok()) done = device.close();
    if (done.ok()) done = framework.close();
    return done;
}

}  // namespace altiscope::generate
