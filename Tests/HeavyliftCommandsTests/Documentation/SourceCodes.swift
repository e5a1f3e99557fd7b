import Foundation
import Heavylift
import HeavyliftTestSupport

/// The stable codes of diagnostics and their severities, collected from the text of `Sources`.
struct SourceCodes {
  /// The severities of each code.
  private(set) var severities: [String: Set<String>] = [:]
  /// Files that put a prefix before names: `"store.\(code)"`, `"missing-\(name)"`.
  private(set) var prefixingFiles: Set<String> = []

  /// A file that puts a prefix before names, and the place of these names.
  private struct Naming {
    var file: String
    /// The prefix, if it is not the one in the file with a dot.
    var prefix: String?
    /// The start of the paths that have the names.
    var folder: String
    /// A pattern for the text before a name, and before the severity, if there is one.
    var before: String
    var severity: String

    /// Without a folder, the file has the names itself.
    init(file: String, prefix: String? = nil, folder: String? = nil, before: String, severity: String = "error") {
      self.file = file
      self.prefix = prefix
      self.folder = folder ?? file
      self.before = before
      self.severity = severity
    }
  }

  static var namingFiles: Set<String> { Set(namings.map(\.file)) }

  private static let namings = [
    Naming(file: "Heavylift/Stages/StageMistake.swift", before: #"\("#),
    Naming(file: "HeavyliftArchive/ArchiveMistake.swift", before: cases),
    Naming(
      file: "HeavyliftXML/Compiled/MappingArchiveReader.swift", before: #"\bwarn\("#, severity: "warning"),
    Naming(
      file: "HeavyliftArchive/Models/CompiledModel+StatedHashes.swift", before: #"\bwarn\("#, severity: "warning"),
    Naming(file: "HeavyliftArchive/Models/CompiledModelBundle.swift", before: #"\bwarn\("#, severity: "warning"),
    Naming(
      file: "HeavyliftArchive/Models/ModelArchiveReader.swift", folder: "HeavyliftArchive/Models/ModelArchiveReader",
      before: #"\bnote\("#, severity: "note"),
    Naming(
      file: "HeavyliftCommands/Arguments/UsageError.swift", folder: "HeavyliftCommands/",
      before: #"\b(?:usage|UsageError)\("#),
    Naming(file: "HeavyliftExpression/Checking/Mistakes/CheckingMistake+Code.swift", before: cases),
    Naming(file: "HeavyliftExpression/Syntax/ExpressionMistake+Code.swift", before: cases),
    Naming(
      file: "HeavyliftStore/Inspection/StoreInspection.swift", before: #"\bnote\("#, severity: "note"),
    Naming(file: "HeavyliftStore/Objects/ObjectMistake.swift", before: #"\("#),
    Naming(file: "HeavyliftStore/Store/StoreDiagnostic.swift", before: #"\("#),
    Naming(file: "HeavyliftVerification/Graphs/GraphMistake.swift", before: #"\("#),
    Naming(
      file: "HeavyliftXML/Mapping/MappingFindings.swift", folder: "HeavyliftXML/Mapping/", before: #"\breport\("#),
    Naming(
      file: "HeavyliftXML/Mapping/MappingFindings+Values.swift", prefix: "mapping-file.missing-",
      folder: "HeavyliftXML/Mapping/", before: #"\b(?:reportMissing|requiredText)\("#),
    Naming(
      file: "HeavyliftXML/Mapping/MappingFindings+Values.swift", prefix: "mapping-file.unknown-",
      folder: "HeavyliftXML/Mapping/", before: #"\bword\("#),
    Naming(
      file: "HeavyliftXML/Model/ManagedObjectModel+Reading.swift", prefix: "model-file.missing-",
      folder: "HeavyliftXML/Model/", before: #"\brequired\("#),
    Naming(file: "HeavyliftXML/Mapping/MappingObstacles.swift", before: #"\breport\("#),
    Naming(file: "HeavyliftXML/Model/ModelBundle.swift", before: #"\breport\("#),
    Naming(
      file: "HeavyliftXML/Model/ModelFindings.swift", folder: "HeavyliftXML/Model/", before: #"\b(?:report|reject)\("#),
    Naming(
      file: "HeavyliftXML/Xcode/XcodeMappingFindings.swift", folder: "HeavyliftXML/Xcode/", before: #"\breport\("#),
  ]

  private static let cases = #"case ([^"\n]*):"#

  /// Severities that are chosen at run time.
  private static let chosenSeverities: [String: Set<String>] = [
    "archive.excessive": ["error", "warning"],
    "archive.missing-key": ["error", "warning"],
    "archive.wrong-root": ["error", "warning"],
    "expression.unknown-entity-mapping": ["error", "warning"],
    "mapping.missing-pass": ["error", "warning"],
    "mapping.repeated-pass": ["error", "warning"],
    "mapping.several-mappings": ["error", "warning"],
    "store.dangling-links": ["error", "warning"],
    "store.missing-external-file": ["error", "warning"],
  ]

  init() throws {
    let sources = try Self.sources()
    for (path, text) in sources { addLiterals(of: text, path) }
    for naming in Self.namings { addNames(naming, sources) }
    for kind in MigrationError.Kind.allCases { severities["migration.\(kind.rawValue)"] = ["error"] }
    // A code without a severity next to it is thrown.
    for (code, found) in severities where found.isEmpty { severities[code] = ["error"] }
    severities.merge(Self.chosenSeverities) { $1 }
  }

  /// Adds `.error, code: "a.b"`, `"a.b"` and the code of a rule, and finds out if the file has `"a.\(code)"`.
  private mutating func addLiterals(of text: String, _ path: String) {
    for match in Self.literal.matches(in: text) {
      if match[3] != nil { prefixingFiles.insert(path) }
      guard let code = match[1] ?? match[2], match[2] != nil || !Self.isOther(code) else { continue }
      let before = Self.beforeLiteral.matches(in: match[0] ?? "").first ?? [nil, nil, nil, nil, nil]
      if before[4] != nil { continue }
      let found: Set<String> =
        switch before[1] {
        case nil: Set(before[2...3].compactMap(\.self))
        case "static let code = ": Self.ruleSeverities(of: text)
        // A table of codes is one of errors.
        default: ["error"]
        }
      severities[code, default: []].formUnion(found)
    }
  }

  /// Adds `report(.note, "b")`, `("b", …)` and `case .b: "b"` with the prefix of a file.
  private mutating func addNames(_ naming: Naming, _ sources: [String: String]) {
    guard let text = sources[naming.file],
      let prefix = naming.prefix ?? Self.prefix.matches(in: text).first?[1]?.appending(".")
    else { return }
    let isTable = naming.before == Self.cases
    let pattern = Pattern(
      (isTable ? naming.before : naming.before + "()")
        + #"\s*(?:\.(error|warning|note),\s*|\w+,\s*)?"([a-z0-9-]+)"(?=[,\n])(?=([\s\S]*?\))\n|)"#)
    let byCase = isTable ? Self.caseSeverities(of: text) : [:]
    for (path, text) in sources where path.hasPrefix(naming.folder) {
      for match in pattern.matches(in: text) {
        let named = Self.caseName.matches(in: match[1] ?? "").compactMap { byCase[$0[1] ?? ""] }
        let found =
          named.isEmpty
          ? [match[2] ?? Self.severityArgument.matches(in: match[4] ?? "").first?[1] ?? naming.severity]
          : named.reduce(into: Set()) { $0.formUnion($1) }
        severities["\(prefix)\(match[3] ?? "")", default: []].formUnion(found)
      }
    }
  }

  /// The severities of a rule: of its `var severity { … }`, otherwise the ones that it is created with.
  private static func ruleSeverities(of text: String) -> Set<String> {
    guard let body = ruleSeverity.matches(in: text).first?[1] else {
      return Set(severityArgument.matches(in: text).flatMap { $0.dropFirst().compactMap(\.self) })
    }
    // A `StoreDependence` is one or the other.
    return body.contains("dependence") ? ["error", "warning"] : Set(severity.matches(in: body).compactMap { $0[1] })
  }

  /// The severities in `case .a, .b: .warning`; a case that is not mentioned is an error.
  private static func caseSeverities(of text: String) -> [String: Set<String>] {
    var found: [String: Set<String>] = [:]
    for match in severityCase.matches(in: text) {
      let severities = Set(severity.matches(in: match[2] ?? "").compactMap { $0[1] })
      for name in caseName.matches(in: match[1] ?? "") { found[name[1] ?? ""] = severities }
    }
    return found
  }

  /// True for names of files and the like.
  private static func isOther(_ text: String) -> Bool {
    text.hasSuffix(".sqlite") || text.hasSuffix(".json") || text.hasSuffix(".xml") || text == "security.selinux"
  }

  /// A code, one without a prefix, or a prefix. The first character is fixed, which makes the search fast.
  private static let literal = Pattern(
    #""(?:([a-z-]{2,}\.[a-z][a-z0-9-]*)"|(?<=code: ")([a-z-]+)"|([a-z][a-z-]*[.-])\\\((?:code|name|kind\.name)\)")"#)
  /// A table or a rule, severities, or a comment.
  private static let beforeLiteral = Pattern(
    #"(?:(case [^"\n]*: |static let code = )|(?:\? \.(error|warning|note) : )?\.(error|warning|note),\s*(?:code: )?"#
      + #"|(\n *//[^\n]*))$"#)
  private static let prefix = Pattern(#""([a-z-]+)\.\\\((?:code|name|kind\.name)\)""#)
  private static let ruleSeverity = Pattern(#"var severity: Diagnostic\.Severity \{([\s\S]*?)\}\n(?:\n|\})"#)
  private static let severity = Pattern(#"\.(error|warning|note)\b"#)
  private static let severityArgument = Pattern(#"severity: [^,\n]*?\.(error|warning|note)(?: : \.(\w+))?[,)]"#)
  private static let severityCase = Pattern(
    #"case ((?:\.\w+(?:\([^)]*\))?,?\s*)+):\s*(?:\w+ \? )?((?:\.(?:error|warning|note)(?: : )?)+)"#)
  private static let caseName = Pattern(#"\.(\w+)"#)

  /// The Swift files of `Sources` by path.
  private static func sources() throws -> [String: String] {
    let folder = Corpus.project.appending(path: "Sources")
    let paths = FileManager.default.enumerator(atPath: folder.path)?.compactMap { $0 as? String } ?? []
    return try Dictionary(
      uniqueKeysWithValues: paths.filter { $0.hasSuffix(".swift") }.map {
        ($0, try String(contentsOf: folder.appending(path: $0), encoding: .utf8))
      })
  }
}

/// A regular expression of Foundation, which is much faster than one of Swift in a debug build.
private struct Pattern: @unchecked Sendable {
  private let expression: NSRegularExpression?

  init(_ pattern: String) {
    expression = try? NSRegularExpression(pattern: pattern)
  }

  /// Returns some text before each match, and its groups.
  func matches(in text: String) -> [[String?]] {
    let whole = NSString(string: text)
    return (expression?.matches(in: text, range: NSRange(location: 0, length: whole.length)) ?? []).map { match in
      let start = max(0, match.range.location - 200)
      let before = whole.substring(with: NSRange(location: start, length: match.range.location - start))
      return [before]
        + (1..<match.numberOfRanges).map {
          let range = match.range(at: $0)
          return range.location == NSNotFound ? nil : whole.substring(with: range)
        }
    }
  }
}
