import HeavyliftModel

/// What can be wrong with a compiled file, as facts; how it is told stands beside it.
package enum ArchiveMistake: Error, Hashable, Sendable {
  /// The bytes are of no form of property list that is known.
  case notAPropertyList
  /// The file ends before what it announces.
  case truncated
  /// A property list that contradicts itself; the words say where.
  case damaged(String)
  /// Containers within containers, deeper than any archive has them.
  case tooDeep(Int)
  /// A small file that stands for an immense amount of data.
  case excessive
  /// A property list that is no keyed archive; the words say what it lacks.
  case notAKeyedArchive(String)
  /// An archive of something else, or of a plain value.
  case wrongRoot(expected: String, found: String?)
  /// An object that lacks what its class always has.
  case missingKey(String, className: String)
  /// A value of a kind that its key never has.
  case wrongKind(String, className: String, expected: String)
  /// An expression or predicate that has no text.
  case unknownExpression(className: String)
  /// Deflated data that does not inflate.
  case notDeflated
  /// Inflated data beyond the bound.
  case inflatesTooFar(limit: Int)
  /// A mistake in a part of the archive; the words name the part.
  indirect case within(String, ArchiveMistake)

  /// The mistake with the part of the archive it is in, unless it says so already or is about the archive as a whole.
  func within(_ place: String) -> ArchiveMistake {
    switch self {
    case .within, .excessive, .tooDeep: self
    default: .within(place, self)
    }
  }

  /// The mistake in words. `subject` names the file or blob: "'Library.mom'", "the model cache".
  func diagnostic(in subject: String) -> Diagnostic {
    Diagnostic(.error, code: "archive.\(code)", problem: "\(subject) \(problem)", remedy: remedy)
  }

  private var code: String {
    switch self {
    case .notAPropertyList: "not-a-property-list"
    case .truncated: "truncated"
    case .damaged: "damaged"
    case .tooDeep: "too-deep"
    case .excessive: "excessive"
    case .notAKeyedArchive: "not-a-keyed-archive"
    case .wrongRoot: "wrong-root"
    case .missingKey: "missing-key"
    case .wrongKind: "wrong-kind"
    case .unknownExpression: "unknown-expression"
    case .notDeflated: "not-deflated"
    case .inflatesTooFar: "inflates-too-far"
    case .within(_, let mistake): mistake.code
    }
  }

  private var problem: String {
    switch self {
    case .notAPropertyList: "is not a property list"
    case .truncated: "is truncated: it ends before what it announces"
    case .damaged(let words): "is damaged: \(words)"
    case .tooDeep(let limit): "is damaged: it nests containers more than \(limit) deep"
    case .excessive: "is damaged: its parts refer to each other so often that they would fill the memory"
    case .notAKeyedArchive(let words): "is a property list but not a keyed archive: \(words)"
    case .wrongRoot(let expected, let found):
      "holds \(found.map { "an object of class '\($0)'" } ?? "a plain value"), not an object of class '\(expected)'"
    case .missingKey(let key, let className): "is damaged: an object of class '\(className)' lacks '\(key)'"
    case .wrongKind(let key, let className, let expected):
      "is damaged: '\(key)' of an object of class '\(className)' is not \(expected)"
    case .unknownExpression(let className): "has an expression of class '\(className)', which has no text"
    case .notDeflated: "is not deflated data, or is cut short"
    case .inflatesTooFar(let limit): "inflates to more than \(limit) bytes"
    case .within(let place, let mistake): "\(mistake.problem), in \(place)"
    }
  }

  private var remedy: String? {
    switch self {
    case .notAPropertyList, .notAKeyedArchive: "it may be a file of another kind, or a damaged one"
    case .wrongRoot(_, "NSMappingModel"):
      "this is a compiled mapping model (.cdm), which says how to migrate; give a compiled model (.mom)"
    case .wrongRoot(expected: "NSMappingModel", "NSManagedObjectModel"):
      "this is a compiled model (.mom), which says what is stored; give a compiled mapping model (.cdm)"
    case .wrongRoot, .unknownExpression: nil
    case .within(_, let mistake): mistake.remedy
    case .truncated, .damaged, .tooDeep, .excessive, .missingKey, .wrongKind, .notDeflated, .inflatesTooFar:
      "compile the model again, or restore the file from a backup"
    }
  }
}
