#pragma once

#include "core/base/values/ids.h"
#include "core/base/values/time.h"
#include "core/session/findings_loader.h"

#include <QTextBrowser>

#include <cstddef>
#include <cstdint>
#include <memory>

namespace altiscope {

/// One finding in full: what was found, how its gain is computed, which thresholds decided, and the evidence as links.
/// GUI thread.
class FindingDetails : public QTextBrowser {
    Q_OBJECT
public:
    explicit FindingDetails(QWidget* parent = nullptr);

    /// @param place  In found->findings.
    void show(std::shared_ptr<const CaptureFindings> found, std::size_t place);
    void showNothing(const QString& reason);

signals:
    void spotRequested(std::size_t spot);  ///< See evidenceSpots().
    void thresholdRequested(const QString& name);

protected:
    void changeEvent(QEvent* event) override;

private:
    void rebuild();
    QString evidenceText() const;
    QString thresholdsText() const;
    void follow(const QUrl& link);

    std::shared_ptr<const CaptureFindings> m_found;
    const Finding* m_finding = nullptr;  ///< One of them; null: nothing is shown.
    QString m_nothing;
};

}  // namespace altiscope
