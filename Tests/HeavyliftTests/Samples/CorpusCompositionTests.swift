import Foundation
import HeavyliftTestSupport
import Testing

@testable import Heavylift
@testable import HeavyliftStore

/// Migrates stores of the corpus's longer histories, composed and hop by hop, and compares the results.
@Suite(.enabled(if: Corpus.isPresent, "\(Corpus.comment)")) struct CorpusCompositionTests {
  /// A bundle, and the numbers of versions from which a store starts.
  struct History: Sendable, CustomStringConvertible {
    var bundle: String
    var starts: [Int]

    var description: String { (bundle as NSString).lastPathComponent }
  }

  static let histories = [
    History(bundle: "NovaWallet/SubstrateDataModel.xcdatamodeld", starts: [0, 17]),
    History(bundle: "NovaWallet/UserDataModel.xcdatamodeld", starts: [1, 10]),
    History(bundle: "BrowserServicesKit/Sources/Bookmarks/BookmarksModel.xcdatamodeld", starts: [0, 1, 2, 3]),
    History(bundle: "BrowserServicesKit/Sources/DDGSync/SyncMetadata.xcdatamodeld", starts: [0, 1]),
  ]

  @Test(arguments: histories)
  func `composed hops give the same stores as hops one after the other`(history: History) throws {
    let models = try ModelBundle(contentsOf: Corpus.root.appending(path: history.bundle)).versions.map(\.model)
    var replaced = 0
    for start in history.starts {
      // As far as mappings can be inferred.
      let steps = zip(models[start...], models[(start + 1)...])
      let versions =
        [models[start]] + steps.prefix { (try? MappingModel.inferred(from: $0, to: $1)) != nil }.map(\.1)
      guard Set(versions.map(\.versionHashes)).count == versions.count else { continue }
      let folder = try TemporaryFolder()
      let source = folder.appending("old.sqlite")
      try Self.make(source, versions[0])
      let manager = IncrementalMigrationManager(models: versions, infersMissingMappings: true)
      let plan = try manager.plan(for: source)
      replaced += versions.count - 1 - plan.hops.count
      let single = try HopChain.outcome(source, folder.appending("single.sqlite"), manager, composes: false).outcome
      let composed = try HopChain.outcome(source, folder.appending("composed.sqlite"), manager, composes: true).outcome
      let losses = ComposedLosses(single, composed, plan.hops.map { MigrationSquash.Part(hops: $0.steps) }).difference
      #expect(single.error == nil && single.rows.values.contains { !$0.isEmpty }, "\(single.error ?? "no rows")")
      #expect(
        single.rows == composed.rows && single.files == composed.files && losses == nil,
        "from \(start): \(single.difference(composed)) \(losses ?? "")")
      withExtendedLifetime(folder) {}
    }
    #expect(replaced > 0)
  }

  /// Makes a store with some objects of each entity, all linked.
  private static func make(_ url: URL, _ model: ManagedObjectModel) throws {
    let store = try PersistentStore.create(at: url, model: model)
    let context = ManagedObjectContext(store: store)
    var objects: [String: [ManagedObject]] = [:]
    for entity in model.entities where !entity.isAbstract {
      for number in 0..<5 {
        let object = try context.insert(entity.name)
        for attribute in model.allAttributes(of: entity) where !attribute.isDerived && attribute.type != .composite {
          object[attribute.name] = value(attribute, "\(entity.name) \(number)", number)
        }
        for ancestor in model.lineage(of: entity) { objects[ancestor.name, default: []].append(object) }
      }
    }
    for entity in model.entities where !entity.isAbstract {
      for (number, object) in try context.fetch(FetchRequest(entityName: entity.name)).enumerated() {
        for relationship in model.allRelationships(of: entity) where !relationship.isToMany {
          guard let targets = relationship.destinationEntityName.flatMap({ objects[$0] }) else { continue }
          try object.setObject(targets[number % targets.count], forKey: relationship.name)
        }
      }
    }
    try context.save()
    try store.close()
  }

  private static func value(_ attribute: AttributeDescription, _ text: String, _ number: Int) -> Value {
    switch attribute.type {
    case .string: .string(text)
    case .date: .date(Date(timeIntervalSinceReferenceDate: Double(number) / 4))
    case .decimal: .decimal(Decimal(number) / 10)
    case .boolean: .bool(number % 2 == 0)
    case .double, .float: .double(Double(number) / 2)
    case .uuid: .uuid(UUID(uuid: (1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, UInt8(number))))
    case .uri: .uri("https://example.org/\(number)")
    case .binaryData, .transformable: .data(Data(text.utf8))
    default: .integer(Int64(number))
    }
  }
}
