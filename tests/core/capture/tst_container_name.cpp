#include "core/capture/targets/container_name.h"

#include "core/capture/session/job_methods.h"
#include "core/capture/targets/target.h"
#include "tests/support/test_main.h"

#include <algorithm>

using namespace altiscope::capture;

namespace {

const std::string kId = "0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef";

const JobMethod& methodNamed(const std::vector<JobMethod>& methods, std::string_view name) {
    return *std::find_if(methods.begin(), methods.end(), [name](const auto& one) { return one.method->name == name; });
}

}  // namespace

class TestContainerName : public QObject {
    Q_OBJECT
private slots:
    void groupsOfEachRuntime_data();
    void groupsOfEachRuntime();
    void aJobInAContainerIsRecordedThere();
    void aJobWhoseContainerIsNoTargetSaysWhichOneItIs();
    void aJobInAnotherContainerIsNotTakenForOneOfThisContainer();
    void aContainerInAContainerIsNoTarget_data();
    void aContainerInAContainerIsNoTarget();
};

void TestContainerName::groupsOfEachRuntime_data() {
    QTest::addColumn<std::string>("cgroup");
    QTest::addColumn<std::string>("runtime");
    QTest::addColumn<std::string>("part");
    const auto add = [](const char* name, const std::string& cgroup, const char* runtime, const std::string& part) {
        QTest::newRow(name) << cgroup << std::string(runtime) << part;
    };
    add("docker, systemd", "0::/system.slice/docker-" + kId + ".scope\n", "docker", "docker:0123456789ab");
    add("docker, folders of version 1", "9:memory:/docker/" + kId + "\n1:name=systemd:/docker/" + kId + "\n", "docker",
        "docker:0123456789ab");
    add("seen from another container", "0::/../docker-" + kId + ".scope\n", "docker", "docker:0123456789ab");
    add("a service inside a container", "0::/system.slice/docker-" + kId + ".scope/system.slice/x.service\n", "docker",
        "docker:0123456789ab");
    add("podman", "0::/user.slice/user-1000.slice/user@1000.service/user.slice/libpod-" + kId + ".scope/container\n",
        "podman", "podman:0123456789ab");
    add("what watches podman's container is outside of it", "0::/machine.slice/libpod-conmon-" + kId + ".scope\n", "",
        "");
    add("nerdctl", "0::/system.slice/nerdctl-" + kId + ".scope\n", "nerdctl", "nerdctl:0123456789ab");
    add("containerd", "0::/default/train-1\n", "ctr", "ctr:train-1");
    add("containerd, an id", "3:cpu:/default/" + kId + "\n", "ctr", "ctr:" + kId);
    add("Kubernetes with containerd", "0::/kubepods.slice/kubepods-pod7.slice/cri-containerd-" + kId + ".scope\n",
        "kubernetes", "");
    add("Kubernetes, folders", "5:devices:/kubepods/burstable/pod7/" + kId + "\n", "kubernetes", "");
    add("Kubernetes with docker", "0::/kubepods.slice/kubepods-pod7.slice/docker-" + kId + ".scope\n", "kubernetes",
        "");
    add("containerd's own form", "0::/system.slice/containerd.service/kubepods-pod7.slice:cri-containerd:" + kId + "\n",
        "kubernetes", "");
    add("no container", "0::/user.slice/user-1000.slice/session-3.scope\n", "", "");
    add("the root", "0::/\n", "", "");
    add("a service named so", "0::/system.slice/docker.service\n", "", "");
    add("an id that is none", "0::/docker/0123\n", "", "");
    add("a name that no target takes", "0::/default/a b;c\n", "", "");
    add("nothing", "", "", "");
    add("no lines of cgroup", "::\n:\n\n/docker/" + kId, "", "");
}

void TestContainerName::groupsOfEachRuntime() {
    QFETCH(std::string, cgroup);
    const ContainerName found = containerOf(cgroup);
    QTEST(found.runtime, "runtime");
    QTEST(found.targetPart(), "part");
    if (!found.targetPart().empty()) QVERIFY(parseTarget("local/" + found.targetPart()));
}

void TestContainerName::aJobInAContainerIsRecordedThere() {
    RunningJob job;
    job.process = 4242;
    job.innerProcess = 7;
    job.isContained = job.isReadable = true;
    job.container = containerOf("0::/system.slice/docker-" + kId + ".scope\n");
    job.variables = {{"PROFILING_MODE", "dynamic"}};
    QCOMPARE(startTarget("me@host:22", job), std::string("me@host:22/docker:0123456789ab"));
    const auto methods = methodsFor("me@host:22", job);
    const JobMethod& attach = methodNamed(methods, "msprof-attach");
    QVERIFY(attach.isPossible());
    QCOMPARE(attach.assignments.at(0).second, std::string("7"));
    job.isContained = false;
    QCOMPARE(startTarget("me@host:22", job), std::string("me@host:22"));
}

void TestContainerName::aJobWhoseContainerIsNoTargetSaysWhichOneItIs() {
    RunningJob job;
    job.process = 4242;
    job.isContained = job.isReadable = true;
    job.container = containerOf("0::/kubepods/pod7/" + kId + "\n");
    job.variables = {{"PROFILING_MODE", "dynamic"}};
    QCOMPARE(startTarget("host", job), std::string("host"));
    auto methods = methodsFor("host", job);
    QCOMPARE(methodNamed(methods, "msprof-attach").reason.code, std::string("capture.job.pod"));
    QCOMPARE(methodNamed(methods, "msprof-attach").reason.parameters.at(0).second, std::string("0123456789ab"));
    job.container = {};
    methods = methodsFor("host", job);
    QCOMPARE(methodNamed(methods, "msprof-attach").reason.code, std::string("capture.job.container"));
}

/// Its number and its paths are others in the container that was looked from.
void TestContainerName::aJobInAnotherContainerIsNotTakenForOneOfThisContainer() {
    RunningJob job;
    job.process = 4242;
    job.innerProcess = 7;
    job.isContained = job.isReadable = true;
    job.container = containerOf("0::/../docker-" + kId + ".scope\n");
    job.torchConfig = "/in/profiler_config.json";
    job.variables = {{"PROFILING_MODE", "dynamic"}};
    const std::string target = "host/docker:other";
    QCOMPARE(startTarget(target, job), target);
    for (const JobMethod& method : methodsFor(target, job)) {
        QVERIFY(!method.isPossible());
        if (method.method->trigger != Trigger::Launch)
            QCOMPARE(method.reason.code, std::string("capture.job.container"));
    }
    QVERIFY(methodNamed(methodsFor("host", job), "msprof-attach").isPossible());
}

void TestContainerName::aContainerInAContainerIsNoTarget_data() {
    QTest::addColumn<std::string>("cgroup");
    QTest::addColumn<std::string>("runtime");
    const std::string inner = "fedcba9876543210" + kId.substr(16);
    QTest::newRow("docker in docker") << "0::/docker/" + kId + "/docker/" + inner + "\n" << std::string("docker");
    QTest::newRow("docker in docker, systemd")
        << "0::/system.slice/docker-" + kId + ".scope/system.slice/docker-" + inner + ".scope\n"
        << std::string("docker");
    QTest::newRow("kind") << "0::/docker/" + kId + "/kubelet.slice/kubelet-kubepods.slice/kubepods-pod7.slice/" +
                                 "cri-containerd-" + inner + ".scope\n"
                          << std::string("kubernetes");
    QTest::newRow("kind, folders") << "5:devices:/docker/" + kId + "/kubelet/kubepods/pod7/" + inner + "\n"
                                   << std::string("kubernetes");
}

/// The number and the root of a process are those of the innermost, which nothing leads to from outside.
void TestContainerName::aContainerInAContainerIsNoTarget() {
    QFETCH(std::string, cgroup);
    const ContainerName found = containerOf(cgroup);
    QTEST(found.runtime, "runtime");
    QCOMPARE(found.name, std::string("fedcba987654"));
    QCOMPARE(found.targetPart(), std::string());
}

ALTI_TEST(TestContainerName)
#include "tst_container_name.moc"
