import Foundation
import HeavyliftModel
import HeavyliftTestSupport
import Testing

@testable import HeavyliftStore

@Suite struct TypedValueTests {
  @Test func `attributes are read and set as Swift values`() throws {
    let folder = try TemporaryFolder()
    let model = ManagedObjectModel(entities: [
      EntityDescription(
        name: "Track",
        attributes: [
          AttributeDescription(name: "title", type: .string), AttributeDescription(name: "seconds", type: .integer32),
          AttributeDescription(name: "addedAt", type: .date), AttributeDescription(name: "link", type: .uri),
        ])
    ])
    let store = try PersistentStore.create(at: folder.appending("a.sqlite"), model: model)
    let context = ManagedObjectContext(store: store)
    let track = try context.insert("Track")
    try track.set("title", to: "Blue in Green")
    try track.set("seconds", to: 327)
    try track.set("addedAt", to: nil as Date?)
    track["link"] = Value(URL(string: "https://example.org"))
    #expect(try track.value("title", as: String.self) == "Blue in Green")
    #expect(try track.value("seconds", as: Int16?.self) == 327)
    #expect(try track.value("seconds", as: Double.self) == 327)
    #expect(try track.value("addedAt", as: Date?.self) == nil)
    #expect(track["link"] == .uri("https://example.org"))
    #expect(Value(nil as Int?) == .null)
    #expect(
      message { _ = try track.value("addedAt", as: Date.self) } == """
        error[object.no-value]: attribute 'addedAt' of Track/t1 has no value
          set it before you read it, or read it as an optional
        """)
    #expect(
      message { _ = try track.value("title", as: Int.self) } == """
        error[object.wrong-type]: attribute 'title' of Track/t1 holds a string, which Int cannot represent
          read it as another type
        """)
    #expect(
      message { try track.set("title", to: 3) } == """
        error[object.wrong-type]: attribute 'title' of entity 'Track' has type String and cannot hold an integer
          convert the value to String without loss, then set it
        """)
  }

  @Test func `numbers that do not fit are refused, not changed`() {
    #expect(Int16(storedValue: 40_000) == nil)
    #expect(Int(storedValue: 0.5) == nil)
    #expect(Int(storedValue: 2.0) == 2)
    #expect(Bool(storedValue: 2) == nil)
    #expect(Float(storedValue: 0.1) == 0.1)
    #expect(Decimal(storedValue: 3) == 3)
    #expect(String(storedValue: .null) == nil)
    #expect(String?(storedValue: 3) == nil)
  }
}
