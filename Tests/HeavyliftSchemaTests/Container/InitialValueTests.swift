import Foundation
import HeavyliftSchema
import HeavyliftTestSupport
import Synchronization
import Testing

@Suite struct InitialValueTests {
  static let clock = Mutex(100)

  final class Event: Entity {
    @Attribute var created: Int = InitialValueTests.clock.withLock { $0 }
    @Attribute var marks: [Int] = [InitialValueTests.clock.withLock { $0 }]
  }

  @Test func `the initial value is computed for each object, even if it changes only after the schema was made`() throws
  {
    let folder = try TemporaryFolder()
    let container = try ModelContainer(for: Event.self, at: folder.appending("a.sqlite"))
    let context = try ModelContext(container)
    for time in [200, 300] {
      Self.clock.withLock { $0 = time }
      let event = try context.insert(Event.self)
      #expect(event.created == time)
      #expect(event.marks == [time])
    }
  }

  final class Row: Entity {
    @Attribute var number: Int = 0
    @Attribute(.ephemeral) var isSelected: Bool = true
  }

  @Test func `a fetched object has the initial values of ephemeral attributes, and can be saved`() throws {
    let folder = try TemporaryFolder()
    let container = try ModelContainer(for: Row.self, at: folder.appending("a.sqlite"))
    do {
      let context = try ModelContext(container)
      _ = try context.insert(Row.self)
      try context.save()
    }
    let context = try ModelContext(container)
    let row = try context.fetch(Row.self)[0]
    #expect(row.isSelected)
    #expect(!context.hasChanges)
    row.number = 1
    try context.save()
  }

  @Test(arguments: [
    ("https://example.org/a.sqlite", "store.not-a-file"), ("file:///no/such/folder/a.sqlite", "store.missing-folder"),
  ])
  func `a store is created only as a file in a folder`(place: String, code: String) throws {
    let url = try #require(URL(string: place))
    let error = #expect(throws: Diagnostic.self) { try ModelContainer(for: Row.self, at: url) }
    #expect(error?.code == code)
  }

  final class Shared: Codable { var number = 1 }

  final class Holder: Entity {
    @Attribute var shared: Shared?
    @Attribute var several: [Shared] = []
  }

  @Test(arguments: StorageProfile.allCases)
  func `classes are no types of attributes`(profile: StorageProfile) {
    let error = #expect(throws: DiagnosticList.self) { try Schema([Holder.self], profile: profile) }
    #expect(
      error?.description == """
        error[schema.unsupported-type]: attribute 'several' of class 'InitialValueTests.Holder' has type \
        '[InitialValueTests.Shared]', which is a class: a change within an object would not be saved
          use a structure or an enumeration
        error[schema.unsupported-type]: attribute 'shared' of class 'InitialValueTests.Holder' has type \
        'InitialValueTests.Shared?', which is a class: a change within an object would not be saved
          use a structure or an enumeration
        """)
  }

  struct Price: Codable { var amount: Decimal }

  final class Item: Entity {
    @Attribute var price: Price?
    @Attribute var prices: [Price] = []
  }

  @Test(arguments: StorageProfile.allCases)
  func `a value that could not be decoded again is not saved`(profile: StorageProfile) throws {
    let folder = try TemporaryFolder()
    let container = try ModelContainer(for: Item.self, at: folder.appending("a.sqlite"), profile: profile)
    let context = try ModelContext(container)
    let item = try context.insert(Item.self)
    item.prices = [Price(amount: .nan)]
    let error = #expect(throws: Diagnostic.self) { try context.save() }
    #expect(error?.code == "schema.unstorable-value")
  }
}
