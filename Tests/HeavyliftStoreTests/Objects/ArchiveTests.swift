import Foundation
import HeavyliftArchive
import HeavyliftModel
import HeavyliftStore
import HeavyliftTestSupport
import Testing

/// Transformable values are bytes; these look inside on request.
@Suite struct ArchiveTests {
  static let model = ManagedObjectModel(entities: [
    EntityDescription(name: "Pin", attributes: [AttributeDescription(name: "position", type: .transformable)])
  ])

  private func pin(_ body: (ManagedObject, ManagedObjectContext) throws -> Void) throws {
    let folder = try TemporaryFolder()
    let store = try PersistentStore.create(at: folder.appending("pins.sqlite"), model: Self.model)
    let context = ManagedObjectContext(store: store)
    try body(try context.insert("Pin"), context)
  }

  @Test func `an archived object comes back after a save`() throws {
    try pin { pin, context in
      try pin.setArchived(NSArray(array: [NSNumber(value: 1.5), NSString("north")]), forKey: "position")
      try context.save()
      context.refresh(pin)
      guard case .array(let elements)? = try pin.archive(forKey: "position")?.root else {
        Issue.record("the root is no array")
        return
      }
      #expect(elements.map(\.string) == [nil, "north"])
      #expect(elements.count == 2)
    }
  }

  @Test func `nil is archived as nil`() throws {
    try pin { pin, _ in
      try pin.setArchived(nil, forKey: "position")
      #expect(pin["position"].isNull)
      #expect(try pin.archive(forKey: "position") == nil)
    }
  }

  @Test func `bytes that are not an archive are reported as such`() throws {
    try pin { pin, _ in
      pin["position"] = .data(Data("not an archive".utf8))
      let error = #expect(throws: Diagnostic.self) { try pin.archive(forKey: "position") }
      #expect(error?.problem.hasPrefix("attribute 'position' of Pin/t1") == true, "\(error?.problem ?? "")")
    }
  }
}
