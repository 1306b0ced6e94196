#pragma once

#include <string_view>

namespace altiscope {

/// The part of a slice's name that tells it from its neighbours, for where the whole name has no room:
/// - "allReduce" of the collective "hcom_allReduce__586_0_1" (core/import/communication/FORMAT.md section 1);
/// - "MmBackward0" of "autograd::engine::evaluate_function: MmBackward0", "forward" of "model.py(41): forward";
/// - "mm" of "aten::mm";
/// - "MatMul-op3" of MindSpore's "Default/net/MatMul-op3" (core/import/mindspore/FORMAT.md section 3);
/// - "MatMulV2" of the kernel "aclnnMatmul_MatMulCommon_MatMulV2": behind the call and its step stands the operator.
/// Other names stay whole.
/// @return A part of the name, never empty unless the name is. O(length).
std::string_view shortName(std::string_view name);

}  // namespace altiscope
