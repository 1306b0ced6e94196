#include "core/generate/model/program_builder.h"

#include "core/base/values/assert.h"

namespace altiscope::generate {

namespace {

constexpr std::string_view kPackages = "/usr/local/lib/python3.9/site-packages/";

/// How a frame appears in call stacks: with the path of its file; built-ins and modules do not appear.
std::string stackEntryOf(std::string_view name) {
    if (name.starts_with("<built-in") || name.starts_with("nn.Module")) return {};
    if (name.starts_with('<')) return std::string(name);
    if (name.starts_with("train.py")) return "/home/user/llm/" + std::string(name);
    return std::string(kPackages) + std::string(name);
}

}  // namespace

void ProgramBuilder::enter(std::string_view name, std::uint32_t module) {
    m_frames.push_back({stackEntryOf(name)});
    add({ActionKind::PythonEnter, text(name), module, 0});
}

void ProgramBuilder::leave() {
    ALTI_ASSERT(!m_frames.empty());
    m_frames.pop_back();
    add({ActionKind::PythonLeave, kNoText});
}

void ProgramBuilder::leaf(std::string_view name, std::uint32_t costNs) {
    add({ActionKind::PythonLeaf, text(name), 0, costNs});
}

TextId ProgramBuilder::callStack() {
    if (m_thread != HostThread::Main) return kNoText;  // Autograd's own thread runs no Python.
    std::string stack;
    const auto append = [&stack](const std::string& entry) {
        if (entry.empty()) return;
        if (!stack.empty()) stack += ";\r\n";
        stack += entry;
    };
    for (auto frame = m_frames.rbegin(); frame != m_frames.rend(); ++frame) append(frame->stackEntry);
    for (auto base = m_run.baseFrames.rbegin(); base != m_run.baseFrames.rend(); ++base)
        append(stackEntryOf(m_run.texts[*base]));
    return text(stack);
}

std::uint32_t ProgramBuilder::addSite(std::string_view name, const OpArguments& arguments, SequenceUse use,
                                      std::uint32_t sequence) {
    const bool shapes = !arguments.types.empty();
    m_run.sites.push_back({text(name), shapes ? text(arguments.dims) : kNoText,
                           shapes ? text(arguments.types) : kNoText, callStack(), use, sequence, m_thread});
    return static_cast<std::uint32_t>(m_run.sites.size() - 1);
}

void ProgramBuilder::open(std::uint32_t site, std::uint32_t costNs) {
    // The autograd thread runs without Python between its operators, so it is quicker.
    add({ActionKind::OpEnter, kNoText, site, m_thread == HostThread::Main ? costNs : costNs / 2});
}

void ProgramBuilder::openOp(std::string_view name, const OpArguments& arguments, std::uint32_t costNs) {
    open(addSite(name, arguments, SequenceUse::None, 0), costNs);
}

std::uint32_t ProgramBuilder::openForward(std::string_view name, const OpArguments& arguments, std::uint32_t costNs) {
    const auto sequence = static_cast<std::uint32_t>(m_unit.counts.sequences++);
    open(addSite(name, arguments, SequenceUse::Forward, sequence), costNs);
    return sequence;
}

void ProgramBuilder::openBackward(std::string_view name, const OpArguments& arguments, std::uint32_t sequence) {
    open(addSite(name, arguments, SequenceUse::Backward, sequence), 8'000);
}

void ProgramBuilder::closeOp() { add({ActionKind::OpLeave, kNoText}); }

void ProgramBuilder::op(std::string_view name, const OpArguments& arguments, std::uint32_t costNs) {
    openOp(name, arguments, costNs);
    closeOp();
}

void ProgramBuilder::openScope(std::string_view name) {
    enter("torch/autograd/profiler.py(619): __init__");
    leaf("torch/jit/__init__.py(124): annotate", 200);
    leave();
    enter("torch/autograd/profiler.py(630): __enter__");
    enter("torch/_ops.py(687): __call__");
    enter("<built-in method _record_function_enter_new of PyCapsule object at 0x");
    add({ActionKind::ScopeOpen, kNoText, addSite(name, {}, SequenceUse::None, 0)});
    leave();
    leave();
    leave();
}

void ProgramBuilder::closeScope() {
    enter("torch/autograd/profiler.py(636): __exit__");
    enter("torch/_ops.py(687): __call__");
    enter("<built-in method _record_function_exit of PyCapsule object at 0x");
    add({ActionKind::ScopeClose, kNoText});
    leave();
    leave();
    leave();
}

void ProgramBuilder::openStep() {
    enter("torch/autograd/profiler.py(630): __enter__");
    enter("torch/_ops.py(687): __call__");
    enter("<built-in method _record_function_enter_new of PyCapsule object at 0x");
    add({ActionKind::StepOpen, kNoText});
    leave();
    leave();
    leave();
}

void ProgramBuilder::closeStep() {
    enter("torch/autograd/profiler.py(636): __exit__");
    enter("torch/_ops.py(687): __call__");
    enter("<built-in method _record_function_exit of PyCapsule object at 0x");
    m_run.sites.push_back({text("ProfilerStep#"), kNoText, kNoText, kNoText, SequenceUse::None, 0, m_thread});
    add({ActionKind::StepClose, kNoText, static_cast<std::uint32_t>(m_run.sites.size() - 1)});
    leave();
    leave();
    leave();
}

std::uint32_t ProgramBuilder::allocate(std::string_view owner, std::uint64_t bytes, bool crossesStreams) {
    const auto blocks = static_cast<std::uint32_t>((bytes + kBlockBytes - 1) / kBlockBytes);
    m_run.tensors.push_back({text(owner), blocks, MemoryPool::Framework, crossesStreams, false});
    const auto tensor = static_cast<std::uint32_t>(m_run.tensors.size() - 1);
    openOp("empty_tensor", {}, 3'000);
    add({ActionKind::Allocate, kNoText, tensor});
    closeOp();
    return tensor;
}

void ProgramBuilder::release(std::uint32_t tensor) { add({ActionKind::Release, kNoText, tensor}); }

std::uint32_t ProgramBuilder::addKernel(KernelSpec kernel) {
    m_run.kernels.push_back(kernel);
    return static_cast<std::uint32_t>(m_run.kernels.size() - 1);
}

std::uint32_t ProgramBuilder::addGraphTensor(std::string_view owner, std::uint64_t bytes) {
    m_run.tensors.push_back({text(owner), static_cast<std::uint32_t>((bytes + kBlockBytes - 1) / kBlockBytes),
                             MemoryPool::GraphEngine, false, false});
    return static_cast<std::uint32_t>(m_run.tensors.size() - 1);
}

void ProgramBuilder::launch(std::string_view opName, LaunchSpec spec) {
    m_run.launches.push_back(std::move(spec));
    openOp(opName, {}, 5'000);
    add({ActionKind::Launch, kNoText, static_cast<std::uint32_t>(m_run.launches.size() - 1), 2'500});
    closeOp();
}

void ProgramBuilder::recordEvent(std::uint32_t event, StreamRole stream, std::uint32_t groupSlot) {
    LaunchSpec spec{text("Dequeue@record_event"), text("aclrtRecordEvent"), kNoText, ApiMode::Rts, {}, {}};
    spec.tasks.push_back({TaskKind::EventRecord, stream, event, groupSlot});
    launch("record_event", std::move(spec));
}

void ProgramBuilder::waitEvent(std::uint32_t event, StreamRole stream, std::uint32_t groupSlot) {
    LaunchSpec spec{text("Dequeue@wait_event"), text("aclrtStreamWaitEvent"), kNoText, ApiMode::Rts, {}, {}};
    spec.tasks.push_back({TaskKind::EventWait, stream, event, groupSlot});
    launch("wait_event", std::move(spec));
}

void ProgramBuilder::hostApi(std::string_view name, std::uint32_t costNs) {
    add({ActionKind::HostApi, text(name), 0, costNs});
}

void ProgramBuilder::useThread(HostThread thread) {
    m_thread = thread;
    add({ActionKind::UseThread, kNoText, static_cast<std::uint32_t>(thread)});
}

void ProgramBuilder::waitForDevice(std::string_view api) { add({ActionKind::WaitForDevice, text(api)}); }

}  // namespace altiscope::generate
