import HeavyliftModel
import HeavyliftTestSupport
import Testing

@testable import HeavyliftStore

struct ObjectRegisterTests {
  @Test(arguments: Seeds.some(of: 0..<8))
  func `it finds the same objects as a dictionary, whatever is added and removed`(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let test = try TestStore(Models.library)
    let entities = [try test.context.runtime(of: "Book"), try test.context.runtime(of: "Author")]
    let register = ObjectRegister()
    var expected: [ObjectKey: ManagedObject] = [:]
    var peak = 0
    for _ in 0..<3_000 {
      let entity = entities[Int.random(in: 0...1, using: &random)]
      // Keys close together, far apart, and below zero.
      let key = Int64.random(in: -20...60, using: &random) * (Bool.random(using: &random) ? 1 : 1 << 40)
      let place = ObjectKey(root: entity.rootNumber, key: key)
      if Bool.random(using: &random) {
        let object = ManagedObject(entity, key: key, isFault: true, context: test.context)
        // A replaced object removes no other object.
        let replaced = expected[place]
        if Bool.random(using: &random), replaced == nil {
          register.insert(passing: object)
        } else {
          register.insert(object)
        }
        expected[place] = object
        if let replaced { register.remove(replaced) }
      } else if let object = expected.removeValue(forKey: place) {
        register.remove(object)
      }
      peak = max(peak, expected.count)
      #expect(register.count == expected.count)
      #expect(register[place] === expected[place])
    }
    for (key, object) in expected { #expect(register[key] === object) }
    #expect(Set(register.all) == Set(expected.values))
    #expect(register.peak == peak)
  }

  @Test func `new objects stay in order, even if some are removed`() throws {
    let test = try TestStore(Models.library)
    let books = try (0..<5).map { _ in try test.context.insert("Book") }
    #expect(test.context.newObjects == books)
    try test.context.delete(books[0])
    try test.context.delete(books[3])
    #expect(test.context.newObjects == [books[1], books[2], books[4]])
    try test.context.save()
    let later = try test.context.insert("Book")
    try test.context.delete(books[1])
    #expect(test.context.newObjects == [later])
    try test.context.delete(later)
    #expect(!test.context.inserted.isEmpty == false)
    #expect(try test.context.insert("Author") == test.context.newObjects.first)
  }
}
