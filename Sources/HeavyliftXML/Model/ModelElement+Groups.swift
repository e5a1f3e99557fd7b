import HeavyliftModel

extension ManagedObjectModel {
  func groups(_ layout: ModelLayout) -> [ModelChildGroup] {
    // Model files use two element names for composite types; each composite type keeps its own.
    let isOther: (CompositeDescription) -> Bool = { composite in
      composite.rememberedName.map { markup.children.contains(.described(element: "compositeAttribute", key: $0)) }
        ?? false
    }
    return [
      .init("entity", entities, \.name) { layout.element("entity", $0, line: $1, groups: $0.groups(layout)) },
      .init("composite", composites.filter { !isOther($0) }, \.name) {
        layout.element("composite", $0, line: $1, groups: $0.groups(layout))
      },
      .init("compositeAttribute", composites.filter(isOther), \.name) {
        layout.element("compositeAttribute", $0, line: $1, groups: $0.groups(layout))
      },
      .init("fetchRequest", fetchRequestTemplates, \.name) {
        layout.element("fetchRequest", $0, line: $1, groups: [])
      },
      .init("configuration", configurations, \.name) {
        layout.element("configuration", $0, line: $1, groups: $0.groups(layout))
      },
      .init(stating: "elements") { line, written in
        written.map { StatedText.elements($0, following: self, layout: layout, line: line) }
      },
    ]
  }
}

extension EntityDescription {
  func groups(_ layout: ModelLayout) -> [ModelChildGroup] {
    [
      .init("attribute", attributes, \.name) { layout.element("attribute", $0, line: $1, groups: $0.groups(layout)) },
      .init("relationship", relationships, \.name) {
        layout.element(
          "relationship", $0, line: $1, groups: [.userInfo($0.userInfo, layout)])
      },
      .init("fetchedProperty", fetchedProperties, \.name) {
        layout.element("fetchedProperty", $0, line: $1, groups: $0.groups(layout))
      },
      .init("fetchIndex", fetchIndexes, \.name, isOrdered: true) {
        layout.element("fetchIndex", $0, line: $1, groups: $0.groups(layout))
      },
      .init(stating: "compoundIndexes") { line, written in
        StatedText.list(
          "compoundIndexes", "compoundIndex", "index", compoundIndexes, written: written, layout: layout, line: line)
      },
      .init(stating: "uniquenessConstraints") { line, written in
        StatedText.list(
          "uniquenessConstraints", "uniquenessConstraint", "constraint", uniquenessConstraints.map(\.propertyNames),
          written: written, layout: layout, line: line)
      },
      .userInfo(userInfo, layout),
    ]
  }
}

extension AttributeDescription {
  func groups(_ layout: ModelLayout) -> [ModelChildGroup] { [.userInfo(userInfo, layout)] }
}

extension FetchedPropertyDescription {
  func groups(_ layout: ModelLayout) -> [ModelChildGroup] {
    [
      .init("fetchRequest", fetchRequest.map { [$0] } ?? [], \.name) {
        layout.element("fetchRequest", $0, line: $1, groups: [])
      },
      .userInfo(userInfo, layout),
    ]
  }
}

extension FetchIndexDescription {
  func groups(_ layout: ModelLayout) -> [ModelChildGroup] {
    [
      .init("fetchIndexElement", elements, \.indexedName, isOrdered: true) {
        layout.element("fetchIndexElement", $0, line: $1, groups: [])
      }
    ]
  }
}

extension FetchIndexDescription.Element {
  fileprivate var indexedName: String { propertyName ?? expression ?? "" }
}

extension ConfigurationDescription {
  func groups(_ layout: ModelLayout) -> [ModelChildGroup] {
    let known = Set(
      markup.children.compactMap { child in
        if case .stated(_, let key, _) = child { key } else { nil }
      })
    let items = entityNames.sorted { $0.precedesAsInXcode($1) }.map { name in
      ModelChildGroup.Item(key: known.contains(name) ? name : nil, name: name) { _, written in
        written ?? "<memberEntity\(XMLText.attribute(name: "name", value: name))/>"
      }
    }
    return [ModelChildGroup(element: "memberEntity", items: items)]
  }
}

extension CompositeDescription {
  func groups(_ layout: ModelLayout) -> [ModelChildGroup] {
    [
      // The order of the elements is that of their columns.
      .init("attribute", elements, \.name, isOrdered: true) {
        layout.element("attribute", $0, line: $1, groups: $0.groups(layout))
      }
    ]
  }
}

extension ModelChildGroup {
  /// Creates a group of children that have descriptions of their own.
  init<Description: ModelElement>(
    _ element: String, _ descriptions: [Description], _ name: KeyPath<Description, String>, isOrdered: Bool = false,
    text: @escaping (Description, _ line: String) -> String
  ) {
    let sorted =
      isOrdered ? descriptions : descriptions.sorted { $0[keyPath: name].precedesAsInXcode($1[keyPath: name]) }
    self.init(
      element: element, isOrdered: isOrdered,
      items: sorted.map { description in
        Item(key: description.rememberedName, name: description[keyPath: name]) { line, _ in text(description, line) }
      })
  }

  /// User info, which most elements can have.
  static func userInfo(_ userInfo: [String: String], _ layout: ModelLayout) -> ModelChildGroup {
    .init(stating: "userInfo") { line, written in
      StatedText.userInfo(userInfo, written: written, layout: layout, line: line)
    }
  }
}
