/// Every rule that mappings are checked by, in the order in which a person thinks of them.
///
/// Two things are told elsewhere: that a model is another than the mapping was written for, by `OtherModel`, and what is
/// wrong with expressions that stand written, by `ExpressionFindings`.
enum MappingRules {
  static let all: [any MappingRule] = names + entities + attributes + relationships

  /// Those whose severity depends on the objects that a store has (`StoreDependence`).
  static let dependingOnStore = all.filter { $0 is any StoreDependentRule }

  private static let names: [any MappingRule] = [
    UnknownEntity(), UnknownProperty(), WrongPropertyKind(), UnknownEntityMapping(), UnknownPolicy(),
    DuplicateEntityMapping(), DuplicateProperty(),
  ]

  private static let entities: [any MappingRule] = [
    TypeContradicts(), MissingSide(), MisusedSourceExpression(), AbstractEntity(), UnfilledEntity(), DroppedEntity(),
    ImpliedMerge(), LosingFilter(), DoubledObjects(), MisplacedDrop(),
    PossibleRenaming(), PartlyLostProperty(), UnreadProperty(),
  ]

  private static let attributes: [any MappingRule] = [
    MissingValue(), NothingToCopy(), OtherKindOfProperty(), IncompatibleCopy(), NarrowingCopy(), NarrowedBounds(),
    NilIntoMandatory(), ValueNotStored(), RunsLater(),
  ]

  private static let relationships: [any MappingRule] = [
    MissingObjects(), NoFittingMapping(), FromWithoutObjects(), UnrelatedEntityMapping(), AmbiguousEntityMapping(),
    ManyIntoOne(), NarrowedInverse(), NarrowedCount(), ChangedOrder(), InverseDisagrees(),
  ]
}
