#include "core/generate/model/trained_model.h"
#include "tests/core/generate/capture_reading.h"
#include "tests/support/shared_data.h"
#include "tests/support/test_main.h"

#include <set>

using namespace altiscope;
using namespace altiscope::generate;
using namespace altiscope::test;

namespace {

std::string withoutDigits(std::string text) {
    std::erase_if(text, [](char c) { return c >= '0' && c <= '9'; });
    return text;
}

/// Names of kernels without their numbers, and cores, by type.
std::map<std::string, std::set<std::string>> kernelsByType(const std::filesystem::path& file) {
    std::map<std::string, std::set<std::string>> kernels;
    for (const auto& row : readCsv(file).rows)
        kernels[row.at("Type")].insert(withoutDigits(row.at("Name")) + " " + row.at("Accelerator Core"));
    return kernels;
}

}  // namespace

/// The models that are trained, and what a residual network looks like in a capture.
class TestTrainedModel : public QObject {
    Q_OBJECT

private slots:
    void initTestCase() {
        m_made = std::make_unique<GeneratedCapture>(
            std::vector<std::string>{"--model=resnet", "--ranks=3", "--steps=2", "--layers=4"});
        QVERIFY(m_made->summary.ok());
    }
    void cleanupTestCase() { m_made.reset(); }

    /// A transformer's stages have their share of the parts; only the last one has a loss.
    void partsOfStages() {
        ModelShape shape;
        shape.pipelineParallel = 2;
        const TrainedModel first = transformerModel(shape, 0);
        const TrainedModel last = transformerModel(shape, 1);
        QVERIFY(first.isFirst && !first.isLast && !last.isFirst && last.isLast);
        QCOMPARE(first.parts.size(), std::size_t{3});
        QCOMPARE(last.parts.size(), std::size_t{3});
        QCOMPARE(last.parts.front().module, std::string("TransformerLayer_2"));
        QVERIFY(first.loss.empty() && !last.loss.empty());
        QCOMPARE(first.batch.size(), std::size_t{2});
        QCOMPARE(last.batch.size(), std::size_t{1});
    }

    void sixteenBlocksAreResNet50() {
        ModelShape shape;
        shape.kind = ModelKind::Resnet;
        shape.layers = 16;
        const TrainedModel model = trainedModel(shape, 0);
        std::uint64_t weights = 0;
        std::size_t convolutions = 0;
        for (const Tensor& tensor : model.parameters()) {
            weights += tensor.elements();
            convolutions += tensor.dims.size() == 4 ? 1 : 0;
        }
        QCOMPARE(convolutions, std::size_t{53});
        QCOMPARE(weights, std::uint64_t{25'557'032});
        QCOMPARE(model.parts.size(), std::size_t{18});
    }

    void otherDepthsHaveAllWidths() {
        ModelShape shape;
        shape.kind = ModelKind::Resnet;
        for (const std::uint32_t blocks : {1U, 3U, 4U, 50U, 256U}) {
            shape.layers = blocks;
            const TrainedModel model = resnetModel(shape);
            QCOMPARE(model.parts.size(), std::size_t{blocks} + 2);
            std::set<std::uint32_t> widths;
            for (const Tensor& tensor : model.parameters()) {
                if (tensor.dims.size() == 4 && tensor.dims[2] == 3) widths.insert(tensor.dims[0]);
            }
            QCOMPARE(widths.size(), std::size_t{std::min(blocks, 4U)});
        }
    }

    void ranksAreDataParallelOnly() {
        const Json metadata = fileJson(m_made->rank(2) / "profiler_metadata.json");
        QCOMPARE(metadata["parallel_group_info"].size(), std::size_t{1});
        QCOMPARE(metadata["parallel_group_info"].begin()->at("global_ranks").dump(), std::string("[0,1,2]"));
        QCOMPARE(metadata["distributed_args"]["data_parallel_size"].get<int>(), 3);
        std::set<std::string> types;
        for (const auto& row : readCsv(m_made->output(2) / "kernel_details.csv").rows) {
            if (row.at("Accelerator Core") == "HCCL") types.insert(row.at("Type"));
        }
        QCOMPARE(types, (std::set<std::string>{"hcom_allReduce_"}));
    }

    void kernelsOfAResidualNetwork() {
        const auto kernels = kernelsByType(m_made->output(0) / "kernel_details.csv");
        for (const char* type : {"Conv2D", "Conv2DBackpropInput", "Conv2DBackpropFilter", "BNTrainingReduce",
                                 "BNTrainingUpdate", "BNTrainingUpdateGrad", "BNTrainingReduceGrad", "Relu", "ReluGrad",
                                 "MaxPoolWithArgmaxV1", "ReduceMean", "MatMulV2", "ForeachAddList", "ForeachMulScalar"})
            QVERIFY2(kernels.count(type) == 1, type);
        const CsvTable table = readCsv(m_made->output(0) / "kernel_details.csv");
        const auto first = std::find_if(table.rows.begin(), table.rows.end(),
                                        [](const auto& row) { return row.at("Type") == "Conv2D"; });
        QCOMPARE(first->at("Input Shapes"), std::string("32,1,224,224,8;49,4,16,8"));
        QCOMPARE(first->at("Output Shapes"), std::string("32,8,112,112,8"));
        QCOMPARE(first->at("Input Data Types"), std::string("FLOAT;FLOAT"));
        QCOMPARE(first->at("Input Formats"), std::string("NC1HWC0;FRACTAL_Z"));
    }

    /// Kernels that the real convolution network has too are called as there and run on the same cores.
    void kernelsAsInARealConvolutionNetwork() {
        const auto file = sharedData("torch_text/level1/rank0_ascend_pt/ASCEND_PROFILER_OUTPUT/kernel_details.csv");
        if (!file) QSKIP(kNoSharedData);
        const auto real = kernelsByType(*file);
        std::set<std::string> others;
        std::size_t compared = 0;
        for (const auto& [type, names] : kernelsByType(m_made->output(0) / "kernel_details.csv")) {
            if (real.count(type) == 0) continue;
            ++compared;
            for (const std::string& name : names) {
                if (real.at(type).count(name) == 0) others.insert(name);
            }
        }
        QVERIFY(compared >= 15);
        // Operators that the real network does not call: sums of two branches, into the first one; the loss is the
        // transformer's.
        QCOMPARE(others,
                 (std::set<std::string>{"aclnnInplaceAdd_AddAiCore_Add AI_VECTOR_CORE",
                                        "aclnnLogSoftmaxBackward_LogSoftmaxGradAiCore_LogSoftmaxGrad AI_VECTOR_CORE"}));
    }

private:
    std::unique_ptr<GeneratedCapture> m_made;
};

ALTI_TEST(TestTrainedModel)
#include "tst_trained_model.moc"
