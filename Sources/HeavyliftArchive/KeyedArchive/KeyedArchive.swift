public import Foundation
public import HeavyliftModel

/// The contents of an `NSKeyedArchiver` archive, as a graph that is safe to walk.
///
/// ```swift
/// let archive = try KeyedArchive(data: blob)
/// if case .object(let root)? = archive.root, root.className == "NSManagedObjectModel" {
///   print(root["NSVersionIdentifiers"])
/// }
/// ```
///
/// No class is ever looked up or instantiated: objects remain as they are in the file, a class name and values by key.
/// Objects may refer to each other in cycles, as in compiled models, so values are decoded only on access.
public final class KeyedArchive: Sendable {
  /// The objects in file order; references are indexes into this array.
  let objects: [PropertyList]
  let topEntries: [String: PropertyList]
  /// The classes of the objects, by the index of the class. Many objects share a class.
  private let classes: [Int: ArchivedClass]
  /// The index of each object's class; nil for anything other than an instance.
  private let classIndexes: [Int?]
  package let byteCount: Int

  /// Reads an archive.
  ///
  /// - Parameters:
  ///   - data: The archive.
  ///   - subject: The name of the archive in errors: "'Library.mom'", "the model cache".
  public convenience init(data: Data, subject: String = "the archive") throws(Diagnostic) {
    do {
      try self.init(parsing: data)
    } catch {
      throw error.diagnostic(in: subject)
    }
  }

  init(parsing data: Data) throws(ArchiveMistake) {
    let parsed = try PropertyList.parse(data)
    guard let entries = parsed.root.dictionary else { throw .notAKeyedArchive("it is not a dictionary") }
    guard let archiver = entries["$archiver"]?.string else { throw .notAKeyedArchive("it lacks '$archiver'") }
    guard archiver == "NSKeyedArchiver" else { throw .notAKeyedArchive("it was written by '\(archiver.prefix(64))'") }
    guard let version = entries["$version"]?.integer else { throw .notAKeyedArchive("it lacks '$version'") }
    guard version == 100_000 else { throw .notAKeyedArchive("its version is \(version), not 100000") }
    guard let objects = entries["$objects"]?.array, !objects.isEmpty else {
      throw .notAKeyedArchive("it lacks '$objects'")
    }
    guard let top = entries["$top"]?.dictionary else { throw .notAKeyedArchive("it lacks '$top'") }
    guard parsed.greatestUID < objects.count else {
      throw .damaged("it refers to object \(parsed.greatestUID), but its object count is \(objects.count)")
    }
    var (classes, classIndexes) = ([Int: ArchivedClass](), [Int?]())
    classIndexes.reserveCapacity(objects.count)
    for (index, object) in objects.enumerated() {
      let reference = try Self.classIndex(of: object, at: index, in: objects)
      classIndexes.append(reference)
      if let reference, classes[reference] == nil { classes[reference] = ArchivedClass(objects[reference]) }
    }
    (self.objects, self.classes, self.classIndexes) = (objects, classes, classIndexes)
    topEntries = top
    byteCount = data.count
  }

  /// Converts mistakes thrown by a reader to errors; `subject` names the archive.
  package static func reading<Result>(
    _ subject: String, _ read: () throws(ArchiveMistake) -> Result
  ) throws(Diagnostic) -> Result {
    do {
      return try read()
    } catch {
      throw error.diagnostic(in: subject)
    }
  }

  /// Returns the index of an instance's class. Every dictionary among the objects must describe either an instance or a
  /// class.
  private static func classIndex(
    of object: PropertyList, at index: Int, in objects: [PropertyList]
  ) throws(ArchiveMistake) -> Int? {
    switch object {
    case .array: throw .damaged("object \(index) of the archive is a bare array")
    case .dictionary(let entries):
      if entries["$classname"]?.string != nil { return nil }
      guard let reference = entries["$class"]?.uid, objects[reference].dictionary?["$classname"]?.string != nil else {
        throw .damaged("object \(index) of the archive has no class")
      }
      return entries["$classname"] == nil ? reference : nil
    default: return nil
    }
  }

  /// The archived root object; nil if the archive has no top-level value named `root`.
  public var root: ArchivedValue? { self["root"] }

  /// Returns a top-level value by name. Most archives have only one, named `root`.
  public subscript(name: String) -> ArchivedValue? { topEntries[name].map(value) }

  /// Returns the value itself, or the object that it refers to.
  func value(_ list: PropertyList) -> ArchivedValue {
    guard case .uid(let index) = list else { return plainValue(list) }
    // The string `$null` represents nil only as the first object.
    if index == 0, objects[index] == .string("$null") { return .null }
    guard case .dictionary = objects[index] else { return plainValue(objects[index]) }
    let object = ArchivedObject(archive: self, index: index)
    return classIndexes[index] == nil ? .object(object) : object.unwrapped
  }

  /// Returns the class of an instance; nil for any other object.
  func archivedClass(ofObjectAt index: Int) -> ArchivedClass? { classIndexes[index].flatMap { classes[$0] } }

  private func plainValue(_ list: PropertyList) -> ArchivedValue {
    switch list {
    case .boolean(let value): .boolean(value)
    case .integer(let value): .integer(value)
    case .unsigned(let value): .decimal(Decimal(value))
    case .real(let value): .real(value)
    case .string(let value): .string(value)
    case .data(let value): .data(value)
    case .date(let value): .date(value)
    case .array(let elements): .array(ArchivedCollection(archive: self, elements: elements))
    case .dictionary(let entries):
      .dictionary(
        ArchivedDictionary(archive: self, keys: entries.keys.map { .string($0) }, values: Array(entries.values)))
    // A reference to a reference is not followed: archivers never write one, and two could form a cycle.
    case .uid: .null
    }
  }

  /// Returns the object that a reference points to, undecoded.
  func resolved(_ list: PropertyList) -> PropertyList {
    if case .uid(let index) = list { objects[index] } else { list }
  }
}
