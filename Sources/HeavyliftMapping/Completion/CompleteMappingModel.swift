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
  /// In the order in which they run: those that the mapping model has, then those that it implies.
  public let entityMappings: [CompleteEntityMapping]
  /// Those of the mapping models that run before this one into the same store, in their order: it can ask for what they have
  /// made.
  public let earlierEntityMappings: [CompleteEntityMapping]
  /// Whether no other mapping model runs after this one into the same store. Only the last one implies entity mappings, and
  /// is checked for entities that none of them takes.
  public let isLast: Bool
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
  ///
  /// - Parameters:
  ///   - source: The version that stores have.
  ///   - destination: The version that they get.
  ///   - earlier: The entity mappings of the mapping models that run before this one into the same store.
  ///   - isLast: Whether no other mapping model runs after this one into the same store.
  public func complete(
    from source: ManagedObjectModel, to destination: ManagedObjectModel, after earlier: [CompleteEntityMapping] = [],
    isLast: Bool = true
  ) -> CompleteMappingModel {
    MappingCompletion(self, from: source, to: destination, after: earlier, isLast: isLast).complete()
  }
}

extension [MappingModel] {
  /// Fills in what mapping models leave unsaid that run one after the other into the same store: each knows those before it.
  public func complete(
    from source: ManagedObjectModel, to destination: ManagedObjectModel
  ) -> [CompleteMappingModel] {
    enumerated().reduce(into: []) { completes, pass in
      completes.append(
        pass.element.complete(
          from: source, to: destination, after: completes.flatMap(\.entityMappings), isLast: pass.offset == count - 1))
    }
  }
}
