/// All rules for mappings, in the order in which their messages make the most sense.
///
/// Two checks are elsewhere: `OtherModel` compares the models with those that the mapping was written for, and
/// `ExpressionFindings` checks written expressions.
enum MappingRules {
  static let all: [any MappingRule] = names + entities + attributes + relationships

  /// Rules whose severity depends on the objects in a store (`StoreDependence`).
  static let dependingOnStore = all.filter { $0 is any StoreDependentRule }

  private static let names: [any MappingRule] = [
    UnknownEntity(), UnknownProperty(), WrongPropertyKind(), UnknownEntityMapping(), UnknownPolicy(),
    DuplicateEntityMapping(), DuplicateProperty(),
  ]

  private static let entities: [any MappingRule] = [
    TypeContradicts(), MissingSide(), MisusedSourceExpression(), AbstractEntity(), UnfilledEntity(), DroppedEntity(),
    ImpliedMerge(), LosingFilter(), DoubledObjects(), ContradictoryRemoval(), MisplacedDrop(),
    PossibleEntityRenaming(), AmbiguousRenaming(), PossibleRenaming(), PartlyLostProperty(), UnreadProperty(),
  ]

  private static let attributes: [any MappingRule] = [
    MissingValue(), NothingToCopy(), OtherKindOfProperty(), IncompatibleCopy(), NarrowingCopy(), NarrowedBounds(),
    NilIntoMandatory(), ValueNotStored(), RunsLater(),
    CircularValues(),
  ]

  private static let relationships: [any MappingRule] = [
    MissingObjects(), NoFittingMapping(), FromWithoutObjects(), UnrelatedEntityMapping(), AmbiguousEntityMapping(),
    ManyIntoOne(), NarrowedInverse(), NarrowedCount(), ChangedOrder(), InverseDisagrees(),
  ]
}
