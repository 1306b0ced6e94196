#include "core/session/workspace.h"

#include "core/session/workspace/capture_identity.h"

#include <QDir>
#include <QFileInfo>
#include <QJsonDocument>

#include <algorithm>
#include <set>

namespace altiscope {

namespace {

using namespace Qt::StringLiterals;

/// Numbers of ranks, NPUs or steps.
constexpr qsizetype kMaxNumbers = 100'000;

QJsonArray numbersJson(const std::vector<std::int64_t>& numbers) {
    QJsonArray list;
    for (const std::int64_t number : numbers) list.append(qint64{number});
    return list;
}

std::vector<std::int64_t> numbersIn(const QJsonValue& value) {
    const QJsonArray list = value.toArray();
    std::set<std::int64_t> numbers;
    for (qsizetype i = 0; i < std::min(list.size(), kMaxNumbers); ++i) {
        if (list.at(i).isDouble()) numbers.insert(list.at(i).toInteger());
    }
    return {numbers.begin(), numbers.end()};
}

std::optional<TimeRange> spanIn(const QJsonValue& begin, const QJsonValue& end) {
    const qint64 from = begin.toInteger(), to = end.toInteger();
    const bool isRange = begin.isDouble() && end.isDouble() && from <= to && isTraceTime(from) && isTraceTime(to);
    return isRange ? std::optional(TimeRange{{from}, {to}}) : std::nullopt;
}

bool isDeeper(const QJsonValue& value, int levels) {
    if (!value.isObject() && !value.isArray()) return false;
    if (levels == 0) return true;
    if (value.isArray()) {
        const QJsonArray list = value.toArray();
        return std::any_of(list.begin(), list.end(), [levels](const auto& v) { return isDeeper(v, levels - 1); });
    }
    const QJsonObject object = value.toObject();
    return std::any_of(object.begin(), object.end(), [levels](const auto& v) { return isDeeper(v, levels - 1); });
}

Error tooMuch(const QString& file, const QString& what, qint64 limit) {
    return {
        "workspace.too_much", file.toStdString(), {}, {{"what", what.toStdString()}, {"limit", std::to_string(limit)}}};
}

/// nullopt if there is no such capture.
std::optional<std::size_t> captureIn(const QJsonValue& value, const Workspace& workspace) {
    const qint64 number = value.toInteger(-1);
    const bool isOne = number >= 0 && number < static_cast<qint64>(workspace.captures.size());
    return isOne ? std::optional(static_cast<std::size_t>(number)) : std::nullopt;
}

QString nameIn(const QJsonObject& saved, QLatin1StringView member) {
    return captureNameOf(saved.value(member).toString());
}

void takeNames(const QJsonObject& saved, CaptureNames& names) {
    names.alias = nameIn(saved, "alias"_L1);
    names.group = nameIn(saved, "group"_L1);
    const QJsonArray ranks = saved.value("ranks"_L1).toArray();
    for (qsizetype i = 0; i < std::min(ranks.size(), kMaxWorkspaceAliases); ++i) {
        const QJsonObject one = ranks.at(i).toObject();
        const QString rank = one.value("rank"_L1).toString(), alias = nameIn(one, "alias"_L1);
        if (!rank.isEmpty() && !alias.isEmpty()) names.rankAliases[rank.toStdString()] = alias.toStdString();
    }
}

void addNames(QJsonObject& saved, const CaptureNames& names) {
    if (!names.alias.isEmpty()) saved.insert("alias"_L1, names.alias);
    if (!names.group.isEmpty()) saved.insert("group"_L1, names.group);
    QJsonArray ranks;
    for (const auto& [rank, alias] : names.rankAliases)
        ranks.append(
            QJsonObject{{u"rank"_s, QString::fromStdString(rank)}, {u"alias"_s, QString::fromStdString(alias)}});
    if (!ranks.isEmpty()) saved.insert("ranks"_L1, ranks);
}

Result<WorkspaceCapture> captureOf(const QJsonObject& saved, const QString& file) {
    const QString path = saved.value("path"_L1).toString();
    if (path.size() > kMaxWorkspacePath) return tooMuch(file, u"path"_s, kMaxWorkspacePath);
    if (path.isEmpty() || path.contains(QChar::Null)) return Error{"workspace.foreign", file.toStdString(), {}, {}};
    WorkspaceCapture capture{QDir::cleanPath(QFileInfo(file).absoluteDir().absoluteFilePath(path)),
                             saved.value("identity"_L1).toString().toStdString(),
                             marksFromJson(saved.value("marks"_L1).toArray())};
    if (!isCaptureIdentity(capture.identity)) capture.identity.clear();
    takeNames(saved, capture.names);
    return capture;
}

void takeSelection(const QJsonObject& saved, Workspace& workspace) {
    workspace.selectedIn = captureIn(saved.value("capture"_L1), workspace);
    if (!workspace.selectedIn) return;
    if (const QJsonValue slice = saved.value("slice"_L1); slice.isDouble())
        workspace.slice = SliceId{slice.toInteger()};
    const QJsonArray range = saved.value("range"_L1).toArray();
    if (range.size() == 2) workspace.range = spanIn(range.at(0), range.at(1));
}

void takeContext(const QJsonObject& saved, Workspace& workspace) {
    workspace.ranks = numbersIn(saved.value("ranks"_L1));
    workspace.devices = numbersIn(saved.value("devices"_L1));
    workspace.steps = numbersIn(saved.value("steps"_L1));
    const QJsonObject range = saved.value("range"_L1).toObject();
    const auto capture = captureIn(range.value("capture"_L1), workspace);
    const auto shown = spanIn(range.value("begin"_L1), range.value("end"_L1));
    if (capture && shown) workspace.shownRange = {*capture, *shown};
}

QJsonObject contextJson(const Workspace& workspace) {
    QJsonObject context;
    const std::pair<QString, const std::vector<std::int64_t>*> lists[] = {
        {u"ranks"_s, &workspace.ranks}, {u"devices"_s, &workspace.devices}, {u"steps"_s, &workspace.steps}};
    for (const auto& [name, numbers] : lists) {
        if (!numbers->empty()) context.insert(name, numbersJson(*numbers));
    }
    if (workspace.shownRange) {
        const WorkspaceRange& shown = *workspace.shownRange;
        context.insert("range"_L1, QJsonObject{{u"capture"_s, static_cast<qint64>(shown.capture)},
                                               {u"begin"_s, qint64{shown.range.begin.value}},
                                               {u"end"_s, qint64{shown.range.end.value}}});
    }
    return context;
}

}  // namespace

QByteArray workspaceText(const Workspace& workspace, const QString& folder) {
    const QDir from(folder);
    QJsonArray captures;
    for (const WorkspaceCapture& capture : workspace.captures) {
        QJsonObject one{{u"path"_s, from.relativeFilePath(capture.path)},
                        {u"identity"_s, QString::fromStdString(capture.identity)}};
        if (!capture.marks.empty()) one.insert("marks"_L1, marksJson(capture.marks));
        addNames(one, capture.names);
        captures.append(one);
    }
    QJsonObject all{{u"schema"_s, kWorkspaceSchema},
                    {u"captures"_s, captures},
                    {u"current"_s, static_cast<qint64>(workspace.current)},
                    {u"page"_s, workspace.page}};
    if (workspace.selectedIn) {
        QJsonObject selection{{u"capture"_s, static_cast<qint64>(*workspace.selectedIn)}};
        if (workspace.slice) selection.insert("slice"_L1, qint64{workspace.slice->value});
        if (workspace.range)
            selection.insert("range"_L1,
                             QJsonArray{qint64{workspace.range->begin.value}, qint64{workspace.range->end.value}});
        all.insert("selection"_L1, selection);
    }
    if (const QJsonObject context = contextJson(workspace); !context.isEmpty()) all.insert("context"_L1, context);
    all.insert("window"_L1, workspace.window);
    all.insert("pages"_L1, workspace.pages);
    return QJsonDocument(all).toJson();
}

Result<Workspace> workspaceFromText(const QByteArray& text, const QString& file) {
    if (static_cast<std::uint64_t>(text.size()) > kMaxWorkspaceBytes)
        return tooMuch(file, u"bytes"_s, static_cast<qint64>(kMaxWorkspaceBytes));
    QJsonParseError problem{};
    const QJsonDocument document = QJsonDocument::fromJson(text, &problem);
    if (problem.error != QJsonParseError::NoError)
        return Error{"workspace.damaged",
                     file.toStdString(),
                     "byte " + std::to_string(problem.offset),
                     {{"reason", problem.errorString().toStdString()}}};
    const QJsonObject all = document.object();
    const QJsonValue schema = all.value("schema"_L1), list = all.value("captures"_L1);
    if (!schema.isDouble() || !list.isArray()) return Error{"workspace.foreign", file.toStdString(), {}, {}};
    if (schema.toInteger() != kWorkspaceSchema)
        return Error{"workspace.newer",
                     file.toStdString(),
                     {},
                     {{"schema", std::to_string(schema.toInteger())}, {"known", std::to_string(kWorkspaceSchema)}}};
    if (isDeeper(all, kMaxWorkspaceDepth)) return tooMuch(file, u"depth"_s, kMaxWorkspaceDepth);
    const QJsonArray captures = list.toArray();
    if (captures.size() > kMaxWorkspaceCaptures) return tooMuch(file, u"captures"_s, kMaxWorkspaceCaptures);
    Workspace workspace;
    for (const QJsonValue& one : captures) {
        auto capture = captureOf(one.toObject(), file);
        if (!capture.ok()) return capture.as<Workspace>();
        workspace.captures.push_back(std::move(capture).value());
    }
    workspace.current = captureIn(all.value("current"_L1), workspace).value_or(0);
    workspace.page = all.value("page"_L1).toString();
    takeSelection(all.value("selection"_L1).toObject(), workspace);
    takeContext(all.value("context"_L1).toObject(), workspace);
    workspace.window = all.value("window"_L1).toObject();
    workspace.pages = all.value("pages"_L1).toObject();
    return workspace;
}

}  // namespace altiscope
