#include "core/import/cluster/cluster_folder.h"

#include "core/import/files/file_names.h"

namespace altiscope::reader {

bool liesIn(std::string_view folder, std::string_view outer) {
    if (outer == "." || folder == outer) return true;
    return folder.size() > outer.size() && folder.starts_with(outer) && folder[outer.size()] == '/';
}

std::optional<ClusterManifest> clusterIn(const ListedFolder& folder, const std::string& run) {
    const auto source = [&](std::string_view name) -> std::optional<SourceFile> {
        const ListedFile* file = folder.file(name);
        if (file == nullptr) return std::nullopt;
        return SourceFile{
            folder.path / file->name, folder.relativeTo(file->name), SourceFormat::Other, file->size, 0, {}};
    };
    ClusterManifest cluster;
    cluster.path = folder.relative;
    cluster.run = run;
    cluster.steps = source("cluster_step_trace_time.csv");
    cluster.communication = source("cluster_communication.json");
    cluster.matrix = source("cluster_communication_matrix.json");
    cluster.groups = source("communication_group.json");
    cluster.database = source("cluster_analysis.db");
    const bool isCluster = folderKind(folder.name) == FolderKind::ClusterOutput || cluster.steps ||
                           cluster.communication || cluster.matrix || cluster.database ||
                           (cluster.groups && folder.relative == ".");
    if (!isCluster) return std::nullopt;
    if (cluster.database) cluster.database->format = SourceFormat::Database;
    cluster.metadata = source("profiler_metadata.json");
    return cluster;
}

}  // namespace altiscope::reader
