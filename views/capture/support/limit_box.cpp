#include "views/capture/support/limit_box.h"

#include <QEvent>

#include <utility>

namespace altiscope {

using namespace Qt::StringLiterals;

namespace {

const QString kLimitKey = u"capture/limit"_s;
/// As `capture fetch --limit`.
constexpr int kMaxMegabytes = 1'000'000;
constexpr std::uint64_t kBytesPerMegabyte = 1'000'000;

}  // namespace

LimitBox::LimitBox(ViewMemory memory, QWidget* parent) : QSpinBox(parent), m_memory(std::move(memory)) {
    setRange(0, kMaxMegabytes);
    setValue(m_memory.value(kLimitKey).toInt());
    connect(this, &QSpinBox::valueChanged, this, [this](int megabytes) { m_memory.setValue(kLimitKey, megabytes); });
    retranslate();
}

capture::FetchLimits LimitBox::limits() const {
    capture::FetchLimits limits;
    limits.bytesPerSecond = static_cast<std::uint64_t>(value()) * kBytesPerMegabyte;
    return limits;
}

void LimitBox::changeEvent(QEvent* event) {
    if (event->type() == QEvent::LanguageChange) retranslate();
    QSpinBox::changeEvent(event);
}

void LimitBox::retranslate() {
    setSpecialValueText(tr("at any speed"));
    setPrefix(tr("at most "));
    setSuffix(u" MB/s"_s);
    setAccessibleName(tr("Limit of fetching"));
    setToolTip(tr("How fast results are copied at most, all hosts together; 0: as fast as the network lets them"));
}

}  // namespace altiscope
