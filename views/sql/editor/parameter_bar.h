#pragma once

#include "views/common/support/translated.h"

#include <QHash>
#include <QScrollArea>
#include <QStringList>

#include <vector>

class QGridLayout;
class QLineEdit;

namespace altiscope {

/// A field for each parameter of a statement; nothing to see while there is none. Return in a field runs. GUI thread.
class ParameterBar : public Translated<QScrollArea> {
    Q_OBJECT
public:
    explicit ParameterBar(QWidget* parent = nullptr);

    /// Fields of names that stay keep their texts; others begin with what `values` has.
    void setNames(const QStringList& names, const QHash<QString, QString>& values);
    const QStringList& names() const { return m_names; }
    QHash<QString, QString> values() const;
    /// The field of a name; null: there is none.
    QLineEdit* field(const QString& name) const;

signals:
    void runRequested();
    void valuesChanged();

private:
    void retranslate() override;

    QStringList m_names;
    QWidget* m_fields;
    QGridLayout* m_grid;
    std::vector<QWidget*> m_parts;  ///< Label and field of each name.
};

}  // namespace altiscope
