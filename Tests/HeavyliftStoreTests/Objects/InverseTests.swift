import HeavyliftModel
import HeavyliftTestSupport
import Testing

@testable import HeavyliftStore

/// Every way to link two objects, checked from both ends, before and after saving, and in the store.
struct InverseTests {
  let test: TestStore
  let a: ManagedObject
  let b: ManagedObject
  let c: ManagedObject
  let d: ManagedObject

  init() throws {
    test = try TestStore(Models.graph)
    a = try test.insert("Node", ["name": "a"])
    b = try test.insert("Node", ["name": "b"])
    c = try test.insert("Leaf", ["name": "c"])
    d = try test.insert("Leaf", ["name": "d"])
  }

  func names(_ objects: [ManagedObject]) -> String { objects.map { $0["name"].string ?? "?" }.joined() }

  func targets(_ object: ManagedObject, _ name: String) -> String {
    if case .toOne? = object.runtime.slots[name] { return object[toOne: name]?["name"].string ?? "-" }
    return names(object[toMany: name])
  }

  /// Checks the targets now, after a save, and in a new context; then once more with objects that were saved before.
  func expect(
    _ expected: [(String, String)], _ relationship: String, _ location: SourceLocation = #_sourceLocation
  ) throws {
    func check(_ stage: String) throws {
      let objects = Dictionary(
        try test.fetch("Node").map { ($0["name"].string ?? "?", $0) }, uniquingKeysWith: { first, _ in first })
      for (name, targets) in expected {
        let object = try #require(objects[name], "\(stage)")
        #expect(self.targets(object, relationship) == targets, "\(stage): \(name)", sourceLocation: location)
      }
      let disagreements = try LinkAudit.disagreements(test.context, entities: ["Node", "Label"])
      #expect(disagreements == [], "\(stage)", sourceLocation: location)
    }
    try check("before saving")
    try test.context.save()
    try check("after saving")
    try test.reopen()
    try check("reopened")
    #expect(try test.rows("PRAGMA integrity_check") == ["ok"])
  }

  @Test(arguments: [false, true]) func `one to one`(saved: Bool) throws {
    if saved { try test.context.save() }
    a[toOne: "left"] = b
    #expect(b[toOne: "right"] == a)
    c[toOne: "left"] = d
    // Takes b from a, and c from d.
    c[toOne: "left"] = b
    #expect(a[toOne: "left"] == nil)
    #expect(d[toOne: "right"] == nil)
    try expect([("a", "-"), ("b", "-"), ("c", "b"), ("d", "-")], "left")
    try expect([("a", "-"), ("b", "c"), ("c", "-"), ("d", "-")], "right")
  }

  @Test func `one to one with itself`() throws {
    a[toOne: "left"] = a
    #expect(a[toOne: "right"] == a)
    a[toOne: "left"] = b
    #expect(a[toOne: "right"] == nil)
    try expect([("a", "b"), ("b", "-")], "left")
  }

  @Test(arguments: [false, true]) func `one to one that is its own inverse`(saved: Bool) throws {
    if saved { try test.context.save() }
    a[toOne: "partner"] = b
    c[toOne: "partner"] = d
    b[toOne: "partner"] = c
    try expect([("a", "-"), ("b", "c"), ("c", "b"), ("d", "-")], "partner")
  }

  @Test(arguments: [false, true]) func `one to many from both sides`(saved: Bool) throws {
    if saved { try test.context.save() }
    b[toOne: "parent"] = a
    try a.add(c, to: "children")
    d[toMany: "children"] = [b]
    #expect(targets(a, "children") == "c")
    a[toMany: "children"] = [b, c, d]
    d[toOne: "parent"] = nil
    d[toOne: "parent"] = a
    try a.remove(c, from: "children")
    try expect([("a", "bd"), ("b", ""), ("c", ""), ("d", "")], "children")
    try expect([("a", "-"), ("b", "a"), ("c", "-"), ("d", "a")], "parent")
  }

  @Test(arguments: [false, true]) func `ordered one to many`(saved: Bool) throws {
    if saved { try test.context.save() }
    a[toMany: "items"] = [c, b]
    try a.add(d, to: "items", at: 0)
    try expect([("a", "dcb")], "items")
  }

  @Test func `an ordered one to many is reordered, and loses and gains members`() throws {
    a[toMany: "items"] = [b, c, d]
    try test.context.save()
    a[toMany: "items"] = [d, b, c]
    try expect([("a", "dbc")], "items")
    let again = try test.fetch("Node")
    try again[0].remove(again[1], from: "items")
    try again[0].add(again[0], to: "items", at: 1)
    try expect([("a", "dac")], "items")
    let objects = try test.fetch("Node")
    objects[1][toOne: "list"] = objects[0]
    try expect([("a", "dacb")], "items")
  }

  @Test(arguments: [false, true]) func `moving within an ordered relationship`(saved: Bool) throws {
    a[toMany: "items"] = [b, c, d]
    if saved { try test.context.save() }
    try a.add(d, to: "items", at: 0)
    #expect(targets(a, "items") == "dbc")
    try a.add(d, to: "items", at: 2)
    #expect(targets(a, "items") == "bcd")
    try a.add(b, to: "items", at: 99)
    try expect([("a", "cdb")], "items")
  }

  @Test func `an object that moves to another list loses its position`() throws {
    a[toMany: "items"] = [c, d]
    try test.context.save()
    b[toMany: "items"] = [d]
    try test.context.save()
    try expect([("a", "c"), ("b", "d")], "items")
    #expect(try test.rows("SELECT ZLIST, Z_FOK_LIST IS NULL FROM ZNODE ORDER BY Z_PK") == ["- 1", "- 1", "1 0", "2 0"])
  }

  @Test(arguments: [false, true]) func `many to many on one entity`(saved: Bool) throws {
    if saved { try test.context.save() }
    a[toMany: "follows"] = [b, c, a]
    try d.add(c, to: "followers")
    try b.add(d, to: "follows")
    try a.remove(b, from: "follows")
    try expect([("a", "ac"), ("b", "d"), ("c", "d"), ("d", "")], "follows")
    try expect([("a", "a"), ("b", ""), ("c", "a"), ("d", "bc")], "followers")
  }

  @Test(arguments: [false, true]) func `many to many that is its own inverse`(saved: Bool) throws {
    if saved { try test.context.save() }
    try a.add(b, to: "friends")
    try c.add(a, to: "friends")
    try d.add(d, to: "friends")
    try expect([("a", "bc"), ("b", "a"), ("c", "a"), ("d", "d")], "friends")
    #expect(
      try test.rows("SELECT * FROM Z_2FRIENDS ORDER BY 1, 2") == ["1 2", "1 3", "2 1", "3 1", "4 4"])
    let again = try test.fetch("Node")
    try again[1].remove(again[0], from: "friends")
    try again[3].remove(again[3], from: "friends")
    try expect([("a", "c"), ("b", ""), ("c", "a"), ("d", "")], "friends")
  }

  @Test func `a link that the store has in only one direction is visible from both ends`() throws {
    try test.context.save()
    try test.run("INSERT INTO Z_2FRIENDS VALUES (1, 2), (3, 1)")
    try test.reopen()
    try expect([("a", "bc"), ("b", "a"), ("c", "a"), ("d", "")], "friends")
    let again = try test.fetch("Node")
    try again[1].remove(again[0], from: "friends")
    try expect([("a", "c"), ("b", ""), ("c", "a")], "friends")
  }

  @Test(arguments: [false, true]) func `many to many, ordered both ways`(saved: Bool) throws {
    if saved { try test.context.save() }
    a[toMany: "queue"] = [d, b, c]
    b[toMany: "queue"] = [d, c]
    try d.add(c, to: "queues", at: 0)
    try expect([("a", "dbc"), ("b", "dc"), ("c", "d"), ("d", "")], "queue")
    try expect([("a", ""), ("b", "a"), ("c", "ab"), ("d", "cab")], "queues")
    let again = try test.fetch("Node")
    again[0][toMany: "queue"] = [again[2], again[3], again[1]]
    again[3][toMany: "queues"] = [again[0], again[2], again[1]]
    try expect([("a", "cdb"), ("b", "dc"), ("c", "d"), ("d", "")], "queue")
    try expect([("d", "acb")], "queues")
  }

  @Test(arguments: [false, true]) func `an ordered many to many that is its own inverse`(saved: Bool) throws {
    if saved { try test.context.save() }
    a[toMany: "ring"] = [c, b, d]
    try expect([("a", "cbd"), ("b", "a"), ("c", "a"), ("d", "a")], "ring")
    let again = try test.fetch("Node")
    again[0][toMany: "ring"] = [again[3], again[2], again[0], again[1]]
    try again[1].add(again[2], to: "ring", at: 0)
    try expect([("a", "dcab"), ("b", "ca"), ("c", "ab"), ("d", "a")], "ring")
  }

  @Test(arguments: [false, true]) func `many to many with another entity`(saved: Bool) throws {
    let first = try test.insert("Label", ["text": "x"])
    let second = try test.insert("Label", ["text": "y"])
    if saved { try test.context.save() }
    a[toMany: "labels"] = [first, second]
    first[toMany: "nodes"] = [c, a, d]
    try second.remove(a, from: "nodes")
    #expect(a[toMany: "labels"] == [first])
    try test.context.save()
    try test.reopen()
    #expect(try test.fetch("Label").map { names($0[toMany: "nodes"]) } == ["acd", ""])
    #expect(try test.fetch("Node").map { $0[toMany: "labels"].count } == [1, 0, 1, 1])
  }

  @Test(arguments: [false, true]) func `relationships without an inverse`(saved: Bool) throws {
    if saved { try test.context.save() }
    a[toOne: "link"] = c
    b[toOne: "link"] = c
    a[toMany: "links"] = [d, b]
    a[toMany: "path"] = [d, b, a]
    try expect([("a", "c"), ("b", "c"), ("c", "-")], "link")
    try expect([("a", "bd"), ("b", "")], "links")
    try expect([("a", "dba"), ("b", "")], "path")
  }

  @Test(arguments: [false, true]) func `a target has one owner in a to-many without an inverse`(saved: Bool) throws {
    a[toMany: "links"] = [b, c]
    a[toMany: "path"] = [d, b, c]
    if saved { try test.context.save() }
    d[toMany: "links"] = [c]
    try d.add(b, to: "path")
    try expect([("a", "b"), ("d", "c")], "links")
    try expect([("a", "dc"), ("d", "b")], "path")
    #expect(
      try test.rows("SELECT Z_PK, Z2LINKS, Z2PATH FROM ZNODE ORDER BY Z_PK") == ["1 - -", "2 1 4", "3 4 1", "4 - 1"])
  }

  @Test(arguments: [false, true]) func `relationships of a sub-entity`(saved: Bool) throws {
    let label = try test.insert("Label", ["text": "x"])
    let other = try test.insert("Label", ["text": "y"])
    if saved { try test.context.save() }
    c[toOne: "label"] = label
    d[toOne: "label"] = label
    c[toMany: "owned"] = [other, label]
    #expect(c[toOne: "label"] == nil)
    #expect(label[toOne: "leaf"] == d)
    try test.context.save()
    try test.reopen()
    let leaves = try test.fetch("Leaf")
    #expect(leaves.map { $0[toOne: "label"]?["text"].string } == [nil, "x"])
    #expect(leaves[0][toMany: "owned"].map { $0["text"] } == ["y", "x"])
    #expect(try LinkAudit.disagreements(test.context, entities: ["Node", "Label"]) == [])
    // A label's leaf is an instance of a sub-entity, and so is a node's parent here.
    #expect(try test.fetch("Label").map { $0[toOne: "owner"]?.entity.name } == ["Leaf", "Leaf"])
  }

  @Test func `a to-one to a hierarchy stores the entity of its target`() throws {
    a[toOne: "parent"] = b
    b[toOne: "parent"] = c
    try test.context.save()
    #expect(try test.rows("SELECT ZPARENT, Z2_PARENT FROM ZNODE ORDER BY Z_PK") == ["2 2", "3 3", "- -", "- -"])
    b[toOne: "parent"] = a
    a[toOne: "parent"] = nil
    try test.context.save()
    #expect(try test.rows("SELECT ZPARENT, Z2_PARENT FROM ZNODE ORDER BY Z_PK") == ["- -", "1 2", "- -", "- -"])
  }

  @Test(arguments: [false, true]) func `a relationship cannot lead to a deleted object`(saved: Bool) throws {
    a[toMany: "links"] = [b]
    if saved { try test.context.save() }
    try test.context.delete(b)
    if saved { try test.context.save() }
    let expected = { (name: String) in
      """
      error[object.deleted-target]: relationship '\(name)' of entity 'Node' cannot lead to \(b), which was deleted
        set an object that was not deleted, or none
      """
    }
    #expect(message { try a.setObject(b, forKey: "link") } == expected("link"))
    #expect(message { try a.setObjects([c, b], forKey: "friends") } == expected("friends"))
    #expect(message { try a.add(b, to: "path") } == expected("path"))
    try a.remove(b, from: "links")
    try test.context.save()
    #expect(targets(a, "links") == "")
  }

  @Test(.timeLimit(.minutes(1))) func `adding targets does not take longer the more there are`() throws {
    for _ in 0..<20_000 { try a.add(test.insert("Node"), to: "children") }
    #expect(try a.count(forKey: "children") == 20_000)
  }

  @Test func `relationships refuse wrong targets, positions and names`() throws {
    let label = try test.insert("Label")
    let elsewhere = try TestStore(Models.graph).insert("Node")
    #expect(
      message { try a.setObject(label, forKey: "parent") } == """
        error[object.wrong-target]: relationship 'parent' of entity 'Node' leads to 'Node', not to 'Label'
          set an object of entity 'Node' or of one of its sub-entities
        """)
    #expect(
      message { try label.setObject(a, forKey: "leaf") } == """
        error[object.wrong-target]: relationship 'leaf' of entity 'Label' leads to 'Leaf', not to 'Node'
          set an object of entity 'Leaf' or of one of its sub-entities
        """)
    #expect(
      message { try a.add(b, to: "children", at: 0) } == """
        error[object.not-ordered]: relationship 'children' of entity 'Node' is not ordered
          add the object without a position
        """)
    #expect(
      message { try a.setObject(b, forKey: "childern") } == """
        error[object.unknown-property]: entity 'Node' has no to-one relationship 'childern'
          did you mean 'children', which is a to-many relationship?
        """)
    #expect(
      message { try a.setObject(b, forKey: "mother") } == """
        error[object.unknown-property]: entity 'Node' has no to-one relationship 'mother'
          available: 'left', 'link', 'list', 'parent', 'partner', 'right'
        """)
    #expect(
      message { try a.setObject(b, forKey: "children") } == """
        error[object.unknown-property]: entity 'Node' has no to-one relationship 'children'
          'children' is a to-many relationship
        """)
    #expect(
      message { try a.setObjects([b], forKey: "name") } == """
        error[object.unknown-property]: entity 'Node' has no to-many relationship 'name'
          'name' is an attribute
        """)
    // Its store and context were deallocated when it was returned.
    #expect(
      message { try a.setObject(elsewhere, forKey: "parent") } == """
        error[object.other-context]: object Node/t1 belongs to another context
          use the object with the same objectID from this context
        """)
    #expect(
      message {
        _ = try elsewhere.object(forKey: "parent").map { _ in () }; _ = try elsewhere.objects(forKey: "children")
      }
        == """
        error[object.no-context]: object Node/t1 has outlived its context
          keep the context alive as long as its objects are used
        """)
    #expect(try LinkAudit.disagreements(test.context, entities: ["Node", "Label"]) == [])
  }
}
