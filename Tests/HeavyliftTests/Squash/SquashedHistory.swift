import Foundation
import HeavyliftTestSupport
import Testing

@testable import Heavylift
@testable import HeavyliftMapping
@testable import HeavyliftStore

/// A generated history, squashed, and migrated hop by hop and with the squashed mappings as they are written to files.
struct SquashedHistory {
  private(set) var squash: MigrationSquash
  /// The changes from version to version, and the mapping files.
  private(set) var description: String
  /// The difference between the results; `nil` if they are the same.
  private(set) var disagreement: String?
  /// The number of hops that a plan composes with others.
  private(set) var composed = 0
  /// The number of hops that other hops replaced.
  var replaced: Int { squash.parts.reduce(0) { $0 + $1.hops.count - 1 } }
  var cuts: [String] { squash.parts.compactMap { $0.cut?.description } }

  /// Returns nil if no mapping can be inferred for one of the hops, or if two versions have the same hashes.
  ///
  /// - Parameter isDeclared: True for hops with mapping files, which rename without renaming identifiers and compute
  ///   values.
  init?(seed: UInt64, isDeclared: Bool) throws {
    var generated = LightweightMigration(seed: seed)
    var versions = generated.history(3 + Int(seed % 5))
    var random = SeededGenerator(seed: seed &+ 77)
    description = generated.changes.joined(separator: "\n")
    guard versions.allSatisfy({ $0.check().allSatisfy { $0.severity != .error } }) else { return nil }
    var mappings: [MappingModel] = []
    for (old, new) in zip(versions, versions.dropFirst()) {
      guard let mapping = try? MappingModel.inferred(from: old, to: new) else { return nil }
      mappings.append(mapping)
    }
    var candidates: [MappingCandidate] = []
    if isDeclared {
      let inferred = zip(mappings, zip(versions, versions.dropFirst())).map { $0.complete(from: $1.0, to: $1.1) }
      versions = versions.map(\.withoutRenamingIdentifiers)
      for (number, complete) in inferred.enumerated() {
        let written = try Self.written(complete, versions[number], versions[number + 1], &random)
        description += "\n\(number + 1).xml\n\(written.text)"
        guard !written.hasErrors else { return nil }
        candidates.append(MappingCandidate(file: "\(number + 1).xml", mappingModel: written.mapping))
      }
    }
    guard Set(versions.map(\.versionHashes)).count == versions.count else { return nil }
    squash = try MigrationSquash(
      from: versions[0], to: versions[versions.count - 1], of: versions, mappings: MappingSearch(candidates))
    guard replaced > 0 else { return }
    let folder = try TemporaryFolder()
    defer { withExtendedLifetime(folder) {} }
    let source = folder.appending("old.sqlite")
    // The store's model is the first version, without identifiers that only later versions have.
    let store = try PersistentStore.create(at: source, model: versions[0])
    try generated.fill(ManagedObjectContext(store: store))
    try store.close()
    let manager = IncrementalMigrationManager(
      models: versions, mappings: MappingSearch(candidates), infersMissingMappings: true)
    let single = try HopChain.outcome(source, folder.appending("single.sqlite"), manager, composes: false).outcome
    let plan = try manager.chainPlan(for: source)
    composed = squash.parts.reduce(0) { $0 + $1.hops.count } - plan.hops.count
    let parts = plan.hops.map { MigrationSquash.Part(hops: $0.parts.isEmpty ? [$0] : $0.parts) }
    try compare(
      single,
      HopChain.outcome(source, folder.appending("composed.sqlite"), manager, composes: true).outcome, parts,
      isOpen: versions.last.map { !PhysicalLayout(model: $0).assumptions.isEmpty } ?? false)
    try compare(
      single,
      HopChain.outcome(
        source, folder.appending("squashed.sqlite"), self.manager(candidates), composes: false
      ).outcome, squash.parts)
  }

  /// - Parameter isOpen: True if the last version leaves names of columns open, so that those of the version before it
  ///   decide hop by hop.
  private mutating func compare(
    _ single: HopChain.Outcome, _ other: HopChain.Outcome, _ parts: [MigrationSquash.Part], isOpen: Bool = false
  ) throws {
    let losses = single.error == nil ? ComposedLosses(single, other, parts).difference : nil
    let isSame =
      single.rows == other.rows && (isOpen || single.schema == other.schema) && single.files == other.files
      && (single.error == nil) == (other.error == nil) && losses == nil
    guard !isSame else { return }
    let texts = try parts.compactMap(\.mapping).map { try MappingWriter.text(of: $0) }
    disagreement =
      single.difference(other) + "\n\(losses ?? "")\n\(description)\n\(parts.map(\.title))\n"
      + texts.joined(separator: "\n")
  }

  /// A manager of the versions at which the parts begin and end, with the mappings as they are read from their files.
  private func manager(_ candidates: [MappingCandidate]) throws -> IncrementalMigrationManager {
    var files: [MappingCandidate] = []
    for (number, part) in squash.parts.enumerated() {
      if let mapping = part.mapping {
        let reading = try MappingReader.read(text: MappingWriter.text(of: mapping))
        #expect(reading.diagnostics.isEmpty, "\(reading.diagnostics)")
        let read = try reading.validMappingModel()
        let mistakes = read.complete(from: part.sourceModel, to: part.destinationModel).check()
        #expect(mistakes.allSatisfy { $0.severity != .error }, "\(mistakes)")
        files.append(MappingCandidate(file: "part \(number).xml", mappingModel: read))
      } else if case .files(let names) = part.hops[0].origin {
        files += candidates.filter { names.contains($0.file) }
      }
    }
    return IncrementalMigrationManager(
      models: squash.parts.prefix(1).map(\.sourceModel) + squash.parts.map(\.destinationModel),
      mappings: MappingSearch(files), infersMissingMappings: true)
  }

  // MARK: Mapping files

  /// Returns an inferred mapping as an author would write it, between models without renaming identifiers, with values for
  /// some of the new attributes.
  private static func written(
    _ inferred: CompleteMappingModel, _ old: ManagedObjectModel, _ new: ManagedObjectModel,
    _ random: inout SeededGenerator
  ) throws -> (mapping: MappingModel, text: String, hasErrors: Bool) {
    var explicit = MappingModel(source: ModelReference(name: old.name), destination: ModelReference(name: new.name))
    for mapping in inferred.entityMappings {
      var description = EntityMappingDescription(
        type: mapping.type == .remove ? .remove : nil, source: mapping.sourceEntityName,
        destination: mapping.destinationEntityName)
      if mapping.sourceEntityName != nil {
        for property in mapping.attributeMappings + mapping.relationshipMappings {
          let value =
            property.valueExpression ?? computed(property, of: mapping, old, new, &random)
          description.propertyMappings.append(
            PropertyMappingDescription(
              property.kind, name: property.name, source: value.map { .expression($0) } ?? .unmapped))
        }
      }
      explicit.entityMappings.append(description)
    }
    var mapping = explicit.converted(for: old, destination: new)
    for loss in [mapping.complete(from: old, to: new)].losses {
      guard let property = loss.property,
        let place = mapping.entityMappings.firstIndex(where: { $0.sourceEntityName == loss.entity })
      else { continue }
      mapping.entityMappings[place].droppedProperties.append(DroppedProperty(property))
    }
    return (
      mapping, try MappingWriter.text(of: mapping),
      mapping.complete(from: old, to: new).check().contains { $0.severity == .error }
    )
  }

  /// Returns a value for an attribute that has no counterpart, if it should have one.
  private static func computed(
    _ property: CompletePropertyMapping, of mapping: CompleteEntityMapping, _ old: ManagedObjectModel,
    _ new: ManagedObjectModel, _ random: inout SeededGenerator
  ) -> MappingExpression? {
    guard property.kind == .attribute, property.origin == .unmapped(.notInSource),
      Int.random(in: 0..<4, using: &random) > 0,
      let source = old.entity(named: mapping.sourceEntityName),
      let destination = new.entity(named: mapping.destinationEntityName),
      let attribute = new.allAttributes(of: destination).first(where: { $0.name == property.name })
    else { return nil }
    let all = old.allAttributes(of: source).filter { !$0.isTransient }
    let (texts, numbers) = (
      all.filter { $0.type == .string }.map(\.name), all.filter { $0.type.integerRange != nil }.map(\.name)
    )
    let (text, number) = (texts.randomElement(using: &random), numbers.randomElement(using: &random))
    let choices: [String]
    switch attribute.type {
    case .string:
      choices =
        ["'new'"]
        + (text.map {
          ["uppercase:($source.\($0))", "TERNARY($source.\($0) = nil, 'none', $source.\($0))", "$source.\($0)"]
        } ?? [])
    case .integer32: choices = ["3"] + (number.map { ["TERNARY($source.\($0) = nil, 1, $source.\($0) + 1)"] } ?? [])
    default: choices = []
    }
    return choices.randomElement(using: &random).flatMap { try? MappingExpression(parsing: $0) }
  }
}

extension ManagedObjectModel {
  fileprivate var withoutRenamingIdentifiers: ManagedObjectModel {
    var model = self
    for entity in model.entities.indices {
      model.entities[entity].renamingIdentifier = nil
      for place in model.entities[entity].attributes.indices {
        model.entities[entity].attributes[place].renamingIdentifier = nil
      }
      for place in model.entities[entity].relationships.indices {
        model.entities[entity].relationships[place].renamingIdentifier = nil
      }
    }
    return model
  }
}
