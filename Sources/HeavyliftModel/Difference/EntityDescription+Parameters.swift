extension EntityDescription {
  /// Every fact about the entity itself except its parent, named as in a model file; the entity's name comes first.
  var parameters: [Parameter] {
    [
      .text("name", name, isHashed: true),
      .flag("isAbstract", isAbstract, isHashed: true),
      .text("representedClassName", managedObjectClassName),
      .text("elementID", renamingIdentifier),
      .text("versionHashModifier", versionHashModifier, isHashed: true),
      Parameter(
        "uniquenessConstraints", uniquenessConstraints,
        text: Self.shown(uniquenessConstraints.map(\.propertyNames)),
        hashed: AnyHashable(Array(hashedConstraints.utf8))),
      Parameter("compoundIndexes", compoundIndexes, text: Self.shown(compoundIndexes)),
    ] + Parameter.userInfo(userInfo) + indexParameters
  }

  /// The constraints as the version hash includes them: the names of each constraint joined by dots, and the results
  /// sorted.
  var hashedConstraints: String {
    uniquenessConstraints.map { $0.propertyNames.joined(separator: ".") }
      .sorted { $0.precedesInCodeUnits($1) }.joined()
  }

  /// The end of the entity's hashed bytes: modifier and constraints, with nothing in between.
  var hashedEnd: [UInt8] { Array((versionHashModifier ?? "").utf8) + Array(hashedConstraints.utf8) }

  private var indexParameters: [Parameter] {
    var counts: [String: Int] = [:]
    return fetchIndexes.map { index in
      counts[index.name, default: 0] += 1
      let count = counts[index.name, default: 1]
      let number = count > 1 ? " (\(count))" : ""
      return Parameter("fetchIndex '\(index.name.escapedText)'\(number)", index, text: index.shownText)
    }
  }

  /// Returns the differences between this entity itself and a later version.
  func changes(to new: EntityDescription, parent: ParameterChange?) -> [ParameterChange] {
    var changes = Parameter.changes(from: parameters, to: new.parameters, changesHash: true)
    if hashedEnd == new.hashedEnd {
      for place in changes.indices
      where ["versionHashModifier", "uniquenessConstraints"].contains(changes[place].parameter) {
        changes[place].changesVersionHash = false
      }
    }
    if let parent { changes.insert(parent, at: changes.first?.parameter == "name" ? 1 : 0) }
    // Indexes that differ only in their order are a difference, too.
    if fetchIndexes != new.fetchIndexes, !changes.contains(where: { $0.parameter.hasPrefix("fetchIndex ") }) {
      changes.append(
        ParameterChange(
          parameter: "order of fetch indexes", old: fetchIndexes.map(\.name).quotedList,
          new: new.fetchIndexes.map(\.name).quotedList, changesVersionHash: false))
    }
    return changes
  }

  private static func shown(_ lists: [[String]]) -> String? {
    lists.isEmpty ? nil : lists.map { "(\($0.map(\.escapedText).joined(separator: ", ")))" }.joined(separator: ", ")
  }
}

extension FetchIndexDescription {
  /// The index as text: `(title ascending, year descending) where "year > 0"`.
  fileprivate var shownText: String {
    let shown = elements.map { element in
      let subject = element.propertyName.map(\.escapedText) ?? element.expression.map(\.quotedText) ?? "nothing"
      // An element with both a property and an expression shows both, even if one of them has no effect.
      let extra = element.propertyName == nil ? "" : element.expression.map { " \($0.quotedText)" } ?? ""
      let type = element.collationType == .rTree ? " R-tree" : ""
      return "\(subject)\(extra)\(type) \(element.isAscending ? "ascending" : "descending")"
    }
    let filter = partialIndexPredicate.map { " where \($0.quotedText)" } ?? ""
    return "(\(shown.joined(separator: ", ")))\(filter)"
  }
}
