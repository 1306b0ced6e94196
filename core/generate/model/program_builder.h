#pragma once

#include "core/generate/model/unit_program.h"

#include <string>
#include <string_view>
#include <vector>

namespace altiscope::generate {

/// Shapes or types of an operator's arguments as the profiler writes them, e.g. "1,4096;\r\n;\r\n" (";\r\n" between).
struct OpArguments {
    std::string dims;
    std::string types;
};

/// Appends host actions to one unit program and the specs that they name to the run program. Keeps the stack of open
/// Python frames, from which the call stacks of operators follow. One builder builds one unit; cheap calls, one thread.
class ProgramBuilder {
public:
    ProgramBuilder(RunProgram& run, UnitProgram& unit) : m_run(run), m_unit(unit) {}

    // Python frames. `name` is what the profiler shows: "file.py(12): function", "nn.Module: X_0", "<built-in ...>"; a
    // name that ends with "0x" gets an object's address and ">" when it runs.
    void enter(std::string_view name, std::uint32_t module = 0);
    void leave();
    void leaf(std::string_view name, std::uint32_t costNs = 400);

    // Operators. Those without arguments record no shapes.
    void openOp(std::string_view name, const OpArguments& arguments = {}, std::uint32_t costNs = 12'000);
    /// The operator that autograd remembers: opens with the next sequence number.
    /// @return That number, for openBackward.
    std::uint32_t openForward(std::string_view name, const OpArguments& arguments, std::uint32_t costNs = 12'000);
    void openBackward(std::string_view name, const OpArguments& arguments, std::uint32_t sequence);
    void closeOp();
    void op(std::string_view name, const OpArguments& arguments = {}, std::uint32_t costNs = 6'000);

    /// A user range (`torch.autograd.profiler.record_function`): it opens inside the frames of `__enter__` and closes
    /// inside those of `__exit__`, so that it crosses them.
    void openScope(std::string_view name);
    void closeScope();
    void openStep();
    void closeStep();

    /// `empty_tensor` with the allocation of a block for the operator `owner`. @return The tensor, for release().
    std::uint32_t allocate(std::string_view owner, std::uint64_t bytes, bool crossesStreams = false);
    void release(std::uint32_t tensor);
    void leak(std::uint32_t tensor) { m_run.tensors[tensor].leaks = true; }
    void keepAtTheEnd(std::uint32_t tensor) { m_run.tensors[tensor].outlivesRun = true; }

    /// The innermost operator, with its entry into the task queue.
    void launch(std::string_view opName, LaunchSpec spec);
    std::uint32_t addKernel(KernelSpec kernel);
    std::uint32_t addGraphTensor(std::string_view owner, std::uint64_t bytes);
    std::uint32_t newEvent() { return m_run.events++; }
    void recordEvent(std::uint32_t event, StreamRole stream, std::uint32_t groupSlot = 0);
    void waitEvent(std::uint32_t event, StreamRole stream, std::uint32_t groupSlot = 0);

    void hostApi(std::string_view name, std::uint32_t costNs);
    void useThread(HostThread thread);
    void pause(std::uint32_t costNs) { add({ActionKind::Pause, kNoText, 0, costNs}); }
    void waitForDevice(std::string_view api);

    /// What follows is done by a planted fault alone, until this is called with false.
    void setPlanted(bool planted) { m_planted = planted; }

    TextId text(std::string_view text) { return m_run.texts.idOf(text); }

private:
    struct Frame {
        std::string stackEntry;  ///< Empty for built-ins and modules, which call stacks leave out.
    };

    void add(HostAction action) {
        action.planted = m_planted;
        m_unit.actions.push_back(action);
    }
    std::uint32_t addSite(std::string_view name, const OpArguments& arguments, SequenceUse use, std::uint32_t sequence);
    void open(std::uint32_t site, std::uint32_t costNs);
    TextId callStack();

    RunProgram& m_run;
    UnitProgram& m_unit;
    std::vector<Frame> m_frames;
    HostThread m_thread = HostThread::Main;
    bool m_planted = false;
};

}  // namespace altiscope::generate
