#include "core/findings/cause_rules.h"

#include "core/findings/rule_table.h"

namespace altiscope {

namespace {

/// By the word of a cause that says all of it.
std::string_view ruleOfWord(Cause cause) {
    switch (cause) {
    case Cause::Kernel: return RuleName("slow_rank");
    case Cause::Host: return RuleName("slow_launches");
    case Cause::Gc: return RuleName("gc_pause");
    case Cause::Compile: return RuleName("operator_compilation");
    case Cause::DataLoading: return RuleName("data_loading");
    case Cause::Frequency: return RuleName("frequency_drop");
    case Cause::Absent: return RuleName("collective_wait");
    case Cause::Wait:
    case Cause::Gil:
    case Cause::Lock:
    case Cause::Preempted:
    case Cause::Interrupt:
    case Cause::Syscall:
    case Cause::Synchronize:
    case Cause::Checkpoint:
    case Cause::Copy:
    case Cause::Transfer:
    case Cause::Turnaround:
    case Cause::Bubble:
    case Cause::Unknown: break;
    }
    return {};
}

}  // namespace

std::string_view ruleOf(const CauseFacts& cause) {
    switch (cause.kind) {
    case CauseKind::Any: return ruleOfWord(cause.cause);
    case CauseKind::AiCpu: return RuleName("ai_cpu");
    case CauseKind::MemoryCalls: return RuleName("memory_calls");
    case CauseKind::Link: return RuleName("slow_link");
    case CauseKind::SmallPackets: return RuleName("small_packets");
    case CauseKind::NotHidden: return RuleName("exposed_communication");
    }
    return {};
}

}  // namespace altiscope
