#include "core/generate/model/batch_loading.h"

#include <utility>

namespace altiscope::generate {

namespace {

/// One tensor from host to device. @return Its block.
std::uint32_t toDevice(ProgramBuilder& builder, const BatchTensor& item) {
    const Tensor& tensor = item.tensor;
    builder.enter(item.frame);
    builder.enter("<built-in method to of Tensor object at 0x");
    builder.openOp("aten::to", argumentsOf({tensor}, "Scalar;\r\nScalar;\r\nScalar;\r\nScalar;\r\nNone"), 40'000);
    builder.openOp("aten::_to_copy", argumentsOf({tensor}, "Scalar;\r\nScalar;\r\nScalar;\r\nScalar;\r\nNone"), 40'000);
    builder.openOp("aten::empty_strided",
                   argumentsOf({}, "ScalarList;\r\nScalarList;\r\nScalar;\r\nScalar;\r\nScalar;\r\nScalar"), 30'000);
    const std::uint32_t block = builder.allocate("aten::empty_strided", tensor.bytes());
    builder.closeOp();
    builder.openOp("aten::copy_", argumentsOf({tensor, tensor}, "Scalar"), 60'000);
    LaunchSpec copy{builder.text("Dequeue@acl_memcpy_host_to_device"),
                    builder.text("aclrtMemcpyAsync"),
                    kNoText,
                    ApiMode::Rts,
                    {},
                    {}};
    for (std::uint32_t i = 0; i < item.copies; ++i) {
        copy.tasks.push_back({TaskKind::HostCopy, StreamRole::Compute, 0, 0, tensor.bytes() / item.copies, 4'000});
    }
    builder.launch("acl_memcpy_host_to_device", std::move(copy));
    builder.closeOp();
    builder.closeOp();
    builder.closeOp();
    builder.leave();
    builder.leave();
    return block;
}

}  // namespace

void loadBatch(ProgramBuilder& builder, const std::vector<BatchTensor>& batch, std::vector<std::uint32_t>& blocks) {
    builder.enter("torch/utils/data/dataloader.py(625): __next__");
    builder.openScope("enumerate(DataLoader)#_MultiProcessingDataLoaderIter.__next__");
    builder.enter("torch/utils/data/dataloader.py(1298): _next_data");
    builder.leaf("<built-in function len>", 250);
    builder.enter("torch/utils/data/dataloader.py(1265): _get_data");
    builder.enter("torch/utils/data/dataloader.py(1119): _try_get_data");
    builder.enter("multiprocessing/queues.py(98): get");
    builder.leaf("<built-in function monotonic>", 500);
    builder.leaf("<built-in method acquire of _multiprocessing.SemLock object at 0x", 2'000);
    builder.enter("multiprocessing/connection.py(253): poll");
    builder.enter("multiprocessing/connection.py(423): _poll");
    builder.enter("selectors.py(403): select");
    builder.leaf("<built-in method poll of select.poll object at 0x", 300'000);
    builder.leave();
    builder.leave();
    builder.leave();
    builder.enter("multiprocessing/connection.py(208): recv_bytes");
    builder.enter("multiprocessing/connection.py(374): _recv");
    builder.leaf("<built-in function read>", 7'000);
    builder.leaf("<built-in method write of _io.BytesIO object at 0x", 400);
    builder.leave();
    builder.leaf("<built-in method getvalue of _io.BytesIO object at 0x", 250);
    builder.leave();
    builder.leaf("<built-in method release of _multiprocessing.SemLock object at 0x", 800);
    builder.enter("<built-in function loads>");
    builder.enter("torch/multiprocessing/reductions.py(354): rebuild_storage_fd");
    builder.leaf("<built-in method detach of socket.socket object at 0x", 90'000);
    builder.leave();
    builder.op("aten::empty", argumentsOf({}, "ScalarList;\r\nScalar;\r\nScalar;\r\nNone;\r\nScalar;\r\nNone"), 90'000);
    builder.leave();
    for (int i = 0; i < 4; ++i) builder.leave();
    builder.closeScope();
    builder.leave();
    for (const BatchTensor& item : batch) blocks.push_back(toDevice(builder, item));
}

}  // namespace altiscope::generate
