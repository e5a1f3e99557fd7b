extension ExpressionInspector {
  /// The keys that every object has besides its properties.
  static let objectKeys: [String: ExpressionType] = [
    "objectID": ExpressionType(.objectID),
    "entity": ExpressionType(.entityDescription),
    "managedObjectContext": ExpressionType(.objectContext, isNullable: true),
  ]

  /// Returns all keys of a kind such as an object ID or an entity mapping; nil for kinds whose keys are not fixed.
  static func keys(of kind: ExpressionType.Kind) -> [String: ExpressionType]? {
    switch kind {
    case .objectID:
      [
        "URIRepresentation": ExpressionType(.uri), "isTemporaryID": ExpressionType(.boolean),
        "entity": ExpressionType(.entityDescription),
      ]
    case .entityDescription:
      [
        "name": ExpressionType(.string, isNullable: true),
        "managedObjectClassName": ExpressionType(.string, isNullable: true),
        "isAbstract": ExpressionType(.boolean), "superentity": ExpressionType(.entityDescription, isNullable: true),
        "userInfo": ExpressionType(.dictionary, isNullable: true),
      ]
    case .migrationManager:
      [
        "sourceContext": ExpressionType(.objectContext), "destinationContext": ExpressionType(.objectContext),
        "sourceModel": .unknown, "destinationModel": .unknown, "mappingModel": .unknown,
        "currentEntityMapping": ExpressionType(.entityMapping), "migrationProgress": ExpressionType(.double),
        "userInfo": ExpressionType(.dictionary, isNullable: true),
      ]
    case .entityMapping:
      [
        "name": ExpressionType(.string), "sourceEntityName": ExpressionType(.string, isNullable: true),
        "destinationEntityName": ExpressionType(.string, isNullable: true), "mappingType": .unknown,
        "entityMigrationPolicyClassName": ExpressionType(.string, isNullable: true),
        "userInfo": ExpressionType(.dictionary, isNullable: true), "attributeMappings": .unknown,
        "relationshipMappings": .unknown, "sourceExpression": .unknown, "sourceEntityVersionHash": .unknown,
        "destinationEntityVersionHash": .unknown,
      ]
    case .propertyMapping:
      [
        "name": ExpressionType(.string), "valueExpression": .unknown,
        "userInfo": ExpressionType(.dictionary, isNullable: true),
      ]
    default: nil
    }
  }
}
