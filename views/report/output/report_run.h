#pragma once

#include "views/report/output/report_source.h"

#include <QObject>
#include <QString>

#include <cstdint>

namespace altiscope {

class Session;
struct ReportSaved;

/// Opens a capture, whatever its size, and writes its report in the language of the program, without a window. Begins
/// at once. GUI thread.
class ReportRun : public QObject {
    Q_OBJECT
public:
    /// @param file  Its ending says the format, see reportFormatOf(). The session must outlive this.
    ReportRun(Session& session, const QString& capture, QString file, QObject* parent = nullptr);

signals:
    /// Once, never from the constructor. @param problem  Empty: the file is complete.
    void finished(const QString& problem);

private:
    void follow();
    void make();
    void take(const Result<MadeReport>& made);

    Session& m_session;
    QString m_file;
    CaptureId m_capture;
    bool m_isMaking = false;
};

}  // namespace altiscope
