import HeavyliftModel
import Testing

@testable import HeavyliftStore

/// Deletions in a store under construction, where an object can be created again with the same key.
struct RecreatedObjectTests {
  /// An owner that is linked to two targets by a many-to-many relationship.
  private func linked(_ rule: DeleteRule) throws -> (TestStore, ManagedObject, [ManagedObject]) {
    let test = try TestStore(DeletingTests.model(rule))
    test.context.beginBulkLoad(firstKeys: [:])
    let owner = try test.insert("Owner")
    let targets = [try test.insert("Target"), try test.insert("Target")]
    for target in targets { try target.add(owner, to: "links") }
    try test.context.flush()
    return (test, owner, targets)
  }

  private static func links(_ test: TestStore) throws -> [String] {
    try test.rows("SELECT * FROM Z_1LINKED ORDER BY 1, 2")
  }

  @Test(arguments: [DeleteRule.nullify, .noAction], [false, true])
  func `an object that is created again and linked again has its links`(rule: DeleteRule, fromOwner: Bool) throws {
    let (test, owner, targets) = try linked(rule)
    let before = try Self.links(test)
    #expect(before.count == 2)
    try test.context.delete(owner)
    let new = try test.context.insert("Owner", key: owner.primaryKey)
    for target in targets {
      if fromOwner { try new.add(target, to: "linked") } else { try target.add(new, to: "links") }
    }
    try test.context.flush()
    #expect(try Self.links(test) == before)
    #expect(new[toMany: "linked"] == targets)
  }

  @Test(arguments: [DeleteRule.nullify, .noAction])
  func `a target that is created again and linked again has its links`(rule: DeleteRule) throws {
    let (test, owner, targets) = try linked(rule)
    let before = try Self.links(test)
    try test.context.delete(targets[0])
    try owner.add(test.context.insert("Target", key: targets[0].primaryKey), to: "linked")
    try test.context.flush()
    #expect(try Self.links(test) == before)
  }

  @Test(arguments: [false, true]) func `an object that is created again replaces the deleted one`(
    isFlushed: Bool
  ) throws {
    let test = try TestStore(DeletingTests.model(.nullify))
    test.context.beginBulkLoad(firstKeys: [:])
    let old = try test.insert("Owner")
    try test.context.delete(old)
    if isFlushed { try test.context.flush() }
    #expect(try test.context.existingFault(numbered: old.entityNumber, key: old.primaryKey) == nil)
    try test.context.insert("Owner", key: old.primaryKey)["name"] = "new"
    try test.context.flush()
    _ = try test.insert("Owner")
    let found = try test.context.fault("Owner", key: old.primaryKey)
    #expect(found !== old)
    #expect(found["name"] == "new")
    found["name"] = "changed"
    try test.context.flush()
    #expect(try test.rows("SELECT ZNAME FROM ZOWNER WHERE Z_PK = 1") == ["changed"])
  }

  @Test(arguments: [false, true], [false, true]) func `links to a deleted object can be removed`(
    isFlushed: Bool, setsAll: Bool
  ) throws {
    for rule in [DeleteRule.noAction, .deny] {
      let (test, owner, targets) = try linked(rule)
      try test.context.delete(owner)
      if isFlushed { try test.context.flush() }
      for target in targets {
        if setsAll { try target.setObjects([], forKey: "links") } else { try target.remove(owner, from: "links") }
      }
      try test.context.flush()
      #expect(try Self.links(test) == [])
      #expect(try test.context.deletionsAgainstRules().isEmpty)
    }
  }

  @Test func `a deletion stays denied while one target refers to the object`() throws {
    let (test, owner, targets) = try linked(.deny)
    try test.context.delete(owner)
    try targets[0].remove(owner, from: "links")
    try test.context.flush()
    #expect(try test.context.deletionsAgainstRules().map(\.keys) == [[owner.primaryKey]])
  }

  @Test(arguments: [false, true], [false, true]) func `links in a join table go with a deleted object`(
    isFlushedBefore: Bool, isFlushedAfter: Bool
  ) throws {
    let (test, owner, _) = try linked(.noAction)
    let target = try test.insert("Target")
    try target.add(owner, to: "links")
    if isFlushedBefore { try test.context.flush() }
    try test.context.delete(owner)
    if isFlushedAfter { try test.context.flush() }
    try test.context.flush()
    #expect(try Self.links(test) == [])
  }
}
