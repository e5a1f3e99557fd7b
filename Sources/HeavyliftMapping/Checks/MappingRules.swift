/// Every rule that mappings are checked by, in the order in which a person thinks of them.
enum MappingRules {
  static let all: [any MappingRule] = names + attributes + relationships

  private static let names: [any MappingRule] = [
    UnknownEntity(), UnknownProperty(), WrongPropertyKind(), UnknownEntityMapping(), UnknownPolicy(),
    DuplicateEntityMapping(), DuplicateProperty(),
  ]

  private static let attributes: [any MappingRule] = [
    MissingValue(), IncompatibleCopy(), NarrowingCopy(), NilIntoMandatory(),
  ]

  private static let relationships: [any MappingRule] = [MissingObjects()]
}
