import Heavylift
import HeavyliftMapping
import HeavyliftModel
import HeavyliftXML

extension HistoryCheck {
  mutating func reportRemoved(_ removed: RemovedMapping) {
    let (source, destination) = (version(.source, of: removed.mapping), version(.destination, of: removed.mapping))
    guard let source, isReleased(source),
      let model = sources.first(where: { $0.versions.contains { $0.name == source } }),
      destination.map({ name in sources.contains { $0.versions.contains { $0.name == name } } }) ?? true
    else { return }
    // A file that was moved or changed may replace it, or files may lead over other versions.
    let isReplaced = mappings.contains { mapping in
      version(.source, of: mapping) == source
        && baseline.isChanged(CheckedPlaces.absolute(mapping.path, io.directory))
    }
    guard !isReplaced, !isBypassed(from: source, to: destination, in: model) else { return }
    report(
      .error, code: "history.removed-mapping",
      "the mapping '\(removed.mapping.path)' of '\(removed.release)', which leads from '\(source)' to "
        + "\((destination ?? "any version").quotedName), was removed: stores of '\(source)' would be migrated without it",
      "restore it, or accept this if no app has stores of '\(source)'", about: removed.mapping.path)
  }

  /// True if files lead from one version over others to another one, or past it.
  private func isBypassed(from source: String, to destination: String?, in model: ModelSource) -> Bool {
    let names = model.versions.map(\.name)
    guard let start = model.versions.first(where: { $0.name == source }),
      let end = model.versions.first(where: { $0.name == model.currentVersionName }) ?? model.versions.last,
      let manager = try? HopReview.manager(model.versions, of: model.path, mappings, io.code),
      let hops = try? manager.hops(from: start.model, to: end.model), hops.first?.destinationModel.name != destination
    else { return false }
    let place = destination.flatMap(names.firstIndex(of:)) ?? names.firstIndex(of: source).map { $0 + 1 } ?? 0
    let replaced = hops.prefix { hop in hop.sourceModel.name.flatMap(names.firstIndex(of:)).map { $0 < place } ?? false
    }
    return !replaced.isEmpty && replaced.allSatisfy { $0.origin != .inferred }
  }

  private func isReleased(_ version: String) -> Bool {
    let model = sources.lazy.flatMap(\.versions).first { $0.name == version }?.model
    return baseline.models.contains { released in
      released.versions.contains { $0.name == version || model?.isSameVersion(as: $0.model) == true }
    }
  }

  /// The name of the version that a mapping is for. Xcode's file may have an old name for the model that it contains, and the
  /// version may have been renamed since the mapping was removed.
  private func version(_ side: MappingSide, of mapping: MappingSource) -> String? {
    let (model, named) =
      side == .source
      ? (mapping.embeddedModels.source, mapping.mappingModel.source.name)
      : (mapping.embeddedModels.destination, mapping.mappingModel.destination.name)
    let versions = sources.flatMap(\.versions)
    if let model, let version = versions.first(where: { $0.model.isSameVersion(as: model) }) { return version.name }
    guard let named, !versions.contains(where: { $0.name == named }) else { return named }
    let former = baseline.models.lazy.flatMap(\.versions).first { $0.name == named }
    return former.flatMap { former in versions.first { $0.model.isSameVersion(as: former.model) }?.name } ?? named
  }
}
