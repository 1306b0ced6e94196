#pragma once

#include <QJsonObject>

class QWidget;

namespace altiscope {

/// Settings of the user in the tables and tabs of a page: {"tables":{NAME:{"filter","chips":[]}},"view":{"tabs":[N],
/// "sorts":{NAME:[[COLUMN,DESCENDING]]}}}. Tables without a filter or an order are not in it.
QJsonObject stateOfTables(const QWidget& page);
/// Filters of tables that the state does not name are taken back; their orders stay. Tabs are chosen if there are as
/// many.
void restoreTables(const QWidget& page, const QJsonObject& state);

}  // namespace altiscope
