/// The types that generated code refers to, some of which may be hidden by types of the model.
struct TypeScope {
  /// The names of the types that the code declares.
  let declared: Set<String>

  /// Returns a type's name, with its module if the code declares a type of the same name.
  func qualified(_ type: String) -> String {
    guard declared.contains(type), let module = Self.modules.first(where: { $0.types.contains(type) })?.name else {
      return type
    }
    return "\(module).\(type)"
  }

  /// The names of modules that the code declares a type of, although it has to qualify another type with it.
  var hiddenModules: Set<String> {
    Set(Self.modules.filter { declared.contains($0.name) && !$0.types.isDisjoint(with: declared) }.map(\.name))
  }

  private static let modules: [(name: String, types: Set<String>)] = [
    (
      "HeavyliftSchema",
      [
        "Attribute", "Entity", "FetchedProperty", "Index", "Relationship", "Schema", "StorageProfile", "Unique",
        "VersionedSchema",
      ]
    ),
    ("Foundation", ["Data", "Date", "Decimal", "URL", "UUID"]),
    (
      "Swift",
      [
        "Bool", "CaseIterable", "Codable", "Double", "Float", "Hashable", "Int", "Int16", "Int32", "RawRepresentable",
        "Set", "String",
      ]
    ),
  ]
}
