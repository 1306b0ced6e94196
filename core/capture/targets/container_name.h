#pragma once

#include <string>
#include <string_view>

namespace altiscope::capture {

/// The container of a process.
struct ContainerName {
    std::string runtime;  ///< "docker", "podman", "nerdctl", "ctr", "kubernetes"; empty: in none that is known.
    std::string name;     ///< As its runtime takes it: the first 12 digits of an id, or of ctr its name.
    /// It is one in a container, which no target leads to; name and runtime are those of the inner one.
    bool isNested = false;

    /// "docker:0123456789ab" for the name of a target (parseTarget); empty if no target leads there: of Kubernetes only
    /// the pod's name would.
    std::string targetPart() const;
    bool operator==(const ContainerName&) const = default;
};

/// By /proc/PID/cgroup as the host has it, whichever of its versions: docker, podman, nerdctl, containerd (ctr, in its
/// namespace "default") and Kubernetes name their groups by the container's id. Anything else, as a service or a
/// session of systemd, is no container.
ContainerName containerOf(std::string_view cgroup);

}  // namespace altiscope::capture
