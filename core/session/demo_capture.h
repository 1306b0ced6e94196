#pragma once

#include "core/base/values/error.h"
#include "core/session/session.h"

#include <QObject>

#include <filesystem>

namespace altiscope {

/// A capture for whoever has none: makes a small synthetic one (core/generate) as a visible job and opens it. What is
/// made once is kept. GUI thread.
class DemoCapture : public QObject {
    Q_OBJECT
public:
    /// @param folder  Of the demo, e.g. ~/.cache/altiscope/demo-1.0; made if it is not there. Its name states the
    ///                version of the program, so that another version makes its own. Empty: there is no place for one.
    ///                The session must outlive this.
    DemoCapture(Session& session, std::filesystem::path folder, QObject* parent = nullptr);

    /// There is a folder to make it in.
    bool possible() const { return !m_folder.empty(); }

    /// Opens the demo as soon as it is there. Does nothing while it is being made, or if it is not possible.
    void open();

signals:
    void opened(CaptureId capture);
    /// Error as generate::generateCapture. Cancelling the job is none.
    void failed(const altiscope::Error& error);

private:
    void openFolder();

    Session& m_session;
    std::filesystem::path m_folder;
    std::uint64_t m_job = 0;
};

}  // namespace altiscope
