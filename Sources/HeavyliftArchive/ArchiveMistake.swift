import HeavyliftModel

/// A mistake in a compiled file; `diagnostic(in:)` puts it in words.
package enum ArchiveMistake: Error, Hashable, Sendable {
  /// The bytes are not a property list in a known format.
  case notAPropertyList
  /// The file ends before the data that it declares.
  case truncated
  /// A property list that contradicts itself; the text describes the contradiction.
  case damaged(String)
  /// Containers that are nested deeper than in any real archive.
  case tooDeep(Int)
  /// A small file that expands to an enormous amount of data.
  case excessive
  /// A property list that is not a keyed archive; the text says what is missing.
  case notAKeyedArchive(String)
  /// An archive whose root object has an unexpected class, or is a plain value.
  case wrongRoot(expected: String, found: String?)
  /// An object without a key that its class always has.
  case missingKey(String, className: String)
  /// A value of the wrong kind for its key.
  case wrongKind(String, className: String, expected: String)
  /// An expression or predicate that has no textual form.
  case unknownExpression(className: String)
  /// Data that cannot be inflated.
  case notDeflated
  /// Data that inflates beyond the limit.
  case inflatesTooFar(limit: Int)
  /// A mistake in a part of the archive, with the name of the part.
  indirect case within(String, ArchiveMistake)

  /// Adds the name of the part that contains the mistake, unless the mistake already names a part or affects the whole
  /// archive.
  func within(_ place: String) -> ArchiveMistake {
    switch self {
    case .within, .excessive, .tooDeep: self
    default: .within(place, self)
    }
  }

  /// Returns the mistake as an error. `subject` names the file or blob: "'Library.mom'", "the model cache".
  package func diagnostic(in subject: String) -> Diagnostic {
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
    case .truncated: "is truncated: it is shorter than its own structure requires"
    case .damaged(let words): "is damaged: \(words)"
    case .tooDeep(let limit): "is damaged: it nests containers more than \(limit) levels deep"
    case .excessive: "is damaged: its parts refer to each other so often that they would exhaust memory"
    case .notAKeyedArchive(let words): "is a property list but not a keyed archive: \(words)"
    case .wrongRoot(let expected, let found):
      "contains \(found.map { "an object of class '\($0)'" } ?? "a plain value"), not an object of class '\(expected)'"
    case .missingKey(let key, let className): "is damaged: an object of class '\(className)' lacks '\(key)'"
    case .wrongKind(let key, let className, let expected):
      "is damaged: '\(key)' of an object of class '\(className)' is not \(expected)"
    case .unknownExpression(let className):
      "contains an expression of class '\(className)', which cannot be written as text"
    case .notDeflated: "is not compressed data, or is truncated"
    case .inflatesTooFar(let limit): "inflates to more than \(limit) bytes"
    case .within(let place, let mistake): "\(mistake.problem), in \(place)"
    }
  }

  private var remedy: String? {
    switch self {
    case .notAPropertyList, .notAKeyedArchive: "it may be a different kind of file, or damaged"
    case .wrongRoot(_, "NSMappingModel"):
      "this is a compiled mapping model (.cdm); pass a compiled model (.mom)"
    case .wrongRoot(expected: "NSMappingModel", "NSManagedObjectModel"):
      "this is a compiled model (.mom); pass a compiled mapping model (.cdm)"
    case .wrongRoot, .unknownExpression: nil
    case .within(_, let mistake): mistake.remedy
    case .truncated, .damaged, .tooDeep, .excessive, .missingKey, .wrongKind, .notDeflated, .inflatesTooFar:
      "compile the model again, or restore the file from a backup"
    }
  }
}
