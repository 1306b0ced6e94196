#include "views/timeline/panels/go_to.h"

#include "core/base/values/decimal.h"
#include "core/session/workspace/capture_link.h"
#include "views/common/plots/time_axis.h"
#include "views/common/support/formatters.h"
#include "views/common/theme/theme.h"

#include <QCoreApplication>
#include <QDialog>
#include <QDialogButtonBox>
#include <QLabel>
#include <QLineEdit>
#include <QVBoxLayout>

#include <initializer_list>
#include <string>

namespace altiscope {

namespace {

using namespace Qt::StringLiterals;

struct GoToTexts {
    Q_DECLARE_TR_FUNCTIONS(altiscope::GoTo)
};

}  // namespace

std::optional<GoToTarget> readGoTo(const QString& text, TimeNs origin, DurationNs shift) {
    if (looksLikeLink(text)) return text.trimmed();
    QString written = text.trimmed().toLower();
    written.remove(u' ').remove(u',').remove(QChar(0x2009));
    if (written.startsWith(u'#')) {
        bool isNumber = false;
        const qint64 id = written.sliced(1).toLongLong(&isNumber);
        return isNumber && id >= 0 ? std::optional<GoToTarget>(SliceId{id}) : std::nullopt;
    }
    if (const auto sinceStart = parseDuration(written)) return origin + *sinceStart;
    const auto absolute = parseScaled(written.toStdString(), 1);
    return absolute && !written.contains(u'.') ? std::optional<GoToTarget>(shifted(TimeNs{*absolute}, shift))
                                               : std::nullopt;
}

std::optional<GoToTarget> promptGoTo(TimeNs origin, DurationNs shift, QWidget* parent) {
    QDialog dialog(parent);
    dialog.setWindowTitle(GoToTexts::tr("Go to"));
    auto* field = new QLineEdit(&dialog);
    auto* label = new QLabel(
        GoToTexts::tr("&Time since the start (1.25 s, 350 ms), absolute time in ns, #slice id, or a link:"), &dialog);
    label->setBuddy(field);
    auto* problem = new QLabel(&dialog);
    QPalette red = problem->palette();
    red.setColor(QPalette::WindowText, themeOf(dialog.palette()).error);
    problem->setPalette(red);
    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Ok | QDialogButtonBox::Cancel, &dialog);
    auto* column = new QVBoxLayout(&dialog);
    for (QWidget* widget : std::initializer_list<QWidget*>{label, field, problem, buttons}) column->addWidget(widget);
    std::optional<GoToTarget> target;
    QObject::connect(buttons, &QDialogButtonBox::rejected, &dialog, &QDialog::reject);
    QObject::connect(buttons, &QDialogButtonBox::accepted, &dialog, [&] {
        target = readGoTo(field->text(), origin, shift);
        if (target) return dialog.accept();
        problem->setText(GoToTexts::tr("This is neither a time nor a slice nor a link."));
    });
    return dialog.exec() == QDialog::Accepted ? target : std::nullopt;
}

}  // namespace altiscope
