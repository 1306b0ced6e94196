#include "core/session/demo_capture.h"

#include "core/generate/generate_capture.h"

#include <QCoreApplication>
#include <QPointer>

#include <system_error>

namespace altiscope {

namespace {

namespace fs = std::filesystem;

using Made = Result<generate::GenerateSummary>;

/// Written last, so a folder that has it is complete.
constexpr const char* kLastFile = "truth.json";

/// Large enough to look around in, small enough to wait for, and with something to find: one rank computes slower than the
/// others. The same as packaging/run.sh makes.
generate::GenerateOptions demoOptions(const fs::path& output) {
    generate::GenerateOptions options;
    options.output = output;
    options.ranks = 16;
    options.steps = 3;
    options.conditions.plants = {{generate::FaultKind::SlowRank, 11, 0, 30, {}}};
    options.words = {"--ranks", "16", "--steps", "3", "--plant", "slow-rank=11:30"};
    return options;
}

/// Writes aside and moves: whoever is interrupted, or comes second, leaves no half capture behind.
Made makeDemo(const fs::path& folder, const fs::path& aside, ProgressSlot& progress, const CancelToken& cancel) {
    std::error_code error;
    fs::remove_all(aside, error);
    Made made = generate::generateCapture(demoOptions(aside), progress, cancel);
    if (!made.ok()) return made;
    fs::remove_all(folder, error);
    fs::rename(aside, folder, error);
    if (error) {
        const Error failure{"generate.write_failed", folder.string(), {}, {{"reason", error.message()}}};
        fs::remove_all(aside, error);
        return failure;
    }
    return made;
}

}  // namespace

DemoCapture::DemoCapture(Session& session, std::filesystem::path folder, QObject* parent)
    : QObject(parent), m_session(session), m_folder(std::move(folder)) {}

void DemoCapture::open() {
    if (m_job != 0 || !possible()) return;
    std::error_code error;
    if (fs::exists(m_folder / kLastFile, error)) return openFolder();
    fs::path aside = m_folder;
    aside += "." + std::to_string(QCoreApplication::applicationPid());
    m_job = m_session.jobs().start(
        QString::fromStdString(m_folder.filename().string()),
        [folder = m_folder, aside](ProgressSlot& progress, const CancelToken& cancel) {
            return std::make_shared<const Made>(makeDemo(folder, aside, progress, cancel));
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
