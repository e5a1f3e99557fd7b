import HeavyliftTestSupport

/// One operation of a program on a context. Numbers are taken modulo the number of choices, so any sequence of
/// operations, and any subsequence, is valid.
enum GraphOperation: Hashable, CustomStringConvertible {
  case insert(entity: Int)
  case setValue(object: Int, value: Int)
  case setTargets(object: Int, relationship: Int, targets: [Int])
  case add(object: Int, relationship: Int, target: Int, position: Int)
  case remove(object: Int, relationship: Int, target: Int)
  case delete(object: Int)
  case save, rollback, reopen

  static func random(using generator: inout SeededGenerator) -> GraphOperation {
    func number(_ bound: Int) -> Int { Int.random(in: 0..<bound, using: &generator) }
    switch number(100) {
    case 0..<16: return .insert(entity: number(3))
    case 16..<24: return .setValue(object: number(1000), value: number(5))
    case 24..<44:
      let targets = (0..<number(4)).map { _ in number(1000) }
      return .setTargets(object: number(1000), relationship: number(1000), targets: targets)
    case 44..<66:
      return .add(object: number(1000), relationship: number(1000), target: number(1000), position: number(4))
    case 66..<74: return .remove(object: number(1000), relationship: number(1000), target: number(1000))
    case 74..<81: return .delete(object: number(1000))
    case 81..<84: return .rollback
    case 84..<93: return .save
    default: return .reopen
    }
  }

  var description: String {
    switch self {
    case .insert(let entity): ".insert(entity: \(entity))"
    case .setValue(let object, let value): ".setValue(object: \(object), value: \(value))"
    case .setTargets(let object, let relationship, let targets):
      ".setTargets(object: \(object), relationship: \(relationship), targets: \(targets))"
    case .add(let object, let relationship, let target, let position):
      ".add(object: \(object), relationship: \(relationship), target: \(target), position: \(position))"
    case .remove(let object, let relationship, let target):
      ".remove(object: \(object), relationship: \(relationship), target: \(target))"
    case .delete(let object): ".delete(object: \(object))"
    case .save: ".save"
    case .rollback: ".rollback"
    case .reopen: ".reopen"
    }
  }
}
