extension FetchRequestDescription {
  /// Every fact about the fetch request, named as in a model file; the request's name comes first.
  var parameters: [Parameter] {
    [
      .text("name", name),
      .text("entity", entityName),
      .text("predicateString", predicateString),
      Parameter("sortKeys", sortKeys, text: sortKeys.isEmpty ? nil : sortKeys.map(\.shownText).joined(separator: ", ")),
      .number("fetchLimit", fetchLimit),
      .number("fetchBatchSize", fetchBatchSize),
      Parameter("resultType", resultType, text: String(resultType.rawValue)),
      .flag("includeSubentities", includesSubentities),
      .flag("includePropertyValues", includesPropertyValues),
      .flag("includesPendingChanges", includesPendingChanges),
      .flag("returnObjectsAsFaults", returnsObjectsAsFaults),
      .flag("returnDistinctResults", returnsDistinctResults),
    ]
  }

  /// The most important facts: `'Book' where "pages > 100"`.
  var factsText: String {
    let entity = entityName.map(\.quotedName) ?? "nothing"
    return predicateString.map { "\(entity) where \($0.quotedText)" } ?? entity
  }
}

extension FetchRequestDescription.SortKey {
  fileprivate var shownText: String { "\(keyPath.quotedText) \(isAscending ? "ascending" : "descending")" }
}

extension FetchedPropertyDescription {
  /// Every fact about the fetched property except its request, named as in a model file; the property's name comes
  /// first.
  var parameters: [Parameter] {
    [
      .text("name", name),
      .flag("optional", isOptional),
      .flag("transient", isTransient),
      .text("elementID", renamingIdentifier),
      .text("versionHashModifier", versionHashModifier),
    ] + Parameter.userInfo(userInfo)
  }

  var factsText: String { fetchRequest.map { "fetches \($0.factsText)" } ?? "fetches nothing" }

  /// Returns the differences between this property and a later version.
  func changes(to new: FetchedPropertyDescription) -> [ParameterChange] {
    var changes = Parameter.changes(from: parameters, to: new.parameters, changesHash: false)
    switch (fetchRequest, new.fetchRequest) {
    case (let old?, let new?):
      changes += Parameter.changes(from: old.parameters, to: new.parameters, changesHash: false).map {
        ParameterChange(
          parameter: "fetchRequest.\($0.parameter)", old: $0.old, new: $0.new, changesVersionHash: false)
      }
    case (nil, nil): break
    case (let old, let new):
      changes.append(
        ParameterChange(
          parameter: "fetchRequest", old: old?.factsText, new: new?.factsText, changesVersionHash: false))
    }
    return changes
  }
}
