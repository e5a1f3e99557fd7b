import HeavyliftMapping
import HeavyliftModel
import HeavyliftStore

extension ContainedEntities {
  /// - Parameter configuration: The configuration of the destination store; nil if it contains all entities.
  init(_ source: PersistentStore, to configuration: String?, of destinationModel: ManagedObjectModel) {
    self.init(
      source: Set(source.layout.entities.map(\.name)),
      destination: Set(destinationModel.restricted(to: configuration).entities.map(\.name)), of: destinationModel)
  }

  /// Throws `DiagnosticList` if the source has objects whose counterparts do not belong in the destination.
  func refuseLosses(
    of models: [CompleteMappingModel], objectCounts: @autoclosure () throws -> [String: Int], configuration: String?
  ) throws {
    let losing = models.flatMap(\.entityMappings).filter(losesObjects)
    if losing.isEmpty { return }
    let counts = try objectCounts()
    let mistakes: [Diagnostic] = losing.compactMap { mapping in
      guard let source = mapping.sourceEntityName, let destination = mapping.destinationEntityName,
        let count = counts[source], count > 0
      else { return nil }
      return Diagnostic(
        .error, code: "migration.outside-configuration",
        problem: "entity mapping \(mapping.name.quotedName) would drop \(count.grouped) × \(source): the new store "
          + "contains configuration \((configuration ?? "").quotedName), which does not have entity \(destination.quotedName)",
        remedy: "add the entity to the configuration, or remove the objects with <entity-mapping "
          + "type=\"remove\" source=\"\(source)\"/>")
    }
    guard mistakes.isEmpty else { throw DiagnosticList(mistakes) }
  }
}
