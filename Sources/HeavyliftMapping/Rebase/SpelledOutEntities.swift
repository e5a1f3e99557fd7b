import HeavyliftModel

/// A mapping with the entity mappings that the old models imply, written out after the mapping's own.
///
/// The rebase updates them like all others, and then removes those that the new models also imply.
struct SpelledOutEntities {
  let mapping: MappingModel
  /// The number of entity mappings that the mapping itself had.
  private let writtenCount: Int

  init(_ mapping: MappingModel, source: ModelEdit, destination: ModelEdit) {
    let (oldSource, oldDestination) = (source.old ?? source.new, destination.old ?? destination.new)
    var spelledOut = mapping.writingOutRemovals(from: oldSource, to: oldDestination)
    writtenCount = mapping.entityMappings.count
    if source.old != nil, destination.old != nil {
      let pair = ModelPair(from: oldSource, to: oldDestination)
      spelledOut.entityMappings += ImpliedMappings(spelledOut, after: [], pair).mappings
    }
    let (sources, destinations) = (Survivors(source), Survivors(destination))
    // There is nothing to decide about a removed entity that no mapping mentions.
    let kept = spelledOut.entityMappings.dropFirst(writtenCount).filter {
      sources.contain($0.sourceEntityName) && destinations.contain($0.destinationEntityName)
    }
    spelledOut.entityMappings = mapping.entityMappings + kept
    self.mapping = spelledOut
  }

  /// Returns the updated mapping without the entity mappings that the new models imply.
  func condensed(
    _ rebased: MappingModel, source: ManagedObjectModel, destination: ManagedObjectModel
  ) -> MappingModel {
    let additions = rebased.entityMappings.dropFirst(writtenCount)
    let spare = additions.filter {
      $0.destinationEntityName != nil && $0.propertyMappings.isEmpty && $0.droppedProperties.isEmpty
        && $0.markup.comments.isEmpty
    }
    if spare.isEmpty { return rebased }
    var condensed = rebased
    condensed.entityMappings = rebased.entityMappings.prefix(writtenCount) + additions.filter { !spare.contains($0) }
    let implied = ImpliedMappings(condensed, after: [], ModelPair(from: source, to: destination)).mappings
    condensed.entityMappings += spare.filter { !implied.contains($0) }
    return condensed
  }
}

/// The old names of the entities that an edit of a model kept or renamed.
private struct Survivors {
  private let names: Set<String>?

  init(_ edit: ModelEdit) {
    names = edit.old.map { old in
      Set(zip(old.entities, ModelPair(from: old, to: edit.new).successors).filter { $1 != nil }.map(\.0.name))
    }
  }

  /// Returns true if the entity was kept or renamed; also for nil, and for every name if the old model is unknown.
  func contain(_ name: String?) -> Bool { name.flatMap { names?.contains($0) } ?? true }
}
