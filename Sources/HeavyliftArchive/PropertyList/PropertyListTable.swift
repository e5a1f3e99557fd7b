import Foundation

/// A property list as the binary form stores it: a table of objects that refer to each other by number.
///
/// The thousands of objects of a keyed archive share a few sets of keys. As values of `PropertyList`, each would be a
/// dictionary of its own.
final class PropertyListTable: Sendable {
  enum Object: Sendable {
    case scalar(PropertyList)
    /// The places of the elements' numbers in `references`.
    case array(Range<Int>)
    /// The places of the keys' numbers in `references`, which are sorted if there are many. As many values follow them.
    case dictionary(Range<Int>)
  }

  /// Objects in real archives have a few keys. In a longer list, each is found in a few steps, too.
  static let mostUnsortedKeys = 32

  private let objects: [Object]
  private let references: [Int]
  /// The numbers of the texts that are keys. Each text has one number, wherever it is a key.
  private let keys: [String: Int]
  let root: Int
  /// The highest reference to an object of a keyed archive; -1 if there is none.
  let greatestUID: Int

  init(objects: [Object], references: [Int], keys: [String: Int], root: Int, greatestUID: Int) {
    (self.objects, self.references, self.keys) = (objects, references, keys)
    (self.root, self.greatestUID) = (root, greatestUID)
  }

  subscript(number: Int) -> Object { objects[number] }

  /// Returns the number of a key; nil if no dictionary has it.
  func key(_ text: String) -> Int? { keys[text] }

  /// Returns the number of the value of a key; nil if the object is not a dictionary, or has no such key.
  func value(of key: Int?, in number: Int) -> Int? {
    guard case .dictionary(let places) = objects[number], let key, let place = lastPlace(of: key, among: places)
    else { return nil }
    return references[place + places.count]
  }

  /// Returns the place of a key in a dictionary. If it occurs twice, the last entry counts.
  private func lastPlace(of key: Int, among places: Range<Int>) -> Int? {
    guard places.count > Self.mostUnsortedKeys else { return places.last { references[$0] == key } }
    var (low, high) = (places.lowerBound, places.upperBound)
    while low < high {
      let middle = (low + high) / 2
      if references[middle] <= key { low = middle + 1 } else { high = middle }
    }
    return low > places.lowerBound && references[low - 1] == key ? low - 1 : nil
  }

  func part(_ number: Int) -> PropertyListPart { PropertyListPart(table: self, number: number) }

  /// Returns the elements of an array, or the keys of a dictionary.
  func parts(_ places: Range<Int>) -> PropertyListParts { PropertyListParts(table: self, numbers: references[places]) }

  /// Returns the values of a dictionary, whose keys are at these places.
  func parts(valuesOf keys: Range<Int>) -> PropertyListParts { parts(keys.upperBound..<(keys.upperBound + keys.count)) }

  /// The list as a value.
  var list: PropertyList {
    // Shared parts are built once.
    var built = [PropertyList?](repeating: nil, count: objects.count)
    func value(_ number: Int) -> PropertyList {
      if let known = built[number] { return known }
      let list: PropertyList
      switch objects[number] {
      case .scalar(let scalar): return scalar
      case .array(let places): list = .array(references[places].map { value($0) })
      case .dictionary(let places):
        let entries = places.map { (part(references[$0]).string ?? "", value(references[$0 + places.count])) }
        list = .dictionary(Dictionary(entries) { $1 })
      }
      built[number] = list
      return list
    }
    return value(root)
  }
}

/// A value in a table.
struct PropertyListPart: Sendable {
  let table: PropertyListTable
  let number: Int

  var form: PropertyListTable.Object { table[number] }

  var scalar: PropertyList? {
    if case .scalar(let value) = form { value } else { nil }
  }

  var boolean: Bool? { scalar?.boolean }
  var integer: Int64? { scalar?.integer }
  var string: String? { scalar?.string }
  var data: Data? { scalar?.data }
  var uid: Int? { scalar?.uid }

  /// The elements, if it is an array.
  var array: PropertyListParts? {
    if case .array(let places) = form { table.parts(places) } else { nil }
  }

  var isDictionary: Bool {
    if case .dictionary = form { true } else { false }
  }

  /// The keys, if it is a dictionary.
  var keys: [String] {
    if case .dictionary(let places) = form { table.parts(places).compactMap(\.string) } else { [] }
  }

  /// Returns the value of a key, if it is a dictionary that has this key.
  subscript(key: String) -> PropertyListPart? { value(of: table.key(key)) }

  /// Returns the value of a key that has this number in the table.
  func value(of key: Int?) -> PropertyListPart? { table.value(of: key, in: number).map(table.part) }

  /// Returns true if both are the same part, or equal scalars.
  func isSame(as other: PropertyListPart) -> Bool {
    number == other.number || scalar.map { $0 == other.scalar } ?? false
  }
}

/// The elements of an array in a table, or the keys or values of a dictionary.
struct PropertyListParts: RandomAccessCollection, Sendable {
  let table: PropertyListTable
  let numbers: ArraySlice<Int>

  var startIndex: Int { 0 }
  var endIndex: Int { numbers.count }

  subscript(position: Int) -> PropertyListPart { table.part(numbers[numbers.startIndex + position]) }
}
