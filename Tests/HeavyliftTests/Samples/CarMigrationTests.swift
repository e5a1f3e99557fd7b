import Foundation
import Heavylift
import HeavyliftTestSupport
import Testing

/// A real store of cars, in a hierarchy of three entities, with its real mapping model.
@Suite(.enabled(if: Corpus.isPresent, "\(Corpus.comment)")) struct CarMigrationTests {
  @Test func `every car's maker becomes an object`() throws {
    let folder = try TemporaryFolder()
    let bundle = "\(CorpusMigrations.sample)/SampleModel.xcdatamodeld"
    let source = try folder.copyStore(
      Corpus.root.appending(path: "\(CorpusMigrations.sample)/Fixtures/SampleModel_V2.sqlite"))
    let destination = folder.appending("3.sqlite")
    let manager = MigrationManager(
      sourceModel: try CorpusMigrations.model("SampleModel2", of: bundle),
      destinationModel: try CorpusMigrations.model("SampleModel3", of: bundle),
      policies: PolicyRegistry(V2to3MakerPolicy.self))
    let mapping = try CorpusMigrations.mapping("\(CorpusMigrations.sample)/MappingModels/V2toV3.xcmappingmodel")
    try manager.migrateStore(from: source, to: destination, with: mapping)

    let old = ManagedObjectContext(
      store: try PersistentStore(url: source, models: [manager.sourceModel], mode: .readOnly))
    let new = ManagedObjectContext(store: try PersistentStore(url: destination, models: [manager.destinationModel]))
    let (oldCars, cars) = (
      try old.fetch(FetchRequest(entityName: "Car")), try new.fetch(FetchRequest(entityName: "Car"))
    )
    #expect(cars.count == 125)
    #expect(try new.count(for: FetchRequest(entityName: "Maker")) == 10)
    #expect(try new.count(for: FetchRequest(entityName: "Person")) == 20)
    let oldByPlate = Dictionary(uniqueKeysWithValues: oldCars.map { ($0["numberPlate"], $0) })
    for car in cars {
      let before = try #require(oldByPlate[car["numberPlate"]])
      #expect(car.entity.name == before.entity.name)
      #expect(car[toOne: "createdBy"]?["name"] == before["maker"])
      let owner = before[toOne: "owner"].map { [$0["firstName"], $0["lastName"]] }
      #expect(car[toMany: "previousOwners"].map { [$0["firstName"], $0["lastName"]] } == [owner].compactMap(\.self))
    }
    #expect(cars.count { $0[toMany: "previousOwners"].isEmpty } == 7)
  }
}

final class V2to3MakerPolicy: EntityMigrationPolicy {
  override func createDestinationInstances(
    forSource source: ManagedObject, in mapping: EntityMapping, manager: MigrationManager
  ) throws {
    try super.createDestinationInstances(forSource: source, in: mapping, manager: manager)
    let cars = try manager.destinationInstances(forEntityMappingName: mapping.name, sourceInstances: [source])
    guard let car = cars.first, let name = source["maker"].string else { return }
    // The hierarchy's three mappings have a policy each, and share the makers.
    var makers = manager.userInfo["makers"] as? [String: ManagedObject] ?? [:]
    let maker = try makers[name] ?? manager.destinationContext.insert("Maker")
    maker["name"] = .string(name)
    makers[name] = maker
    manager.userInfo["makers"] = makers
    car[toOne: "createdBy"] = maker
  }

  override func createRelationships(
    forDestination destination: ManagedObject, in mapping: EntityMapping, manager: MigrationManager
  ) throws {
    try super.createRelationships(forDestination: destination, in: mapping, manager: manager)
    let sources = try manager.sourceInstances(forEntityMappingName: mapping.name, destinationInstances: [destination])
    let owners = try manager.destinationInstances(
      forEntityMappingName: "PersonToPerson", sourceInstances: sources.compactMap { $0[toOne: "owner"] })
    for owner in owners { try destination.add(owner, to: "previousOwners") }
  }
}
