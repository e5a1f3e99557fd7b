import HeavyliftModel

/// The elements and attributes that a mapping file can have, and where each of them can appear.
enum MappingVocabulary {
  /// The attributes of each element, in the order in which they are written.
  static let attributes = [
    "mapping-model": ["source", "destination", "source-checksum", "destination-checksum", "pass", "copy"],
    "entity-mapping": [
      "name", "type", "source", "destination", "where", "source-expression", "policy", "copy", "duplicates", "losses",
    ],
    "attribute": ["name", "value", "copy"],
    "relationship": ["name", "value", "from", "mapping", "copy", "shared"],
    "drop": ["name"],
    "user-info": ["key", "value"],
    "source-entity": ["name", "properties"],
    "destination-entity": ["name", "properties"],
  ]

  /// The child elements of each element.
  static let children = [
    "mapping-model": ["entity-mapping", "source-entity", "destination-entity"],
    "entity-mapping": ["user-info", "attribute", "relationship", "drop"],
    "attribute": ["user-info"],
    "relationship": ["user-info"],
    "drop": [],
    "user-info": [],
    "source-entity": [],
    "destination-entity": [],
  ]

  /// Names from other formats and from Core Data, with the names that mapping files use instead.
  private static let otherNames = [
    "predicate": "where", "filter": "where", "filterPredicate": "where", "expression": "value",
    "valueExpression": "value", "policyClass": "policy", "customPolicy": "policy",
    "entityMigrationPolicy": "policy", "entityMigrationPolicyClassName": "policy",
    "migrationPolicyClassName": "policy", "migrationPolicy": "policy", "migrationpolicyclassname": "policy",
    "sourcename": "source", "destinationname": "destination", "sourcefilterpredicatestring": "where",
    "class": "policy", "sourceEntity": "source", "destinationEntity": "destination",
    "src": "source", "dst": "destination", "dest": "destination", "sourceEntityName": "source",
    "destinationEntityName": "destination", "mappingType": "type",
    "sourceExpression": "source-expression", "sourceChecksum": "source-checksum",
    "destinationChecksum": "destination-checksum", "through": "mapping", "entityMapping": "entity-mapping",
    "attributeMapping": "attribute", "relationshipMapping": "relationship", "attribute-mapping": "attribute",
    "relationship-mapping": "relationship", "userInfo": "user-info", "entry": "user-info", "mapping": "entity-mapping",
    "entity": "entity-mapping", "property": "attribute",
    "delete": "remove", "drop": "remove", "insert": "add", "create": "add", "update": "transform", "policy": "custom",
    "all": "everything", "none": "listed", "no": "listed", "name": "same-name",
  ]

  /// Suggests the name that was probably meant instead of an unknown one.
  static func suggestion(for name: String, among known: [String], kind: String) -> String {
    if let other = otherNames[name], known.contains(other) { return "did you mean '\(other)'?" }
    // No misspelled name has a hundred letters, and comparing a million letters takes seconds.
    return known.suggestion(for: String(name.prefix(100)), kind: kind)
  }

  /// The elements that can contain an element with that name; empty for an unknown name.
  static func parents(of name: String) -> [String] {
    children.filter { $0.value.contains(name) }.map(\.key).sorted()
  }
}
