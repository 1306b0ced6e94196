#include "core/session/demo_capture.h"

#include "core/generate/generate_capture.h"
#include "core/store/cache/scratch_folder.h"

#include <QPointer>

#include <system_error>

namespace altiscope {

namespace {

namespace fs = std::filesystem;

using Made = Result<generate::GenerateSummary>;

/// Written last, so a folder that has it is complete.
constexpr const char* kLastFile = "truth.json";

/// Large enough to look around in, small enough to wait for, and with something to find: one rank computes slower than
/// the others. The same as packaging/run.sh makes.
generate::GenerateOptions demoOptions(const fs::path& output) {
    generate::GenerateOptions options;
    options.output = output;
    options.ranks = 16;
    options.steps = 3;
    options.conditions.plants = {{generate::FaultKind::SlowRank, 11, 0, 30, {}}};
    options.words = {"--ranks", "16", "--steps", "3", "--plant", "slow-rank=11:30"};
    return options;
}

/// Writes aside and moves: whoever is interrupted, or comes second, leaves no half capture behind. What has the demo's
/// name and is none is somebody else's, and stays.
Made makeDemo(const fs::path& folder, ProgressSlot& progress, const CancelToken& cancel) {
    std::error_code error;
    const auto failure = [&] {
        return Error{"generate.write_failed", folder.string(), {}, {{"reason", error.message()}}};
    };
    const auto scratch = ScratchFolder::make(folder.parent_path(), cancel, error);
    if (!scratch) return failure();
    const fs::path aside = scratch->path() / "demo";
    Made made = generate::generateCapture(demoOptions(aside), progress, cancel);
    if (!made.ok()) return made;
    // A folder takes the place of an empty one only.
    fs::rename(aside, folder, error);
    std::error_code unknown;
    if (error && !fs::exists(folder / kLastFile, unknown)) return failure();
    return made;
}

}  // namespace

DemoCapture::DemoCapture(Session& session, std::filesystem::path folder, QObject* parent)
    : QObject(parent), m_session(session), m_folder(std::move(folder)) {}

void DemoCapture::open() {
    if (m_job != 0 || !possible()) return;
    std::error_code error;
    if (fs::exists(m_folder / kLastFile, error)) return openFolder();
    m_job = m_session.jobs().start(
        QString::fromStdString(m_folder.filename().string()),
        [folder = m_folder](ProgressSlot& progress, const CancelToken& cancel) {
            return std::make_shared<const Made>(makeDemo(folder, progress, cancel));
        },
        [self = QPointer(this)](const std::shared_ptr<const void>& result) {
            if (self.isNull()) return;
            self->m_job = 0;
            if (result == nullptr) {
                emit self->failed(Error{"capture.out_of_memory", self->m_folder.string(), {}, {}});
                return;
            }
            const Made& made = *std::static_pointer_cast<const Made>(result);
            if (made.ok()) self->openFolder();
            if (made.failed()) emit self->failed(made.error());
        });
}

void DemoCapture::openFolder() { emit opened(m_session.open(QString::fromStdU16String(m_folder.u16string()))); }

}  // namespace altiscope
