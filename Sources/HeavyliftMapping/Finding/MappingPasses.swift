import HeavyliftModel

/// The files for one pair of versions, as passes.
///
/// Two files that happen to be for the same versions must not both run: each would create its own objects, and one
/// would recreate what the other replaced. So each of several files must declare that it is a pass.
package struct MappingPasses {
  private let files: [MappingCandidate]
  private let areChosen: Bool

  /// - Parameter areChosen: True if the caller named the files, in the order in which they run.
  package init(_ files: [MappingCandidate], areChosen: Bool = false) {
    self.files = files
    self.areChosen = areChosen
  }

  /// Returns the files in the order in which they run; throws if that order is not defined.
  func ordered(leading way: String, in place: String) throws(DiagnosticList) -> [MappingCandidate] {
    if areChosen {
      // A numbered pass would be wrong without the passes before it.
      let numbered = files.compactMap { file in file.mappingModel?.pass.map { ($0, file) } }.sorted { $0.0 < $1.0 }
      let mistakes = numbered.count == files.count ? gaps(numbered, way) : []
      guard mistakes.isEmpty else { throw DiagnosticList(mistakes) }
      return files
    }
    let mistakes = mistakes(leading: way, in: place)
    guard mistakes.isEmpty else { throw DiagnosticList(mistakes) }
    return files.sorted { ($0.mappingModel?.pass ?? 0) < ($1.mappingModel?.pass ?? 0) }
  }

  /// Returns the reasons why the files cannot run as passes; empty if they can, or if there is only one.
  package func mistakes(leading way: String, in place: String) -> [Diagnostic] {
    let numbers = files.map { $0.mappingModel?.pass }
    if files.count == 1, numbers[0] == nil { return [] }
    guard !numbers.contains(nil) else { return [several(way, place)] }
    let numbered = zip(numbers.compactMap(\.self), files).sorted { $0.0 < $1.0 }
    return repetitions(numbered, way) + gaps(numbered, way)
  }

  private func several(_ way: String, _ place: String) -> Diagnostic {
    let (written, others) = (files.filter { $0.kind == .written }, files.filter { $0.kind != .written })
    let unmarked = written.filter { $0.mappingModel?.pass == nil }
    let passes = unmarked.count == 1 ? "pass=\"…\"" : "pass=\"1\", pass=\"2\" …"
    let remedy =
      others.isEmpty
      ? "keep one of them; or, if they are passes that fill one store, write \(passes) on the <mapping-model> of "
        + unmarked.map(\.file).quotedList
      : "keep one of them, or choose one with '--mapping FILE' (in Swift: MappingSearch.choosing). Xcode's files cannot "
        + "declare passes: to run several, name each with '--mapping', in order"
    return Diagnostic(
      .error, code: "mapping.several-mappings",
      problem: "\(files.count) mappings in \(place) lead \(way): \(files.map(\.file).quotedList)", remedy: remedy,
      location: unmarked.last?.mappingModel?.markup.location)
  }

  private func repetitions(_ numbered: [(Int, MappingCandidate)], _ way: String) -> [Diagnostic] {
    zip(numbered, numbered.dropFirst()).filter { $0.0 == $1.0 }.map { first, second in
      Diagnostic(
        .error, code: "mapping.repeated-pass",
        problem: "\([first.1.file, second.1.file].quotedList) are both pass \(first.0) \(way)",
        remedy: "number the passes 1, 2 … in the order in which they run",
        location: second.1.mappingModel?.markup.location(of: "pass"))
    }
  }

  private func gaps(_ numbered: [(Int, MappingCandidate)], _ way: String) -> [Diagnostic] {
    zip([0] + numbered.map(\.0), numbered).filter { $1.0 > $0 + 1 }.map { before, next in
      Diagnostic(
        .error, code: "mapping.missing-pass",
        problem: "\(next.1.file.quotedName) is pass \(next.0) \(way), but no file is pass \(before + 1)",
        remedy: numbered.count == 1
          ? "add the file for pass \(before + 1), or remove 'pass' if this is the only file for these versions"
          : "add the file for pass \(before + 1), or number the passes without gaps",
        location: next.1.mappingModel?.markup.location(of: "pass"))
    }
  }
}
