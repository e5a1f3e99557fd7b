/// Every rule that models are checked against, in the order in which a person would check them.
package enum ModelRules {
  package static let all: [any ModelRule] = names + hierarchy + relationships + attributes + structure

  private static let names: [any ModelRule] = [
    EmptyName(), IllegalName(), ReservedPropertyName(), DuplicateEntity(), EntityNamesDifferInCase(),
    DuplicateProperty(), PropertyNamesDifferInCase(), AmbiguousRenaming(),
  ]

  private static let hierarchy: [any ModelRule] = [
    UnknownParent(), ParentCycle(), OverriddenProperty(), AbstractWithoutSubentities(),
  ]

  private static let relationships: [any ModelRule] = [
    MissingDestination(), UnknownDestination(), MissingInverse(), UnknownInverse(), InverseDisagrees(),
    InverseEntityMismatch(), RelationshipCounts(), CardinalityDisagrees(), OrderedToOne(), NoActionDeleteRule(),
    CascadeBothWays(), NullifiedMandatoryInverse(), RelationshipAcrossConfigurations(),
  ]

  private static let attributes: [any ModelRule] = [
    UndefinedAttributeType(), DefaultOfWrongType(), DefaultWrittenOddly(), DefaultOutsideBounds(),
    DefaultNotANumber(), ValidationBounds(), ValidationWithoutEffect(), InvalidRegularExpression(),
    TransformableWithoutTransformer(),
    TransformerWithoutEffect(), ExternalStorageWithoutEffect(), DerivedAttributeFlags(), UnknownComposite(),
    DuplicateComposite(), CompositeCycle(),
  ]

  private static let structure: [any ModelRule] = [
    UniquenessConstraintProperties(), FetchIndexElements(), DuplicateFetchIndex(), CompoundIndexProperties(),
    ConfigurationEntities(), DuplicateConfiguration(), FetchRequestEntity(), FetchRequestLimits(),
    DuplicateFetchRequest(), FetchedPropertyWithoutRequest(),
  ]
}
