import Foundation
import Heavylift
import HeavyliftTestSupport
import Testing

/// Laws for the intermediate model of any two versions.
@Suite struct IntermediateLawTests {
  private static let seeds = Seeds.some(of: 0..<150)

  @Test(arguments: seeds) func `an intermediate model and its mappings pass all checks`(seed: UInt64) throws {
    let stage = GeneratedStage(seed: seed)
    guard let intermediate = try Self.intermediate(stage, seed) else { return }
    let flaws = intermediate.model.check().filter { $0.severity == .error }
    #expect(flaws == [], "seed \(seed)\n\(ModelText.text(stage.new))")
    let expansion = intermediate.expansion.complete(from: stage.old, to: intermediate.model).check()
    #expect(!expansion.hasErrors, "seed \(seed)\n\(DiagnosticList(expansion))\n\(ModelText.text(stage.new))")
    guard let contraction = intermediate.contraction else { return }
    let check = contraction.complete(from: intermediate.model, to: stage.new).check()
    #expect(!check.hasErrors, "seed \(seed)\n\(DiagnosticList(check))\n\(ModelText.text(stage.new))")
  }

  @Test(arguments: seeds) func `every object, link and value reaches the script`(seed: UInt64) throws {
    var stage = GeneratedStage(seed: seed)
    guard let intermediate = try Self.intermediate(stage, seed) else { return }
    let test = try MigrationTest(from: stage.old, to: intermediate.model) { try stage.fill($0) }
    let text = "seed \(seed)\n\(ModelText.text(stage.new))\n\(ModelText.text(intermediate.model))"
    do {
      try test.migrate(intermediate.expansion)
    } catch {
      Issue.record("\(error)\n\(text)")
      return
    }
    let before = try IdentifiedObjects(test.source, stage.old)
    let after = try IdentifiedObjects(test.destination, intermediate.model)
    #expect(before.objects.keys.sorted() == after.objects.keys.sorted(), "\(text)")
    for (uid, object) in before.objects {
      guard let found = after.objects[uid] else { continue }
      #expect(found.entity == intermediate.name(ofSourceEntity: object.entity), "\(uid) \(text)")
      for (name, value) in object.values {
        let newName = intermediate.name(ofSourceProperty: name, in: object.entity)
        #expect(newName.flatMap { found.values[$0] } == value, "\(uid).\(name), \(text)")
      }
    }
  }

  @Test(arguments: seeds) func `without a script, a stage does what is inferred`(seed: UInt64) throws {
    var stage = GeneratedStage(seed: seed)
    guard let intermediate = try Self.intermediate(stage, seed),
      let inferred = try? MappingModel.inferred(from: stage.old, to: stage.new),
      // Inference copies both ends of such relationships, and which one wins depends on the objects.
      !intermediate.changes.contains(where: {
        if case .replaced(.inverse, _) = $0.kind { true } else { false }
      })
    else { return }
    let run = try StageRun(from: stage.old, to: stage.new) { try stage.fill($0) }
    let text = "seed \(seed)\n\(ModelText.text(stage.new))\n\(ModelText.text(intermediate.model))"
    var reason: (any Error)?
    let direct = run.folder.appending(path: "direct.sqlite")
    do {
      let manager = MigrationManager(sourceModel: stage.old, destinationModel: stage.new)
      try manager.migrateStore(from: run.source, to: direct, with: [inferred])
    } catch {
      reason = error
    }
    do {
      try run.expand()
      try run.contract()
      #expect(reason == nil, "\(reason.map { "\($0)" } ?? "")\n\(text)")
    } catch {
      #expect(reason != nil, "\(error)\n\(text)")
      return
    }
    guard reason == nil else { return }
    let wanted = try IdentifiedObjects(direct, stage.new)
    let found = try IdentifiedObjects(run.destination, stage.new)
    #expect(found == wanted, "\(text)")
  }

  /// Returns the intermediate model, or nil if there is none for a known reason.
  private static func intermediate(_ stage: GeneratedStage, _ seed: UInt64) throws -> IntermediateModel? {
    do {
      return try IntermediateModel(from: stage.old, to: stage.new)
    } catch {
      let codes = Set(error.diagnostics.map(\.code))
      #expect(
        codes.isSubset(of: ["intermediate.name-in-use", "intermediate.scattered-destination"]),
        "seed \(seed) \(error)")
      return nil
    }
  }
}

/// The objects of a store by their `uid`, with links as the `uid`s of their targets.
struct IdentifiedObjects: Equatable {
  struct Object: Equatable {
    var entity: String
    var values: [String: String]
  }

  private(set) var objects: [String: Object] = [:]

  init(_ url: URL, _ model: ManagedObjectModel) throws {
    let context = ManagedObjectContext(store: try PersistentStore(url: url, models: [model], mode: .readOnly))
    for entity in model.entities where !entity.isAbstract {
      var request = FetchRequest(entityName: entity.name)
      request.includesSubentities = false
      for object in try context.fetch(request) {
        var values: [String: String] = [:]
        for attribute in model.allAttributes(of: entity) where !attribute.isTransient {
          values[attribute.name] = Self.text(object[attribute.name])
        }
        for relationship in model.allRelationships(of: entity) {
          let targets =
            try
            (relationship.isToMany
            ? object.objects(forKey: relationship.name) : [object.object(forKey: relationship.name)].compactMap(\.self))
          values[relationship.name] = targets.map { $0["uid"].string ?? "?" }.sorted().joined(separator: " ")
        }
        objects[object["uid"].string ?? "?"] = Object(entity: entity.name, values: values)
      }
    }
  }

  /// A text that is the same for a number of any type, and for elements in any order.
  private static func text(_ value: Value) -> String {
    switch value {
    case .composite(let elements):
      elements.filter { !$0.value.isNull }.sorted { $0.key < $1.key }.map { "\($0.key)=\(text($0.value))" }
        .joined(separator: " ")
    case .integer(let number): "\(Double(number))"
    case .bool(let flag): "\(flag)"
    case .double(let number): "\(number)"
    case .null: ""
    default: "\(value)"
    }
  }
}
