#include "core/generate/model/optimizer_step.h"

#include <algorithm>
#include <cstddef>
#include <span>
#include <string>

namespace altiscope::generate {

namespace {

struct ForeachOp {
    const char* op;
    const char* api;
    const char* type;
    std::uint32_t lists;  ///< Tensor lists that it reads.
    bool allocates;
};

/// One operator over all parameters; the device takes a few dozen tensors at a time.
void foreachOp(ProgramBuilder& builder, const ForeachOp& foreach, const std::vector<Tensor>& parameters) {
    constexpr std::size_t kTensorsPerKernel = 24;
    const std::string name(foreach.op);
    builder.enter("<built-in method " + name + " of type object at 0x");
    std::string scalars = "TensorList";
    for (std::uint32_t i = 1; i < foreach.lists; ++i) scalars += ";\r\nTensorList";
    builder.openOp("aten::" + name, argumentsOf({}, scalars + ";\r\nScalar"), 40'000);
    for (const Tensor& parameter : parameters)
        builder.op("aten::result_type", argumentsOf({parameter}, "Scalar"), 6'000);
    std::vector<std::uint32_t> blocks;
    Call call{{}, {}, {}, foreach.api, {}};
    for (std::size_t i = 0; i < parameters.size(); i += kTensorsPerKernel) {
        const std::vector<Tensor> part(
            parameters.begin() + static_cast<std::ptrdiff_t>(i),
            parameters.begin() + static_cast<std::ptrdiff_t>(std::min(i + kTensorsPerKernel, parameters.size())));
        std::vector<Tensor> inputs;
        for (std::uint32_t list = 0; list < foreach.lists; ++list)
            inputs.insert(inputs.end(), part.begin(), part.end());
        if (foreach.allocates) {
            for (const Tensor& tensor : part) blocks.push_back(builder.allocate("aten::" + name, tensor.bytes()));
        }
        call.kernels.push_back(elementwise(std::string(foreach.api).substr(5), foreach.type, std::move(inputs), part));
    }
    builder.launch(foreach.api, launchOf(builder, call));
    builder.closeOp();
    builder.leave();
    for (const std::uint32_t block : blocks) builder.release(block);
}

constexpr ForeachOp kAdamOps[] = {
    {"_foreach_mul_", "aclnnForeachMulScalarV2", "ForeachMulScalar", 1, false},
    {"_foreach_lerp_", "aclnnForeachLerpScalar", "ForeachLerpScalar", 2, false},
    {"_foreach_addcmul_", "aclnnForeachAddcmulScalarV2", "ForeachAddcmulScalar", 3, false},
    {"_foreach_sqrt", "aclnnForeachSqrt", "ForeachSqrt", 1, true},
    {"_foreach_add_", "aclnnForeachAddListV2", "ForeachAddList", 2, false},
    {"_foreach_addcdiv_", "aclnnForeachAddcdivScalarV2", "ForeachAddcdivScalar", 3, false}};
/// Weight decay, momentum, gradient, step.
constexpr ForeachOp kSgdOps[] = {{"_foreach_add", "aclnnForeachAddListV2", "ForeachAddList", 2, true},
                                 {"_foreach_mul_", "aclnnForeachMulScalarV2", "ForeachMulScalar", 1, false},
                                 {"_foreach_add_", "aclnnForeachAddListV2", "ForeachAddList", 2, false},
                                 {"_foreach_add_", "aclnnForeachAddListV2", "ForeachAddList", 2, false}};

/// How an optimizer appears in captures.
struct OptimizerNames {
    const char* scope;
    const char* step;
    const char* initGroup;
    const char* function;
    const char* multiTensor;
    std::span<const ForeachOp> ops;
};

constexpr OptimizerNames kAdamW{"Optimizer.step#AdamW.step",
                                "torch/optim/adamw.py(162): step",
                                "torch/optim/adamw.py(114): _init_group",
                                "torch/optim/adamw.py(292): adamw",
                                "torch/optim/adamw.py(462): _multi_tensor_adamw",
                                kAdamOps};
constexpr OptimizerNames kSgd{"Optimizer.step#SGD.step",
                              "torch/optim/sgd.py(63): step",
                              "torch/optim/sgd.py(44): _init_group",
                              "torch/optim/sgd.py(179): sgd",
                              "torch/optim/sgd.py(271): _multi_tensor_sgd",
                              kSgdOps};

}  // namespace

void writeOptimizerStep(ProgramBuilder& builder, Optimizer optimizer, const std::vector<Tensor>& parameters) {
    const OptimizerNames& words = optimizer == Optimizer::AdamW ? kAdamW : kSgd;
    builder.enter("torch/optim/lr_scheduler.py(68): wrapper");
    builder.enter("torch/optim/optimizer.py(361): wrapper");
    builder.openScope(words.scope);
    builder.enter("torch/optim/optimizer.py(70): _use_grad");
    builder.enter(words.step);
    builder.enter(words.initGroup);
    for (std::size_t i = 0; i < parameters.size(); ++i) {
        builder.leaf("<built-in method append of list object at 0x", 250);
        builder.leaf("torch/_tensor.py(1002): __hash__", 900);
    }
    builder.leave();
    builder.enter(words.function);
    builder.enter(words.multiTensor);
    builder.leaf("torch/optim/optimizer.py(384): _group_tensors_by_device_and_dtype", 60'000);
    for (const ForeachOp& foreach : words.ops) foreachOp(builder, foreach, parameters);
    for (int i = 0; i < 4; ++i) builder.leave();
    builder.closeScope();
    builder.leave();
    builder.leave();
}

}  // namespace altiscope::generate
