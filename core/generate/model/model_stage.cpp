#include "core/generate/model/model_stage.h"

#include <array>

namespace altiscope::generate {

namespace {

struct ElementNames {
    std::string_view framework;  ///< In arguments of operators.
    std::string_view kernel;     ///< In kernel_details.csv.
    std::uint32_t bytes;
};

const ElementNames& namesOf(ElementType type) {
    static constexpr std::array<ElementNames, 6> kNames{{{"c10::BFloat16", "DT_BF16", 2},
                                                         {"float", "FLOAT", 4},
                                                         {"long int", "INT64", 8},
                                                         {"unsigned char", "UINT8", 1},
                                                         {"bool", "BOOL", 1},
                                                         {"unsigned short", "UINT16", 2}}};
    return kNames[static_cast<std::size_t>(type)];
}

std::string_view nameOf(TensorFormat format) {
    static constexpr std::array<std::string_view, 4> kNames{"FORMAT_ND", "NCHW", "NC1HWC0", "FRACTAL_Z"};
    return kNames[static_cast<std::size_t>(format)];
}

std::string dimsText(const Tensor& tensor) {
    std::string text;
    for (const std::uint32_t dim : tensor.dims) {
        if (!text.empty()) text += ',';
        text += std::to_string(dim);
    }
    return text;
}

enum class KernelColumn : std::uint8_t { Shapes, Types, Formats };

std::string kernelColumn(const std::vector<Tensor>& tensors, KernelColumn column) {
    if (tensors.empty()) return "N/A";
    std::string text;
    for (const Tensor& tensor : tensors) {
        if (&tensor != &tensors.front()) text += ';';
        switch (column) {
        case KernelColumn::Shapes: text += dimsText(tensor); break;
        case KernelColumn::Types: text += namesOf(tensor.type).kernel; break;
        case KernelColumn::Formats: text += nameOf(tensor.format); break;
        }
    }
    return text;
}

KernelSpec kernelSpecOf(ProgramBuilder& builder, const std::string& name, const KernelDraft& draft) {
    KernelSpec spec;
    spec.name = builder.text(name);
    spec.type = builder.text(draft.type);
    spec.core = draft.core;
    const bool cube = draft.core == CoreKind::Cube || draft.core == CoreKind::MixCube;
    spec.blockDim = draft.core == CoreKind::Random ? 0 : cube ? 20 : 40;
    spec.inputShapes = builder.text(kernelColumn(draft.inputs, KernelColumn::Shapes));
    spec.inputTypes = builder.text(kernelColumn(draft.inputs, KernelColumn::Types));
    spec.inputFormats = builder.text(kernelColumn(draft.inputs, KernelColumn::Formats));
    spec.outputShapes = builder.text(kernelColumn(draft.outputs, KernelColumn::Shapes));
    spec.outputTypes = builder.text(kernelColumn(draft.outputs, KernelColumn::Types));
    spec.outputFormats = builder.text(kernelColumn(draft.outputs, KernelColumn::Formats));
    return spec;
}

}  // namespace

std::uint64_t Tensor::elements() const {
    std::uint64_t count = 1;
    for (const std::uint32_t dim : dims) count *= dim;
    return count;
}

std::uint64_t Tensor::bytes() const { return elements() * namesOf(type).bytes; }

OpArguments argumentsOf(const std::vector<Tensor>& tensors, std::string_view scalars) {
    OpArguments arguments;
    for (const Tensor& tensor : tensors) {
        if (!arguments.types.empty()) {
            arguments.dims += ";\r\n";
            arguments.types += ";\r\n";
        }
        arguments.dims += dimsText(tensor);
        arguments.types += namesOf(tensor.type).framework;
    }
    if (scalars.empty()) return arguments;
    if (!arguments.types.empty()) {
        arguments.types += ";\r\n";
        arguments.dims += ";\r\n";
    }
    arguments.types += scalars;
    // Arguments that are no tensors have no shape: an empty part each.
    for (std::size_t at = scalars.find(";\r\n"); at != std::string_view::npos; at = scalars.find(";\r\n", at + 1)) {
        arguments.dims += ";\r\n";
    }
    return arguments;
}

KernelDraft elementwise(std::string infix, std::string type, std::vector<Tensor> inputs, std::vector<Tensor> outputs) {
    std::uint64_t bytes = 0;
    for (const Tensor& tensor : inputs) bytes += tensor.bytes();
    for (const Tensor& tensor : outputs) bytes += tensor.bytes();
    constexpr std::uint64_t kBytesPerNs = 1100;
    return {std::move(infix),  std::move(type),    CoreKind::Vector,
            std::move(inputs), std::move(outputs), static_cast<std::int64_t>(bytes / kBytesPerNs) + 1'500};
}

LaunchSpec launchOf(ProgramBuilder& builder, const Call& call) {
    LaunchSpec spec;
    spec.dequeue = builder.text("Dequeue@" + call.api);
    spec.api = builder.text(call.compiled ? std::string("aclopCompileAndExecute") : call.api);
    spec.mode = call.compiled ? ApiMode::Op : ApiMode::Nn;
    for (const KernelDraft& draft : call.kernels) {
        // Compiled operators carry the node name of their graph, the others how they were called.
        const std::string name = call.compiled ? draft.infix : call.api + "_" + draft.infix + "_" + draft.type;
        const std::uint32_t kernel = builder.addKernel(kernelSpecOf(builder, name, draft));
        const StreamRole stream = draft.core == CoreKind::Random ? StreamRole::Random : StreamRole::Compute;
        spec.tasks.push_back({TaskKind::Kernel, stream, kernel, 0, 0, draft.typicalNs});
        if (call.compiled) {
            const std::uint64_t bytes = draft.outputs.empty() ? 65'536 : draft.outputs.front().bytes();
            spec.workspaces.push_back(builder.addGraphTensor("cann::" + name, bytes));
        }
        if (call.tiling) spec.tiling = builder.text(draft.type + "_Tiling");
    }
    return spec;
}

}  // namespace altiscope::generate
