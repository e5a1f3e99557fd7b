import Foundation
import HeavyliftModel

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
  let objects: [PropertyListPart]
  private let topEntries: PropertyListPart
  /// The classes of the objects. Many objects share a class.
  private let classes: [ArchivedClass]
  /// The place of each object's class among them; nil for anything other than an instance.
  private let classPlaces: [Int?]
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

  package init(parsing data: Data) throws(ArchiveMistake) {
    let table = try PropertyListForm(data).table()
    let root = PropertyListPart(table: table, number: table.root)
    guard root.isDictionary else { throw .notAKeyedArchive("it is not a dictionary") }
    guard let archiver = root["$archiver"]?.string else { throw .notAKeyedArchive("it lacks '$archiver'") }
    guard archiver == "NSKeyedArchiver" else { throw .notAKeyedArchive("it was written by '\(archiver.prefix(64))'") }
    guard let version = root["$version"]?.integer else { throw .notAKeyedArchive("it lacks '$version'") }
    guard version == 100_000 else { throw .notAKeyedArchive("its version is \(version), not 100000") }
    guard let objects = root["$objects"]?.array.map(Array.init), !objects.isEmpty else {
      throw .notAKeyedArchive("it lacks '$objects'")
    }
    guard let top = root["$top"], top.isDictionary else { throw .notAKeyedArchive("it lacks '$top'") }
    guard table.greatestUID < objects.count else {
      throw .damaged("it refers to object \(table.greatestUID), but its object count is \(objects.count)")
    }
    var (classes, places, classPlaces) = ([ArchivedClass](), [Int: Int](), [Int?]())
    classPlaces.reserveCapacity(objects.count)
    let keys = (name: table.key("$classname"), instance: table.key("$class"))
    for (index, object) in objects.enumerated() {
      let reference = try Self.classIndex(of: object, at: index, in: objects, keys)
      if let reference, places[reference] == nil {
        places[reference] = classes.count
        classes.append(ArchivedClass(objects[reference]))
      }
      classPlaces.append(reference.flatMap { places[$0] })
    }
    (self.objects, self.classes, self.classPlaces) = (objects, classes, classPlaces)
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
    of object: PropertyListPart, at index: Int, in objects: [PropertyListPart], _ keys: (name: Int?, instance: Int?)
  ) throws(ArchiveMistake) -> Int? {
    switch object.form {
    case .array: throw .damaged("object \(index) of the archive is a bare array")
    case .dictionary:
      let name = object.value(of: keys.name)
      if name?.string != nil { return nil }
      guard let reference = object.value(of: keys.instance)?.uid,
        objects[reference].value(of: keys.name)?.string != nil
      else {
        throw .damaged("object \(index) of the archive has no class")
      }
      return name == nil ? reference : nil
    case .scalar: return nil
    }
  }

  /// The archived root object; nil if the archive has no top-level value named `root`.
  public var root: ArchivedValue? { self["root"] }

  /// Returns a top-level value by name. Most archives have only one, named `root`.
  public subscript(name: String) -> ArchivedValue? { topEntries[name].map(value) }

  /// Returns the value itself, or the object that it refers to.
  func value(_ part: PropertyListPart) -> ArchivedValue {
    guard let index = part.uid else { return plainValue(part) }
    let target = objects[index]
    // The string `$null` represents nil only as the first object.
    if index == 0, target.string == "$null" { return .null }
    guard target.isDictionary else { return plainValue(target) }
    let object = ArchivedObject(archive: self, index: index)
    return classPlaces[index] == nil ? .object(object) : object.unwrapped
  }

  /// Returns the class of an instance; nil for any other object.
  func archivedClass(ofObjectAt index: Int) -> ArchivedClass? { classPlaces[index].map { classes[$0] } }

  private func plainValue(_ part: PropertyListPart) -> ArchivedValue {
    switch part.form {
    case .scalar(let scalar): Self.plainValue(scalar)
    case .array(let places): .array(ArchivedCollection(archive: self, elements: part.table.parts(places)))
    case .dictionary(let places):
      .dictionary(
        ArchivedDictionary(
          archive: self, keys: part.table.parts(places), values: part.table.parts(valuesOf: places)))
    }
  }

  private static func plainValue(_ scalar: PropertyList) -> ArchivedValue {
    switch scalar {
    case .boolean(let value): .boolean(value)
    case .integer(let value): .integer(value)
    case .unsigned(let value): .decimal(Decimal(value))
    case .real(let value): .real(value)
    case .string(let value): .string(value)
    case .data(let value): .data(value)
    case .date(let value): .date(value)
    // A reference to a reference is not followed: archivers never write one, and two could form a cycle.
    case .uid, .array, .dictionary: .null
    }
  }

  /// Returns the object that a reference points to, undecoded.
  func resolved(_ part: PropertyListPart) -> PropertyListPart { part.uid.map { objects[$0] } ?? part }
}
