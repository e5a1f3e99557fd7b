import Foundation
import Heavylift
import HeavyliftVerification

/// The versions that a generated test is about, and the mapping or the stage between them.
struct TestSubject {
  let source: MappedModels.Side
  let destination: MappedModels.Side
  let pair: MigrationPair
  /// The mapping and its file; `nil` for stages.
  let mapping: (complete: CompleteMappingModel, url: URL)?

  init(_ models: MappedModels, _ mapping: MappingModel, at url: URL, _ code: MigrationCode) {
    (source, destination) = (models.source, models.destination)
    pair = MigrationPair(
      sourceModel: source.model, destinationModel: destination.model, mappings: [mapping],
      policies: code.policies, functions: code.functions)
    self.mapping = (models.complete(mapping), url)
  }

  /// - Parameter path: The path of the models.
  init(
    _ stages: StagedMigrationManager, from source: ManagedObjectModel, to destination: ManagedObjectModel, path: String
  ) throws {
    let (old, new) = (source.name ?? "unnamed", destination.name ?? "unnamed")
    self.source = MappedModels.Side(name: old, model: source, path: path)
    self.destination = MappedModels.Side(name: new, model: destination, path: path)
    pair = try MigrationPair(stages: stages, from: old, to: new)
    mapping = nil
  }

  /// The part of the project that decides what the migration does.
  var part: String { mapping == nil ? "stage" : "mapping" }

  private var entityMappings: [CompleteEntityMapping] { mapping?.complete.entityMappings ?? [] }

  var policyNames: [String] { Set(entityMappings.compactMap(\.policyClassName)).sorted() }

  /// True if expressions call functions on `$manager` that a program registers.
  var needsFunctions: Bool {
    let builtIn = [
      ManagerSelector.destinationInstancesForMapping, ManagerSelector.destinationInstancesForRelationship,
      ManagerSelector.sourceInstancesForMapping, ManagerSelector.fetchRequest,
    ]
    return entityMappings.flatMap { $0.attributeMappings + $0.relationshipMappings }.contains { property in
      property.valueExpression?.managerSelectors.contains { !builtIn.contains($0) } ?? false
    }
  }
}

extension MappingExpression {
  /// The selectors that expressions call on `$manager`.
  fileprivate var managerSelectors: [String] {
    var found: [String] = []
    visit {
      if case .call(let receiver, let selector, _) = $0.kind, case .variable("manager") = receiver.kind {
        found.append(selector)
      }
    }
    return found
  }
}
