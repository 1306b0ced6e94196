#include "app/cli/commands.h"
#include "app/cli/output.h"
#include "app/cli/progress_line.h"
#include "core/base/text/catalogue.h"
#include "core/base/text/printable_text.h"
#include "core/base/text/text.h"
#include "core/base/threads/parallel.h"
#include "core/base/threads/progress.h"
#include "core/generate/generate_capture.h"
#include "core/session/files/write_guard.h"

#include <optional>

namespace altiscope::cli {

namespace {

std::string summaryJson(const std::string& path, const generate::GenerateSummary& summary) {
    return "{\"path\":" + jsonQuoted(path) + ",\"ranks\":" + std::to_string(summary.ranks) +
           ",\"steps\":" + std::to_string(summary.steps) + ",\"layers\":" + std::to_string(summary.layers) +
           ",\"bytes\":" + std::to_string(summary.bytes) + "}\n";
}

std::string summaryText(const std::string& path, const generate::GenerateSummary& summary) {
    return printableText(path) + ": ranks " + std::to_string(summary.ranks) + ", steps " +
           std::to_string(summary.steps) + ", layers " + std::to_string(summary.layers) + ", " +
           megabytesText(summary.bytes) + "\n";
}

}  // namespace

std::string_view generateHelp() {
    return "usage: altiscope-cli generate OUT [--format text|db|cluster|mindspore|snapshot|raw]\n"
           "       [--model transformer|resnet] [--ranks N] [--steps N] [--layers N] [--size BYTES] [--seed N] [...]\n"
           "\n"
           "Makes a synthetic capture of a model in training: OUT/rankR_ascend_pt/... for every rank, and\n"
           "OUT/truth.json with what was written. OUT must not exist, or be an empty folder. The same options give "
           "the\n"
           "same bytes.\n"
           "  --format F      text: text export of torch_npu (the default); db: its databases; cluster: text output "
           "of\n"
           "                  a cluster analysis; mindspore: text export of MindSpore; snapshot: memory snapshots;\n"
           "                  raw: records that nobody has analysed. Can be given several times: twins of one run\n"
           "  --model M       transformer (the default); resnet: a residual network, data parallel\n"
           "  --ranks N       ranks of the run (2)\n"
           "  --steps N       profiled steps (2)\n"
           "  --layers N      layers of the model (4); of a resnet its blocks (16, which is ResNet-50)\n"
           "  --micro-batches N   of a step (1): in the two stages of a pipeline (16 ranks and more) several of them "
           "are at\n"
           "                  work at once (1F1B), and truth.json says how long each rank waits for the other stage\n"
           "  --size BYTES    bytes of one rank, approximately; also 500k, 20M, 1G. Chooses what --steps and --layers\n"
           "                  leave open\n"
           "  --seed N        another run of the same kind (1)\n"
           "  --distinct-names N  as many different names of slices in each timeline\n"
           "  --late-metadata     names of processes and threads are at the end of the timeline\n"
           "  --clock-offset-us A, --clock-drift-ppm A\n"
           "                      clocks of ranks are off, and drift, by up to A (0)\n"
           "  --uneven-warmup     ranks began to number their collectives at different steps\n"
           "  --plant FAULT       a cause of slowness, which truth.json lists; can be given several times:\n"
           "                      slow-rank=R[:PERCENT] (20), slow-link=A-B[:FACTOR] (4), leak=BYTES_PER_STEP,\n"
           "                      host-bound[=US_PER_LAUNCH] (1000), ai-cpu=NAME, small-packets,\n"
           "                      frequency-drop=PERCENT, gc-pause=MS, no-overlap, fragmentation[=BYTES] (4G of the\n"
           "                      reserve in which nothing fits), oom[=BYTES] (8G requested at the end that are not\n"
           "                      there; in snapshots alone). A slow link must be one that is used: ranks of one host\n"
           "                      in a group, their like on the next host, neighbours in the pipeline.\n"
           "                      fail-slow=R:FROM-[TO]:CAUSE[:AMOUNT]: rank R is slower from step FROM to TO (the\n"
           "                      first is 5; without TO to the end): clock:PERCENT (30), link:FACTOR (4),\n"
           "                      neighbour:PERCENT (20; all its kernels), host:US_PER_LAUNCH (1000)\n";
}

int runGenerate(std::span<const std::string> arguments, CommandContext& context) {
    const auto options = generate::parseGenerateOptions(arguments);
    if (!options.ok()) return reportWrongUsage("generate", errorText(options.error(), "en"));
    const std::string path = options.value().output.string();
    if (liesInProfilerFolder(path)) return reportError({"generate.inside_capture", path, {}, {}});

    WorkerArena arena(context.options.jobs);
    ProgressSlot progress;
    std::optional<Result<generate::GenerateSummary>> made;
    {
        const ProgressLine line(progress, context,
                                [](const ProgressValue& value) { return megabytesText(value.done); });
        arena.run([&] { made = generate::generateCapture(options.value(), progress, context.cancel); });
    }
    if (made->cancelled()) return kCancelled;
    if (made->failed() && generate::isWrongUsage(made->error())) {
        return reportWrongUsage("generate", errorText(made->error(), "en"));
    }
    if (made->failed()) return reportError(made->error());
    context.out.write(context.options.json ? summaryJson(path, made->value()) : summaryText(path, made->value()));
    return kOk;
}

}  // namespace altiscope::cli
