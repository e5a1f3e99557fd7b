import HeavyliftModel

/// A mapping with the entity mappings that it left unsaid for the models as they were, written out behind its own.
///
/// They are carried over like all others. Those that the models of today imply again are left unsaid again.
struct SpelledOutEntities {
  let mapping: MappingModel
  /// How many entity mappings the mapping had itself.
  private let writtenCount: Int

  init(_ mapping: MappingModel, source: ModelEdit, destination: ModelEdit) {
    let (oldSource, oldDestination) = (source.old ?? source.new, destination.old ?? destination.new)
    var spelledOut = mapping.writingOutRemovals(from: oldSource, to: oldDestination)
    writtenCount = mapping.entityMappings.count
    if source.old != nil, destination.old != nil {
      let (olds, news) = (ModelIndex(oldSource), ModelIndex(oldDestination))
      spelledOut.entityMappings +=
        ImpliedMappings(spelledOut, after: [], source: olds, destination: news).mappings
    }
    let (sources, destinations) = (Survivors(source), Survivors(destination))
    // Nothing is left to decide about an entity that no mapping mentions and that is gone.
    let kept = spelledOut.entityMappings.dropFirst(writtenCount).filter {
      sources.contain($0.sourceEntityName) && destinations.contain($0.destinationEntityName)
    }
    spelledOut.entityMappings = mapping.entityMappings + kept
    self.mapping = spelledOut
  }

  /// The mapping that was carried over, without what the models of today imply.
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
    let implied = ImpliedMappings(
      condensed, after: [], source: ModelIndex(source), destination: ModelIndex(destination)
    ).mappings
    condensed.entityMappings += spare.filter { !implied.contains($0) }
    return condensed
  }
}

/// The names of a model's entities that are still there after an edit, under whatever name.
private struct Survivors {
  private let names: Set<String>?

  init(_ edit: ModelEdit) {
    names = edit.old.map { old in
      let counterparts = EntityCounterparts(.everything, source: ModelIndex(old), destination: ModelIndex(edit.new))
      return Set(old.entities.enumerated().filter { counterparts[$0.offset] != nil }.map(\.element.name))
    }
  }

  /// True for no name, and for every name if the model as it was is not known.
  func contain(_ name: String?) -> Bool { name.flatMap { names?.contains($0) } ?? true }
}
