/// What differs between two mapping models, down to the value of a property.
///
/// ```swift
/// print(MappingDifference(from: before, to: after))
/// // entity mapping 'TrackToSong': 2 changes
/// //     itself                where  none → title != nil
/// //     attribute 'duration'  value  $source.seconds → $source.seconds * 1000
/// ```
///
/// The same file can mean something else between other models: to see that, compare the complete mappings.
public struct MappingDifference: Hashable, Sendable {
  /// What differs about the mapping model itself: the models it is for, and what happens to properties that it does not
  /// mention.
  public let changes: [MappingChange]
  /// The entity mappings that differ, in the order in which they run; those that were removed come last.
  public let entityMappings: [EntityMappingDifference]

  /// Compares what two mapping models say.
  public init(from old: MappingModel, to new: MappingModel) {
    changes = MappingFact.changes(from: old.facts, to: new.facts)
    entityMappings =
      EntityMappingComparison(
        from: old.entityMappings.map(EntityMappingFacts.init), to: new.entityMappings.map(EntityMappingFacts.init)
      ).differences
  }

  /// Compares what two mapping models mean between their models: every property, and where its value comes from.
  ///
  /// - Parameters:
  ///   - old: what is compared from.
  ///   - new: what is compared to.
  ///   - comparesOrigins: whether it differs that a value was written down here and is found by its name there.
  public init(from old: CompleteMappingModel, to new: CompleteMappingModel, comparesOrigins: Bool = true) {
    changes = []
    // Removals that an Xcode mapping leaves unsaid are the same as those that a mapping file writes out.
    let isAlike = old.mappingModel.unmentionedEntities == new.mappingModel.unmentionedEntities
    let (old, new) = isAlike ? (old, new) : (old.withRemovals, new.withRemovals)
    entityMappings =
      EntityMappingComparison(
        from: old.entityMappings.map { EntityMappingFacts($0, comparesOrigins: comparesOrigins) },
        to: new.entityMappings.map { EntityMappingFacts($0, comparesOrigins: comparesOrigins) }
      ).differences
  }

  /// Whether nothing differs. Two mapping models without a difference are equal.
  public var isEmpty: Bool { changes.isEmpty && entityMappings.isEmpty }

  /// What became of the entity mapping of that name, in either mapping model; nil if nothing did.
  public func entityMapping(named name: String) -> EntityMappingDifference? {
    entityMappings.first { $0.newName == name } ?? entityMappings.first { $0.oldName == name }
  }
}

extension CompleteMappingModel {
  /// The mapping with a removal for each entity that it drops without mentioning it.
  fileprivate var withRemovals: CompleteMappingModel {
    guard mappingModel.unmentionedEntities == .dropped else { return self }
    return
      writingOutRemovals
      .complete(from: sourceModel, to: destinationModel, after: earlierEntityMappings, isLast: isLast)
  }
}
