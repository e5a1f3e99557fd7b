import Foundation
import HeavyliftArchive

/// Changes values, keys and references of a property list, and writes it as a valid file again: random changes of bytes
/// hardly ever get past the reader's first checks.
///
/// One mutation in three is libFuzzer's own.
@_cdecl("LLVMFuzzerCustomMutator")
public func mutatePropertyList(
  _ data: UnsafeMutablePointer<UInt8>, _ count: Int, _ capacity: Int, _ seed: CUnsignedInt
) -> Int {
  var random = FuzzRandom(seed: seed)
  guard Int.random(in: 0..<3, using: &random) > 0, var list = try? PropertyList(data: Data(bytes: data, count: count))
  else { return mutateBytes(data, count, capacity) }
  for _ in 0..<Int.random(in: 1...3, using: &random) { list.mutate(&random) }
  let written = [UInt8](list.binaryData)
  // A truncated list is not a property list.
  guard written.count <= capacity else { return mutateBytes(data, count, capacity) }
  return store(written, in: data, capacity)
}

extension PropertyList {
  fileprivate mutating func mutate(_ random: inout FuzzRandom) {
    let other = self[Int.random(in: 0..<nodeCount, using: &random)]
    replace(Int.random(in: 0..<nodeCount, using: &random)) { $0.change(other, &random) }
  }

  private mutating func change(_ other: PropertyList, _ random: inout FuzzRandom) {
    if Int.random(in: 0..<4, using: &random) == 0 {
      self = other
      return
    }
    switch self {
    case .boolean(let value): self = .boolean(!value)
    case .integer(let value):
      let numbers = [
        value &+ 1, value &- 1, 0 &- value, 0, 1 << 32, .max, .min,
        value ^ 1 << Int64.random(in: 0..<63, using: &random),
      ]
      self = .integer(numbers.randomElement(using: &random) ?? 0)
    case .unsigned(let value): self = .integer(Int64(truncatingIfNeeded: value))
    case .real, .date:
      let numbers: [Double] = [0, -0.0, .nan, .infinity, -1e300, 1e300, 0.1, 0x1p53]
      let number = numbers.randomElement(using: &random) ?? 0
      self = Bool.random(using: &random) ? .real(number) : .date(Date(timeIntervalSinceReferenceDate: number))
    case .data(var bytes):
      if bytes.isEmpty || Bool.random(using: &random) {
        bytes.append(UInt8.random(in: 0...255, using: &random))
      } else {
        bytes[bytes.startIndex + Int.random(in: 0..<bytes.count, using: &random)] ^=
          1 << UInt8.random(in: 0..<8, using: &random)
      }
      self = .data(bytes)
    case .string(let text):
      let texts = [
        "", "$null", text + text, String(text.dropFirst()), text + ".x", "NSConstantValueExpression", "\u{0}",
        "e\u{301}", "%@",
      ]
      self = .string(texts.randomElement(using: &random) ?? "")
    case .uid(let value):
      self = .uid(
        max(
          0,
          [value + 1, value - 1, 0, value / 2, Int.random(in: 0..<64, using: &random)].randomElement(using: &random)
            ?? 0))
    case .array(var elements):
      if elements.isEmpty || Int.random(in: 0..<3, using: &random) == 0 {
        elements.insert(other, at: Int.random(in: 0...elements.count, using: &random))
      } else if Bool.random(using: &random) {
        elements.remove(at: Int.random(in: 0..<elements.count, using: &random))
      } else {
        elements.swapAt(
          Int.random(in: 0..<elements.count, using: &random), Int.random(in: 0..<elements.count, using: &random))
      }
      self = .array(elements)
    case .dictionary(var entries):
      // Sorted: an input must change the same way in every process.
      let key = entries.keys.sorted().randomElement(using: &random) ?? "NS.keys"
      switch Int.random(in: 0..<3, using: &random) {
      case 0: entries[key] = nil
      case 1: entries[key] = other
      default: entries[other.string ?? "$class"] = entries[key]
      }
      self = .dictionary(entries)
    }
  }

  // MARK: Nodes, numbered in the order in which they are written

  private var nodeCount: Int {
    switch self {
    case .array(let elements): elements.reduce(1) { $0 + $1.nodeCount }
    case .dictionary(let entries): entries.values.reduce(1) { $0 + $1.nodeCount }
    default: 1
    }
  }

  private subscript(node: Int) -> PropertyList {
    var copy = self
    var found = self
    copy.replace(node) { found = $0 }
    return found
  }

  private mutating func replace(_ node: Int, _ change: (inout PropertyList) -> Void) {
    if node == 0 { return change(&self) }
    var remaining = node - 1
    func enter(_ child: inout PropertyList) -> Bool {
      let count = child.nodeCount
      defer { remaining -= count }
      guard remaining < count else { return false }
      child.replace(remaining, change)
      return true
    }
    switch self {
    case .array(var elements):
      for index in elements.indices where enter(&elements[index]) { break }
      self = .array(elements)
    case .dictionary(var entries):
      for key in entries.keys.sorted() {
        guard var child = entries[key], enter(&child) else { continue }
        entries[key] = child
        break
      }
      self = .dictionary(entries)
    default: break
    }
  }
}
