import Foundation
import HeavyliftSchema
import HeavyliftTestSupport
import Testing

@testable import SampleSchemas

/// Each stage of the plan, and the whole plan.
struct PlacesPlanTests {
  private let url: URL
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
    url = folder.appending("Places.sqlite")
  }

  private func createFirst() throws {
    let context = try ModelContext(ModelContainer(for: PlacesV1.self, at: url))
    for (name, point) in [("Mount Fuji", Point2D(x: 138.7, y: 35.4)), ("Kyoto", Point2D(x: 135.8, y: 35))] {
      let place = try context.insert(PlacesV1.Place.self)
      (place.name, place.point) = (name, point)
    }
    try context.save()
    try context.managedObjectContext.store.close()
  }

  private func migrated(to version: any VersionedSchema.Type) throws -> ModelContext {
    try ModelContext(ModelContainer(for: version, migrationPlan: PlacesPlan.self, at: url))
  }

  @Test func `a required attribute is computed from another one`() throws {
    try createFirst()
    let places = try migrated(to: PlacesV2.self).fetch(PlacesV2.Place.self, sortBy: [SortKey(\.$name)])
    #expect(places.map(\.name) == ["Kyoto", "Mount Fuji"])
    #expect(places.map(\.category) == [.other, .mountain])
    #expect(places.map(\.point) == [Point2D(x: 135.8, y: 35), Point2D(x: 138.7, y: 35.4)])
  }

  @Test func `points get a third dimension`() throws {
    let context = try ModelContext(ModelContainer(for: PlacesV2.self, at: url))
    let place = try context.insert(PlacesV2.Place.self)
    (place.name, place.category, place.point) = ("Eiger", .mountain, Point2D(x: 8, y: 46.6))
    try context.save()
    try context.managedObjectContext.store.close()
    let places = try migrated(to: PlacesV3.self).fetch(PlacesV3.Place.self)
    #expect(places.map(\.name) == ["Eiger"])
    #expect(places.map(\.category) == [.mountain])
    #expect(places.map(\.point) == [Point3D(x: 8, y: 46.6, z: 0)])
  }

  @Test func `a store of the first version is migrated to the last one`() throws {
    try createFirst()
    let context = try migrated(to: PlacesV3.self)
    let places = try context.fetch(PlacesV3.Place.self, sortBy: [SortKey(\.$name)])
    #expect(places.map(\.name) == ["Kyoto", "Mount Fuji"])
    #expect(places.map(\.category) == [.other, .mountain])
    #expect(places.map(\.point) == [Point3D(x: 135.8, y: 35, z: 0), Point3D(x: 138.7, y: 35.4, z: 0)])
    #expect(context.failure == nil)
    #expect(try StoreFile(url: url).metadata.versionIdentifiers == ["3.0.0"])
  }
}
