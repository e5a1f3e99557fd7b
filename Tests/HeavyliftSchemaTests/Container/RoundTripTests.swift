import Foundation
import HeavyliftSchema
import HeavyliftTestSupport
import Testing

@Suite struct RoundTripTests {
  @Test(arguments: Seeds.some(of: 1..<21), StorageProfile.allCases)
  func `values of every type are the same after the store was closed, opened, and written again`(
    seed: UInt64, profile: StorageProfile
  ) throws {
    var random = SeededGenerator(seed: seed)
    let folder = try TemporaryFolder()
    let schema = try Schema([EveryType.self], profile: profile)
    let container = try ModelContainer(for: schema, at: folder.appending("a.sqlite"))
    var checks: [[@Sendable (EveryType) -> Bool]] = []
    let context = try ModelContext(container)
    for _ in 0..<3 {
      let object = try context.insert(EveryType.self)
      checks.append(EveryAttribute.all.map { $0.change(object, &random) })
    }
    try context.save()
    try expect(container, checks, seed)
    let dump = try StoreText.dump(container)

    // Another store with the same values has the same contents.
    let copy = try ModelContainer(for: schema, at: folder.appending("b.sqlite"))
    let target = try ModelContext(copy)
    for source in try ModelContext(container).fetch(EveryType.self) {
      let object = try target.insert(EveryType.self)
      for attribute in EveryAttribute.all { attribute.copy(source, object) }
    }
    try target.save()
    #expect(try StoreText.dump(copy) == dump, "seed \(seed)")
  }

  private func expect(
    _ container: ModelContainer, _ checks: [[@Sendable (EveryType) -> Bool]], _ seed: UInt64
  ) throws {
    let context = try ModelContext(container)
    let objects = try context.fetch(EveryType.self)
    #expect(objects.count == checks.count)
    for (object, checks) in zip(objects, checks) {
      for (place, check) in checks.enumerated() {
        #expect(check(object), "seed \(seed), attribute \(place)")
      }
    }
    #expect(context.failure == nil)
    #expect(!context.hasChanges)
  }

  @Test(arguments: StorageProfile.allCases)
  func `a value that is set again is not a change`(profile: StorageProfile) throws {
    let folder = try TemporaryFolder()
    let schema = try Schema([EveryType.self], profile: profile)
    let container = try ModelContainer(for: schema, at: folder.appending("a.sqlite"))
    let context = try ModelContext(container)
    var random = SeededGenerator(seed: 1)
    let object = try context.insert(EveryType.self)
    for attribute in EveryAttribute.all { _ = attribute.change(object, &random) }
    try context.save()
    for attribute in EveryAttribute.all { attribute.copy(object, object) }
    #expect(object.managedObject.changedAttributeNames == [])
  }

  @Test(arguments: StorageProfile.allCases)
  func `new objects of every type have their initial values`(profile: StorageProfile) throws {
    let folder = try TemporaryFolder()
    let schema = try Schema([EveryType.self], profile: profile)
    let container = try ModelContainer(for: schema, at: folder.appending("a.sqlite"))
    let object = try ModelContext(container).insert(EveryType.self)
    #expect(object.defaultInt == -3)
    #expect(object.defaultString == "é")
    #expect(object.defaultText == .second)
    #expect(object.defaultNumber == .two)
    #expect(object.defaultCase == .south)
    #expect(object.defaultStruct == Point(x: 1, y: nil))
    #expect(object.defaultNested == Segment(start: Point(x: 0, y: 1), kind: .first, marks: [1]))
    #expect(object.defaultNumbers == [1, 2])
    #expect(object.optionalDefaultStructs == [])
    #expect(object.optionalDefaultURL == URL(filePath: "/a"))
    #expect(object.optionalStruct == nil)
  }
}
