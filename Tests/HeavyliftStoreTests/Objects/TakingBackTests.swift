import HeavyliftModel
import HeavyliftTestSupport
import Testing

@testable import HeavyliftStore

/// `refresh(_:)` takes an object's changes back at the other ends of its links, too.
struct TakingBackTests {
  /// All links of a context, in order.
  private static func links(_ context: ManagedObjectContext) throws -> [String] {
    try ["Node", "Label"].flatMap { try context.fetch(FetchRequest(entityName: $0)) }.map { object in
      let links = object.relationshipsByName.keys.sorted().map { name in
        guard case .toOne? = object.runtime.slots[name] else {
          return "\(name) \(object[toMany: name].map(\.description))"
        }
        return "\(name) \(object[toOne: name]?.description ?? "-")"
      }
      return "\(object) \(links)"
    }
  }

  @Test func `a target that was taken from another object goes back to it`() throws {
    let test = try TestStore(Models.graph)
    let (a, b, c) = (try test.insert("Node"), try test.insert("Node"), try test.insert("Node"))
    (a[toMany: "items"], a[toOne: "left"], b[toOne: "left"]) = ([a, b, c], c, a)
    try test.context.save()
    let stored = try Self.links(test.context)
    // `b` takes a target of the ordered list, and the one of the one-to-one relationship.
    b[toMany: "items"] = [a]
    b[toOne: "left"] = c
    test.context.refresh(b)
    #expect(try Self.links(test.context) == stored)
    // `a` leaves the list, whose order comes back.
    a[toOne: "list"] = nil
    test.context.refresh(a)
    #expect(try Self.links(test.context) == stored)
    try test.context.save()
    try test.reopen()
    #expect(try Self.links(test.context) == stored)
  }

  @Test func `links to an object that is to be deleted do not come back`() throws {
    let test = try TestStore(DeletingTests.model(.nullify))
    let (owner, target) = (try test.insert("Owner"), try test.insert("Target"))
    (target[toOne: "owner"], target[toMany: "links"]) = (owner, [owner])
    try test.context.save()
    try test.context.delete(owner)
    test.context.refresh(target)
    #expect(target[toOne: "owner"] == nil)
    #expect(target[toMany: "links"] == [])
    try test.context.save()
    #expect(try test.rows("SELECT ZOWNER FROM ZTARGET") == ["-"])
    #expect(try test.rows("SELECT * FROM Z_1LINKED") == [])
  }

  @Test(arguments: Seeds.some(of: 0..<200)) func `changes of one object are taken back completely`(seed: UInt64) throws
  {
    var generator = SeededGenerator(seed: seed &* 31 &+ 5)
    let test = try TestStore(Models.graph)
    for _ in 0..<5 { _ = try test.insert("Node") }
    for _ in 0..<2 { _ = try test.insert("Leaf") }
    for _ in 0..<3 { _ = try test.insert("Label") }
    func change(_ object: ManagedObject) throws {
      let entity = object.relationshipsByName.sorted { $0.key < $1.key }
      let (name, relationship) = try #require(entity.randomElement(using: &generator))
      let others = try test.fetch(relationship.destinationEntityName ?? "")
      let other = try #require(others.randomElement(using: &generator))
      guard relationship.isToMany else {
        return try object.setObject(Bool.random(using: &generator) ? other : nil, forKey: name)
      }
      switch Int.random(in: 0..<4, using: &generator) {
      case 0: try object.remove(other, from: name)
      case 1: try object.setObjects(others.shuffled(using: &generator).prefix(2).map { $0 }, forKey: name)
      case 2 where relationship.isOrdered: try object.add(other, to: name, at: 0)
      default: try object.add(other, to: name)
      }
    }
    let objects = try test.fetch("Node") + test.fetch("Label")
    for _ in 0..<40 { try change(#require(objects.randomElement(using: &generator))) }
    try test.context.save()
    if seed.isMultiple(of: 2) { try test.reopen() }
    let stored = try Self.links(ManagedObjectContext(store: test.store))
    let again = try test.fetch("Node") + test.fetch("Label")
    for _ in 0..<3 {
      let object = try #require(again.randomElement(using: &generator))
      for _ in 0..<Int.random(in: 1...4, using: &generator) { try change(object) }
      test.context.refresh(object)
      #expect(try Self.links(test.context) == stored, "\(seed) \(object)")
    }
    try test.context.save()
    try test.reopen()
    #expect(try Self.links(test.context) == stored, "\(seed)")
  }
}
