public import HeavyliftModel

extension MappingModel {
  /// The unresolved conflicts of a rebase: one error for each comment that starts with `rebase:`.
  ///
  /// To resolve a conflict, fix the mapping and delete the comment.
  public var openConflicts: [Diagnostic] {
    var conflicts = markup.openConflicts(of: "the mapping model")
    for mapping in entityMappings {
      let place = "entity mapping \(mapping.name.quotedName)"
      conflicts += mapping.markup.openConflicts(of: place)
      for property in mapping.propertyMappings {
        conflicts += property.markup.openConflicts(
          of: "\(property.kind.rawValue) \(property.name.quotedName) of \(place)")
      }
    }
    return conflicts
  }
}

extension MappingMarkup {
  private static let mark = "rebase:"

  fileprivate func openConflicts(of thing: String) -> [Diagnostic] {
    (comments + closingComments).compactMap { comment in
      let text = comment.trimmed
      guard text.hasPrefix(Self.mark) else { return nil }
      return Diagnostic(
        .error, code: "mapping.open-conflict",
        problem: "\(thing) has an unresolved conflict: \(String(text.dropFirst(Self.mark.count)).trimmed)",
        remedy: "resolve the conflict, and delete the comment that starts with '\(Self.mark)'", location: location)
    }
  }

  /// Adds a comment for an unresolved conflict.
  mutating func mark(_ conflict: Diagnostic) {
    let text = " \(Self.mark) \([conflict.problem, conflict.remedy].compactMap(\.self).joined(separator: "; ")) "
    // Compares only the problem: another rebase may suggest a different remedy.
    let start = "\(Self.mark) \(conflict.problem)"
    if !comments.contains(where: { $0.trimmed == start || $0.trimmed.hasPrefix("\(start);") }) { comments.append(text) }
  }
}

extension String {
  fileprivate var trimmed: String {
    String(drop { $0.isWhitespace }.reversed().drop { $0.isWhitespace }.reversed())
  }
}
