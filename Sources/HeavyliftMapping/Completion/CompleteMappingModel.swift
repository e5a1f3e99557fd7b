public import HeavyliftModel

/// A mapping model with everything that it leaves unsaid: each destination property, what it gets, and why.
///
/// ```swift
/// let complete = mapping.complete(from: music1, to: music2)
/// for mapping in complete.entityMappings {
///   for attribute in mapping.attributeMappings { print(attribute.name, attribute.valueExpression ?? "-") }
/// }
/// ```
public struct CompleteMappingModel: Hashable, Sendable {
  /// What was written.
  public let mappingModel: MappingModel
  /// What it was completed from.
  public let sourceModel: ManagedObjectModel
  /// What it was completed to.
  public let destinationModel: ManagedObjectModel
  /// In the order in which they run.
  public let entityMappings: [CompleteEntityMapping]
  /// Both models made ready for looking names up: its check and its explanation need what its completion needed.
  let indexes: ModelIndexes

  /// The first entity mapping of that name.
  public func entityMapping(named name: String) -> CompleteEntityMapping? {
    entityMappings.first { $0.name == name }
  }
}

extension MappingModel {
  /// Fills in what the mapping leaves unsaid, for two models.
  ///
  /// What the models do not have is left out; `CompleteMappingModel.check` tells it.
  public func complete(
    from source: ManagedObjectModel, to destination: ManagedObjectModel
  ) -> CompleteMappingModel {
    MappingCompletion(self, from: source, to: destination).complete()
  }
}
