import Foundation
import HeavyliftSchema
import HeavyliftTestSupport
import Testing

/// Structures and enumerations that SwiftData's stores hold as composites.
@Suite struct CompositeTests {
  /// Its keys are in another order than its properties.
  struct Place: Codable, Hashable {
    var latitude: Double
    var longitude: Double

    enum CodingKeys: String, CodingKey {
      case longitude = "lon"
      case latitude = "lat"
    }
  }

  /// Each key has the name of the other property.
  struct Exchanged: Codable, Hashable {
    var first: Int
    var second: Int?

    enum CodingKeys: String, CodingKey {
      case first = "second"
      case second = "first"
    }
  }

  struct Mixed: Codable, Hashable {
    var name: String
    var isNew: Bool
    var home: Place?
    var stops: [Place]
    var kind: Kind
    var link: URL?

    enum CodingKeys: String, CodingKey {
      case link = "l"
      case kind = "k"
      case stops = "s"
      case home = "h"
      case isNew = "i"
      case name = "n"
    }
  }

  enum Kind: String, Codable, CaseIterable { case one, two }

  final class Trip: Entity {
    @Attribute var place: Place
    @Attribute var exchanged: Exchanged?
    @Attribute var mixed: Mixed?
  }

  @Test func `elements belong to their properties, whatever the order and names of the coding keys`() throws {
    let folder = try TemporaryFolder()
    let container = try ModelContainer(for: Trip.self, at: folder.appending("a.sqlite"), profile: .swiftData)
    let place = Place(latitude: 1, longitude: 2)
    let mixed = Mixed(name: "n", isNew: true, home: place, stops: [place], kind: .two, link: nil)
    do {
      let context = try ModelContext(container)
      let trip = try context.insert(Trip.self)
      (trip.place, trip.exchanged, trip.mixed) = (place, Exchanged(first: 1, second: 2), mixed)
      try context.save()
    }
    let context = try ModelContext(container)
    let trip = try #require(try context.fetch(Trip.self).first)
    #expect(trip.place == place)
    #expect(trip.exchanged == Exchanged(first: 1, second: 2))
    #expect(trip.mixed == mixed)
    #expect(trip.managedObject["place"] == .composite(["latitude": .double(1), "longitude": .double(2)]))
    #expect(trip.managedObject["exchanged"] == .composite(["first": .integer(1), "second": .integer(2)]))
    #expect(context.failure == nil)
  }

  /// Its decoder converts what it reads, so that a value would change each time it is read and saved.
  struct Angle: Codable {
    var radians: Double

    init(from decoder: any Decoder) throws {
      radians = try decoder.container(keyedBy: CodingKeys.self).decode(Double.self, forKey: .radians) / 180
    }
  }

  final class Wheel: Entity { @Attribute var angle: Angle? }

  @Test func `a structure whose decoder changes its elements is refused`() {
    let error = #expect(throws: DiagnosticList.self) { try Schema([Wheel.self], profile: .swiftData) }
    #expect(
      error?.description == """
        error[schema.unsupported-type]: attribute 'angle' of class 'CompositeTests.Wheel' has type \
        'CompositeTests.Angle?', but the elements of 'CompositeTests.Angle' are not known: its 'init(from:)' changes \
        the values of its stored properties
          let the compiler synthesize 'init(from:)' for 'CompositeTests.Angle', and make enumerations in it CaseIterable
        """)
  }

  // MARK: Predicates

  @Test(
    arguments: [
      (
        "kind != 'one'", "'!=' cannot compare a composite 'Kind_kind' with a string", "compare its element: 'kind.kind'"
      ),
      (
        "kind == 'one'", "'==' cannot compare a composite 'Kind_kind' with a string", "compare its element: 'kind.kind'"
      ),
      (
        "kind IN {'one'}", "'IN' cannot compare a composite 'Kind_kind' with a string",
        "compare its element: 'kind.kind'"
      ),
      ("kind > 1", "'>' cannot compare a composite 'Kind_kind' with an integer", "compare its element: 'kind.kind'"),
      (
        "place == 'here'", "'==' cannot compare a composite 'Place' with a string",
        "compare one of its elements: 'place.latitude', 'place.longitude'"
      ),
    ])
  func `a composite that is compared with another value is refused, and nothing is deleted`(
    format: String, problem: String, remedy: String
  ) throws {
    let folder = try TemporaryFolder()
    let container = try ModelContainer(for: Visit.self, at: folder.appending("a.sqlite"), profile: .swiftData)
    let context = try ModelContext(container)
    for kind in [Kind.one, .one, .two] { try context.insert(Visit.self).kind = kind }
    try context.save()
    let expected = "error[expression.incomparable]: predicate for entity 'Visit': \(problem)\n  \(remedy)"
    func check(_ body: () throws -> Void) {
      #expect(#expect(throws: DiagnosticList.self) { try body() }?.description == expected)
    }
    check { try context.delete(Visit.self, where: format) }
    check { _ = try context.fetch(Visit.self, where: format) }
    check { _ = try context.fetchCount(FetchDescriptor<Visit>(where: format)) }
    check { try context.enumerate(try FetchDescriptor<Visit>(where: format)) { _ in } }
    #expect(try context.fetch(Visit.self).count == 3)
    #expect(try context.fetch(Visit.self, where: "kind == nil").isEmpty)
    #expect(try context.fetch(Visit.self, where: "place.latitude == 1").isEmpty)
    try context.delete(Visit.self, where: "kind.kind != %@", "one")
    try context.save()
    #expect(try context.fetch(Visit.self).map(\.kind) == [.one, .one])
  }

  final class Visit: Entity {
    @Attribute var kind: Kind = .one
    @Attribute var place: Place?
  }

  // MARK: Required composites

  enum Status: Codable, CaseIterable { case open, done }

  struct Empty: Codable {
    var note: String?
    var inner: Inner

    struct Inner: Codable { var number: Int? }
  }

  final class Task: Entity {
    @Attribute var status: Status
    @Attribute var kind: Kind
    @Attribute var place: Place
    @Attribute var empty: Empty
  }

  @Test func `a required enumeration or structure without a value cannot be saved`() throws {
    let folder = try TemporaryFolder()
    let container = try ModelContainer(for: Task.self, at: folder.appending("a.sqlite"), profile: .swiftData)
    let context = try ModelContext(container)
    let task = try context.insert(Task.self)
    let error = #expect(throws: (any Error).self) { try context.save() }
    for name in ["status", "kind", "place"] {
      #expect("\(try #require(error))".contains("'\(name)' is mandatory and has no value"))
    }
    // A structure all of whose elements may be nil may have no value.
    #expect(!"\(try #require(error))".contains("'empty'"))
    (task.status, task.kind, task.place) = (.done, .two, Place(latitude: 1, longitude: 2))
    try context.save()
  }

  enum Optional1: VersionedSchema {
    static let versionIdentifier = Schema.Version(1, 0, 0)
    static var storageProfile: StorageProfile { .swiftData }
    static var models: [Entity.Type] { [Task.self] }

    final class Task: Entity { @Attribute var status: Status? }
  }

  enum Required2: VersionedSchema {
    static let versionIdentifier = Schema.Version(2, 0, 0)
    static var storageProfile: StorageProfile { .swiftData }
    static var models: [Entity.Type] { [Task.self] }

    final class Task: Entity {
      @Attribute var status: Status
      @Attribute var note: String?
    }
  }

  @Test func `a migration reports required composites that its code leaves empty`() throws {
    let folder = try TemporaryFolder()
    let url = folder.appending("a.sqlite")
    do {
      let context = try ModelContext(ModelContainer(for: Optional1.self, at: url))
      _ = try context.insert(Optional1.Task.self)
      try context.save()
    }
    let history = try SchemaHistory(
      schemas: [Optional1.self, Required2.self],
      stages: [.custom(fromVersion: Optional1.self, toVersion: Required2.self) { _ in }])
    let error = #expect(throws: (any Error).self) {
      try IncrementalMigrationManager(stages: history.stages).migrate(url)
    }
    #expect("\(try #require(error))".contains("1 × Task: 'status' is mandatory and has no value (Task/p1)"))
  }
}
