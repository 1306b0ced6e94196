#include "views/overview/page/titled_part.h"

#include "views/common/support/text_font.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QVBoxLayout>

namespace altiscope {

void layOutTitled(QWidget& part, QLabel& title, QWidget* beside, QWidget& content) {
    auto* column = new QVBoxLayout(&part);
    column->setContentsMargins({});
    column->setSpacing(0);
    auto* row = new QHBoxLayout;
    row->setContentsMargins(8, 4, 8, 4);
    followTextSize(title, 1.2);
    title.setBuddy(&content);
    row->addWidget(&title, 1);
    if (beside != nullptr) row->addWidget(beside);
    column->addLayout(row);
    column->addWidget(&content, 1);
}

}  // namespace altiscope
