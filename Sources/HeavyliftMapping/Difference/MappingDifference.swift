/// The differences between two mapping models, down to the value of a property.
///
/// ```swift
/// print(MappingDifference(from: before, to: after))
/// // entity mapping 'TrackToSong': 2 changes
/// //     itself                where  none → title != nil
/// //     attribute 'duration'  value  $source.seconds → $source.seconds * 1000
/// ```
///
/// The same file can have a different effect with other models: to see that, compare the complete mappings.
package struct MappingDifference: Hashable, Sendable {
  /// The differences in the mapping model itself: its models, its pass, and the treatment of what it does not mention.
  package let changes: [MappingChange]
  /// The entity mappings that differ, in the order in which they run; removed ones come last.
  package let entityMappings: [EntityMappingDifference]

  /// Compares two mapping models as written.
  package init(from old: MappingModel, to new: MappingModel) {
    changes = MappingFact.changes(from: old.facts, to: new.facts)
    entityMappings =
      EntityMappingComparison(
        from: old.entityMappings.map(EntityMappingFacts.init), to: new.entityMappings.map(EntityMappingFacts.init)
      ).differences
  }

  /// Compares the effect of two mapping models: every property and the source of its value.
  ///
  /// - Parameters:
  ///   - old: The old mapping.
  ///   - new: The new mapping.
  ///   - comparesOrigins: True to report a difference between a value written explicitly and the same value found by
  ///     name.
  package init(from old: CompleteMappingModel, to new: CompleteMappingModel, comparesOrigins: Bool = true) {
    changes = []
    // The implicit removals of an Xcode mapping count as equal to the explicit ones of a mapping file.
    let isAlike = old.mappingModel.unmentionedEntities == new.mappingModel.unmentionedEntities
    let (old, new) = isAlike ? (old, new) : (old.withRemovals, new.withRemovals)
    entityMappings =
      EntityMappingComparison(
        from: old.entityMappings.map { EntityMappingFacts($0, comparesOrigins: comparesOrigins) },
        to: new.entityMappings.map { EntityMappingFacts($0, comparesOrigins: comparesOrigins) }
      ).differences
  }

  /// True if there are no differences. Two mapping models without differences are equal.
  package var isEmpty: Bool { changes.isEmpty && entityMappings.isEmpty }

  /// Returns the differences of the entity mapping with that name in either mapping model; nil if there are none.
  package func entityMapping(named name: String) -> EntityMappingDifference? {
    entityMappings.first { $0.newName == name } ?? entityMappings.first { $0.oldName == name }
  }
}

extension CompleteMappingModel {
  /// The mapping with a removal for each entity that it drops by not mentioning it.
  fileprivate var withRemovals: CompleteMappingModel {
    guard mappingModel.unmentionedEntities == .dropped else { return self }
    return
      writingOutRemovals
      .complete(from: sourceModel, to: destinationModel, after: earlierEntityMappings, isLast: isLast)
  }
}
