#include "views/common/support/formatters.h"
#include "views/operators/overall_panel.h"

namespace altiscope {

namespace {

QString workTitle(KernelWork work) {
    switch (work) {
    case KernelWork::FlashAttention: return OverallPanel::tr("Flash attention");
    case KernelWork::PagedAttention: return OverallPanel::tr("Paged attention");
    case KernelWork::Convolution: return OverallPanel::tr("Convolution");
    case KernelWork::Matmul: return OverallPanel::tr("Matrix multiplication");
    case KernelWork::Cube: return OverallPanel::tr("Other cube kernels");
    case KernelWork::Vector: return OverallPanel::tr("Other vector kernels");
    case KernelWork::TensorMove: return OverallPanel::tr("SDMA (tensor move)");
    case KernelWork::Other: return OverallPanel::tr("Other kernels");
    }
    return {};
}

QString workFormula(KernelWork work) {
    switch (work) {
    case KernelWork::FlashAttention:
        return OverallPanel::tr("Kernels launched within an operator of flash or fused attention "
                                "(flash_attention, fusion_attention, ...), or of such a type.");
    case KernelWork::PagedAttention: return OverallPanel::tr("Kernels whose type contains PagedAttention.");
    case KernelWork::Convolution:
        return OverallPanel::tr("Kernels launched within a convolution (aten::convolution, ...), or whose type begins "
                                "with Conv.");
    case KernelWork::Matmul:
        return OverallPanel::tr("Kernels launched within a product of matrices (exactly aten::mm, bmm, addmm, matmul, "
                                "linear, ...), or whose type contains MatMul.");
    case KernelWork::Cube:
        return OverallPanel::tr("Kernels that keep the cube busy (mac metrics above 0; without metrics: on AI_CORE or "
                                "MIX_AIC), for none of the above.");
    case KernelWork::Vector:
        return OverallPanel::tr("Kernels without a busy cube (mac metrics 0; without metrics: on AI_VECTOR_CORE or "
                                "MIX_AIV), for none of the above.");
    case KernelWork::TensorMove: return OverallPanel::tr("TensorMove within aclnnInplaceCopy: copies on the device.");
    case KernelWork::Other:
        return OverallPanel::tr("Kernels of which neither core nor metrics are known, or on the AI CPU.");
    }
    return {};
}

}  // namespace

QString overallTitle(const OverallLine& line) {
    switch (line.kind) {
    case OverallKind::EndToEnd: return OverallPanel::tr("End to end");
    case OverallKind::Computing: return OverallPanel::tr("Computing");
    case OverallKind::Work: return workTitle(line.of.work);
    case OverallKind::Pass:
        return line.of.pass == KernelPass::Backward ? OverallPanel::tr("Backward") : OverallPanel::tr("Forward");
    case OverallKind::Part:
        if (line.of.part == KernelPart::Cube) return OverallPanel::tr("Cube");
        if (line.of.part == KernelPart::Format) return OverallPanel::tr("Cast and layout (Cast, TransData, Transpose)");
        return line.of.work == KernelWork::Vector ? OverallPanel::tr("Arithmetic") : OverallPanel::tr("Vector");
    case OverallKind::Communication: return OverallPanel::tr("Exposed communication");
    case OverallKind::Group: return line.group.empty() ? OverallPanel::tr("Group not recorded") : toQString(line.group);
    case OverallKind::Wait: return OverallPanel::tr("Wait");
    case OverallKind::Transit: return OverallPanel::tr("Transit");
    case OverallKind::Free: return OverallPanel::tr("Free");
    }
    return {};
}

QString overallFormula(const OverallLine& line) {
    switch (line.kind) {
    case OverallKind::EndToEnd:
        return OverallPanel::tr("Computing + exposed communication + free, summed over the ranks; shares are parts of "
                                "it. Of a rank with several devices the busiest one counts.");
    case OverallKind::Computing:
        return OverallPanel::tr(
            "U(C): time in which any kernel runs. Where several do, a moment belongs to the one "
            "that began first: so the lines below add up to this one, which plain sums of durations "
            "do not.");
    case OverallKind::Work: return workFormula(line.of.work);
    case OverallKind::Pass:
        return OverallPanel::tr("Backward: an operator around the launch is of the backward pass by its name "
                                "(backward, Backprop, Grad as words), or a flow from the forward pass leads to it. "
                                "Forward again for checkpoints within it counts as backward.");
    case OverallKind::Part:
        if (line.of.work == KernelWork::Vector && line.of.part == KernelPart::Format)
            return OverallPanel::tr("Vector kernels whose type begins with Cast, TransData or Transpose.");
        return OverallPanel::tr("Cube: mac metrics above 0; without metrics by the accelerator core.");
    case OverallKind::Communication:
        return OverallPanel::tr("U(M \\ C): time in which collectives run and no kernel does. Where several run, a "
                                "moment belongs to the one that began first.");
    case OverallKind::Group: return OverallPanel::tr("Exposed communication of this group's collectives.");
    case OverallKind::Wait:
        return OverallPanel::tr("The part of it in Notify_Wait on each collective's main plane, the lowest on which it "
                                "waits; with RDMA that holds the handshakes of transfers, too.");
    case OverallKind::Transit: return OverallPanel::tr("The rest of the group's exposed time.");
    case OverallKind::Free:
        return OverallPanel::tr("Between the first and the last kernel or collective, neither runs.");
    }
    return {};
}

}  // namespace altiscope
