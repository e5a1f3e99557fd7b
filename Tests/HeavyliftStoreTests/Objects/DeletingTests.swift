import HeavyliftModel
import HeavyliftTestSupport
import Testing

@testable import HeavyliftStore

struct DeletingTests {
  /// An owner with targets, and the owner's delete rule.
  static func model(_ rule: DeleteRule, inverse: Bool = true, targetIsOptional: Bool = true) -> ManagedObjectModel {
    ManagedObjectModel(entities: [
      EntityDescription(
        name: "Owner", attributes: [Models.attribute("name", .string)],
        relationships: [
          Models.toMany("many", "Target", inverse ? "owner" : nil, deleteRule: rule),
          Models.toOne("one", "Target", inverse ? "single" : nil, deleteRule: rule),
          Models.toMany("linked", "Target", inverse ? "links" : nil, deleteRule: rule),
        ]),
      EntityDescription(
        name: "Target", attributes: [Models.attribute("name", .string)],
        relationships: inverse
          ? [
            Models.toOne("owner", "Owner", "many", isOptional: targetIsOptional),
            Models.toOne("single", "Owner", "one"), Models.toMany("links", "Owner", "linked"),
          ] : []),
    ])
  }

  func owner(_ test: TestStore) throws -> (ManagedObject, [ManagedObject]) {
    let owner = try test.insert("Owner")
    let targets = try ["a", "b", "c", "d"].map { try test.insert("Target", ["name": .string($0)]) }
    owner[toMany: "many"] = [targets[0]]
    owner[toOne: "one"] = targets[1]
    owner[toMany: "linked"] = [targets[2], targets[3]]
    return (owner, targets)
  }

  @Test(arguments: [false, true]) func `nullify unlinks the targets`(unread: Bool) throws {
    let test = try TestStore(Self.model(.nullify))
    let (owner, targets) = try owner(test)
    try test.context.save()
    if unread {
      try test.reopen()
      try test.context.delete(try test.fetch("Owner")[0])
    } else {
      try test.context.delete(owner)
      #expect(targets[0][toOne: "owner"] == nil)
    }
    try test.context.save()
    #expect(try test.rows("SELECT count(*) FROM ZOWNER") == ["0"])
    #expect(try test.rows("SELECT ZOWNER, ZSINGLE FROM ZTARGET") == ["- -", "- -", "- -", "- -"])
    #expect(try test.rows("SELECT * FROM Z_1LINKED") == [])
  }

  @Test(arguments: [false, true]) func `cascade deletes the targets`(unread: Bool) throws {
    let test = try TestStore(Self.model(.cascade))
    let (owner, targets) = try owner(test)
    let other = try test.insert("Owner", ["name": "other"])
    try targets[3].add(other, to: "links")
    try test.context.save()
    if unread {
      try test.reopen()
      try test.context.delete(try test.fetch("Owner")[0])
    } else {
      try test.context.delete(owner)
      #expect(targets.allSatisfy { $0.isDeleted })
      #expect(other[toMany: "linked"] == [])
    }
    try test.context.save()
    #expect(try test.rows("SELECT ZNAME FROM ZOWNER") == ["other"])
    #expect(try test.rows("SELECT count(*) FROM ZTARGET") == ["0"])
    #expect(try test.rows("SELECT * FROM Z_1LINKED") == [])
  }

  @Test func `deny refuses while there are targets`() throws {
    let test = try TestStore(Self.model(.deny))
    let (owner, targets) = try owner(test)
    try test.context.save()
    try test.context.delete(owner)
    let expected = """
      Owner/p1: error[1600]: 'one' prevents deletion while it refers to 1 object
        first delete that object, or remove it from the relationship
      Owner/p1: error[1600]: 'linked' prevents deletion while it refers to 2 objects
        first delete those objects, or remove them from the relationship
      Owner/p1: error[1600]: 'many' prevents deletion while it refers to 1 object
        first delete that object, or remove it from the relationship
      """
    #expect(message { try test.context.save() } == expected)
    #expect(try test.rows("SELECT count(*) FROM ZOWNER") == ["1"])
    test.context.rollback()
    #expect(!owner.isDeleted)
    #expect(owner[toMany: "linked"] == [targets[2], targets[3]])
    try test.context.delete(owner)
    for target in targets { try test.context.delete(target) }
    try test.context.save()
    #expect(try test.rows("SELECT (SELECT count(*) FROM ZOWNER), (SELECT count(*) FROM ZTARGET)") == ["0 0"])
    #expect(try test.rows("SELECT * FROM Z_1LINKED") == [])
  }

  @Test func `no action leaves the targets as they are`() throws {
    let test = try TestStore(Self.model(.noAction))
    let (owner, targets) = try owner(test)
    try test.context.save()
    try test.context.delete(owner)
    try test.context.save()
    #expect(try test.rows("SELECT ZOWNER, ZSINGLE FROM ZTARGET") == ["1 -", "- 1", "- -", "- -"])
    // Links belong to both ends; a link without an end means nothing.
    #expect(try test.rows("SELECT * FROM Z_1LINKED") == [])
    try test.reopen()
    let target = try #require(try test.fetch("Target").first)
    #expect(
      message { _ = try target.object(forKey: "owner")?.value(forKey: "name") } == """
        error[store.missing-object]: store '\(test.url.path)' has no object Owner/p1
          it was deleted or never existed: clear the relationships that refer to it, or restore it from a backup
        """)
    // A dangling reference can be replaced.
    let newOwner = try test.insert("Owner")
    try target.setObject(newOwner, forKey: "owner")
    try test.context.save()
    #expect(try test.rows("SELECT ZOWNER FROM ZTARGET ORDER BY Z_PK LIMIT 1") == ["2"])
    _ = targets
  }

  @Test func `no action on an object that was never saved leaves nothing behind`() throws {
    let test = try TestStore(Self.model(.noAction))
    let (owner, targets) = try owner(test)
    try test.context.delete(owner)
    try test.context.save()
    #expect(try test.rows("SELECT ZOWNER, ZSINGLE FROM ZTARGET") == ["- -", "- -", "- -", "- -"])
    #expect(try test.rows("SELECT * FROM Z_1LINKED") == [])
    #expect(targets[0][toOne: "owner"] == nil)
    #expect(targets[2][toMany: "links"] == [])
    try test.context.save()
  }

  @Test func `a target without an inverse that is deleted before it was saved leaves nothing behind`() throws {
    let test = try TestStore(Self.model(.nullify, inverse: false))
    let (owner, targets) = try owner(test)
    try test.context.delete(targets[1])
    try test.context.delete(targets[2])
    try test.context.save()
    #expect(try test.rows("SELECT ZONE FROM ZOWNER") == ["-"])
    #expect(try test.rows("SELECT Z_PK, Z1LINKED FROM ZTARGET ORDER BY 1") == ["1 -", "2 1"])
    #expect(owner[toOne: "one"] == nil)
    #expect(owner[toMany: "linked"] == [targets[3]])
  }

  @Test func `deleting a target without an inverse deletes its link`() throws {
    let test = try TestStore(Self.model(.nullify, inverse: false))
    let (owner, targets) = try owner(test)
    try test.context.save()
    try test.context.delete(targets[2])
    #expect(owner[toMany: "linked"] == [targets[3]])
    try test.context.save()
    #expect(try test.rows("SELECT Z_PK, Z1LINKED FROM ZTARGET ORDER BY Z_PK") == ["1 -", "2 -", "4 1"])
  }

  @Test(arguments: [
    (DeleteRule.nullify, ["1 - -", "2 - -", "3 - -", "4 - -"]), (.cascade, []),
    (.noAction, ["1 1 -", "2 - -", "3 - 1", "4 - 1"]),
  ]) func `an owner whose targets have no inverse is deleted`(rule: DeleteRule, rows: [String]) throws {
    let test = try TestStore(Self.model(rule, inverse: false))
    let (owner, _) = try owner(test)
    try test.context.save()
    try test.context.delete(owner)
    try test.context.save()
    #expect(try test.rows("SELECT Z_PK, Z1MANY, Z1LINKED FROM ZTARGET ORDER BY Z_PK") == rows)
  }

  @Test func `a mandatory inverse that nullify empties is reported before anything is saved`() throws {
    let test = try TestStore(Self.model(.nullify, targetIsOptional: false))
    let (owner, targets) = try owner(test)
    for target in targets { target[toOne: "owner"] = owner }
    try test.context.save()
    try test.context.delete(owner)
    #expect(
      message { try test.context.save() }
        == (1...4).map {
          """
          Target/p\($0): error[1570]: 'owner' is mandatory but has no target
            set it to an object, or make it optional in the model
          """
        }.joined(separator: "\n"))
    #expect(try test.rows("SELECT count(*) FROM ZOWNER") == ["1"])
  }

  @Test func `a chain of cascades can be as long as the store`() throws {
    let count = 100_000
    let model = ManagedObjectModel(entities: [
      EntityDescription(
        name: "Link",
        relationships: [
          Models.toOne("next", "Link", "previous", deleteRule: .cascade), Models.toOne("previous", "Link", "next"),
        ])
    ])
    let test = try TestStore(model)
    try test.run(
      """
      WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < \(count))
      INSERT INTO ZLINK (Z_PK, Z_ENT, Z_OPT, ZNEXT, ZPREVIOUS)
      SELECT i, 1, 1, CASE WHEN i < \(count) THEN i + 1 END, CASE WHEN i > 1 THEN i - 1 END FROM n;
      UPDATE Z_PRIMARYKEY SET Z_MAX = \(count);
      """)
    var request = FetchRequest(entityName: "Link")
    request.fetchLimit = 1
    try test.context.delete(try test.context.fetch(request)[0])
    #expect(test.context.deletedObjects.count == count)
    try test.context.save()
    #expect(try test.rows("SELECT count(*) FROM ZLINK") == ["0"])
  }

  @Test func `cyclic cascades end`() throws {
    let model = ManagedObjectModel(entities: [
      EntityDescription(
        name: "Link",
        relationships: [
          Models.toOne("next", "Link", "previous", deleteRule: .cascade),
          Models.toOne("previous", "Link", "next", deleteRule: .cascade),
        ])
    ])
    let test = try TestStore(model)
    let links = try (0..<3).map { _ in try test.insert("Link") }
    for index in 0..<3 { links[index][toOne: "next"] = links[(index + 1) % 3] }
    let itself = try test.insert("Link")
    itself[toOne: "next"] = itself
    try test.context.save()
    try test.context.delete(links[1])
    try test.context.delete(itself)
    #expect(test.context.deletedObjects.count == 4)
    try test.context.save()
    #expect(try test.rows("SELECT count(*) FROM ZLINK") == ["0"])
  }

  @Test func `a deleted object is gone in its context and in others`() throws {
    let test = try TestStore(Models.library)
    let book = try test.insert("Book", ["title": "x"])
    try test.context.save()
    try test.context.delete(book)
    #expect(book.isDeleted)
    #expect(!book.isUpdated)
    #expect(try test.fetch("Book") == [])
    #expect(try test.fetch("Book") { $0.includesPendingChanges = false } == [book])
    #expect(try test.context.existingObject(with: book.objectID) == nil)
    try test.context.save()
    #expect(book.isDeleted)
    #expect(!book.hasChanges)
    #expect(
      message { try book.setValue("y", forKey: "title") } == """
        error[store.missing-object]: store '\(test.url.path)' has no object Book/p1
          it was deleted or never existed: clear the relationships that refer to it, or restore it from a backup
        """)
    try test.context.delete(book)
    #expect(!test.context.hasChanges)
  }

  @Test func `an object created and deleted between two saves is never written`() throws {
    let test = try TestStore(Models.library)
    let author = try test.insert("Author")
    let book = try test.insert("Book")
    book[toOne: "author"] = author
    try test.context.delete(author)
    #expect(book.isDeleted)
    #expect(!test.context.hasChanges)
    try test.context.save()
    #expect(try test.rows("SELECT count(*), (SELECT max(Z_MAX) FROM Z_PRIMARYKEY) FROM ZBOOK") == ["0 0"])
    test.context.rollback()
    #expect(book.context == nil)
  }

  @Test(arguments: [DeleteRule.nullify, .cascade, .noAction], [false, true])
  func `an object whose targets have no rows can be deleted`(rule: DeleteRule, inverse: Bool) throws {
    let test = try TestStore(Self.model(rule, inverse: inverse))
    _ = try owner(test)
    try test.context.save()
    try test.run("DELETE FROM ZTARGET")
    try test.reopen()
    let owner = try #require(try test.fetch("Owner").first)
    try test.context.delete(owner)
    try test.context.save()
    #expect(try test.rows("SELECT count(*) FROM ZOWNER") == ["0"])
  }

  @Test func `a deletion that fails half-way is not saved`() throws {
    let test = try TestStore(Self.model(.nullify))
    _ = try owner(test)
    try test.context.save()
    try test.run("UPDATE ZTARGET SET ZNAME = x'00' WHERE Z_PK = 2")
    try test.reopen()
    let owner = try #require(try test.fetch("Owner").first)
    let deleting = message { try test.context.delete(owner) }
    #expect(deleting?.hasPrefix("error[store.bad-value]: store '\(test.url.path)' holds a blob") == true)
    #expect(message { try test.context.save() } == deleting)
    test.context.rollback()
    try test.context.save()
    #expect(try test.rows("SELECT count(*) FROM ZOWNER") == ["1"])
  }

  @Test func `an object of another context is refused`() throws {
    let test = try TestStore(Models.library)
    let other = ManagedObjectContext(store: test.store)
    let book = try other.insert("Book")
    #expect(
      message { try test.context.delete(book) } == """
        error[object.other-context]: object Book/t1 belongs to another context
          use the object with the same objectID from this context
        """)
  }
}
