import HeavyliftSchema
import Testing

@Suite struct SchemaMistakeTests {
  struct Case: CustomTestStringConvertible {
    var name: String
    var types: [Entity.Type]
    var profile = StorageProfile.coreData
    var message: String
    var testDescription: String { name }

    init(_ name: String, _ types: [Entity.Type], _ profile: StorageProfile = .coreData, says message: String) {
      (self.name, self.types, self.profile, self.message) = (name, types, profile, message)
    }
  }

  static let cases: [Case] = classes + types + inverses + declarations + model
  private static let classes: [Case] = [
    Case(
      "no classes", [],
      says: """
        error[schema.no-models]: the schema has no classes
          list the entity classes: 'Schema([Track.self, Artist.self])'
        """),
    Case(
      "the base class", [Entity.self],
      says: """
        error[schema.base-class]: class 'Entity' itself is listed in the schema
          list subclasses of it
        """),
    Case(
      "a class twice", [SameName.A.Track.self, SameName.A.Track.self],
      says: """
        error[schema.listed-twice]: class 'SameName.A.Track' is listed twice in the schema
          list it once
        """),
    Case(
      "two types of one name", [SameName.A.Track.self, SameName.B.Track.self],
      says: """
        error[schema.same-name]: classes 'SameName.A.Track' and 'SameName.B.Track' have the same entity name, 'Track'
          rename one of the classes, or list only the classes of one version
        """),
    Case(
      "a missing superclass", [MissingSuperclass.Track.self],
      says: """
        error[schema.missing-superclass]: class 'MissingSuperclass.Track' inherits from class \
        'MissingSuperclass.Media', which is not in the schema
          add 'MissingSuperclass.Media.self' to the models
        """),
    Case(
      "a missing destination", [MissingModel.Track.self],
      says: """
        error[schema.missing-model]: relationship 'artists' of class 'MissingModel.Track' leads to class \
        'MissingModel.Artist', which is not in the schema
          add 'MissingModel.Artist.self' to the models
        """),
    Case(
      "a destination of another version", [OtherVersion.V1.Artist.self, OtherVersion.V2.Track.self],
      says: """
        error[schema.other-version-of-class]: relationship 'tracks' of class 'OtherVersion.V1.Artist' leads to \
        class 'OtherVersion.V1.Track', but the schema has 'OtherVersion.V2.Track'
          change the type of 'tracks' to 'OtherVersion.V2.Track', or list 'OtherVersion.V1.Track.self' instead
        """),
    Case(
      "stored properties without a wrapper", [Unmarked.Track.self],
      says: """
        error[schema.unmarked-property]: property 'rating' of class 'Unmarked.Track' would not be stored
          mark it with '@Attribute' or '@Relationship', or with '@Transient' to keep it out of the store
        """),
    Case(
      "two properties of one name", [SameProperty.Track.self],
      says: """
        error[schema.same-property]: properties 'title' and 'name' of class 'SameProperty.Track' have the same name \
        in the store, 'name'
          give one of them another name
        """),
    Case(
      "another class as abstract", [ForeignAbstraction.Track.self, ForeignAbstraction.Artist.self],
      says: """
        error[schema.foreign-abstraction]: class 'ForeignAbstraction.Track' declares that class \
        'ForeignAbstraction.Artist' is abstract, which is neither itself nor a superclass
          return 'ForeignAbstraction.Track.self' if the class is abstract
        """),
  ]

  private static let types: [Case] = [
    Case(
      "a type that is not Codable", [NotCodable.Track.self],
      says: """
        error[schema.unsupported-type]: attribute 'color' of class 'NotCodable.Track' has type 'NotCodable.Color', \
        which is not Codable
          make 'NotCodable.Color' Codable, or mark 'color' with '@Transient' to keep it out of the store
        """),
    Case(
      "an integer type without an attribute type", [OtherInteger.Track.self],
      says: """
        error[schema.unsupported-type]: attribute 'position' of class 'OtherInteger.Track' has type 'UInt64', which \
        no attribute can hold
          use Int64 or Decimal
        """),
    Case(
      "an optional of an optional", [NestedOptional.Track.self],
      says: """
        error[schema.unsupported-type]: attribute 'rating' of class 'NestedOptional.Track' has type 'Int??', which \
        is an optional of an optional
          remove one of the question marks
        """),
    Case(
      "an entity as an attribute", [EntityAttribute.Track.self, EntityAttribute.Artist.self],
      says: """
        error[schema.unsupported-type]: attribute 'artist' of class 'EntityAttribute.Track' has type \
        'EntityAttribute.Artist?', which is an entity class
          use '@Relationship var artist: EntityAttribute.Artist?'
        """),
    Case(
      "an enumeration with unknown cases", [UnknownCases.Track.self], .swiftData,
      says: """
        error[schema.unsupported-type]: attribute 'mood' of class 'UnknownCases.Track' has type \
        'UnknownCases.Mood?', but the cases of 'UnknownCases.Mood' are not known
          make 'UnknownCases.Mood' conform to CaseIterable
        """),
    Case(
      "an enumeration with associated values", [AssociatedValues.Track.self], .swiftData,
      says: """
        error[schema.unsupported-type]: attribute 'source' of class 'AssociatedValues.Track' has type \
        'AssociatedValues.Source?', but SwiftData's stores have no form for 'AssociatedValues.Source', whose cases \
        have associated values
          use a structure instead of 'AssociatedValues.Source', or the profile .coreData
        """),
    Case(
      "structures that encode themselves", [OpaqueStructure.Track.self], .swiftData,
      says: """
        error[schema.unsupported-type]: attribute 'half' of class 'OpaqueStructure.Track' has type \
        'OpaqueStructure.Half?', but the elements of 'OpaqueStructure.Half' are not known: it does not encode all \
        its stored properties and nothing else
          let the compiler synthesize 'init(from:)' for 'OpaqueStructure.Half', and make enumerations in it \
        CaseIterable
        error[schema.unsupported-type]: attribute 'point' of class 'OpaqueStructure.Track' has type \
        'OpaqueStructure.Point?', but the elements of 'OpaqueStructure.Point' are not known: it decodes itself in \
        its own way
          let the compiler synthesize 'init(from:)' for 'OpaqueStructure.Point', and make enumerations in it \
        CaseIterable
        """),
    Case(
      "an element without a value", [ElementWithoutValue.Track.self], .swiftData,
      says: """
        error[schema.unsupported-type]: attribute 'length' of class 'ElementWithoutValue.Track' has type \
        'ElementWithoutValue.Length?', but the elements of 'ElementWithoutValue.Length' are not known: no value can \
        be made for its element 'unit' of type 'ElementWithoutValue.Unit'
          let the compiler synthesize 'init(from:)' for 'ElementWithoutValue.Length', and make enumerations in it \
        CaseIterable
        """),
    Case(
      "a required attribute without a value to read", [NoPlaceholder.Track.self],
      says: """
        error[schema.unsupported-type]: attribute 'kind' of class 'NoPlaceholder.Track' has type \
        'NoPlaceholder.Kind', of which no value can be made for a row that has none
          give 'kind' an initial value, make 'NoPlaceholder.Kind' CaseIterable, or use 'NoPlaceholder.Kind?'
        """),
    Case(
      "a transformer for text", [TransformedText.Track.self],
      says: """
        error[schema.unsupported-type]: attribute 'color' of class 'TransformedText.Track' has type 'String?', but \
        a transformer writes bytes
          use 'Data' or 'Data?'
        """),
    Case(
      "a default that cannot be encoded", [UnstorableDefault.Track.self],
      says: """
        error[schema.unstorable-default]: attribute 'point' of class 'UnstorableDefault.Track' has an initial value \
        or a bound that cannot be encoded
          choose a value that its type can encode: JSON, for example, has no infinity
        """),
    Case(
      "two structures of one name", [SameComposite.Track.self], .swiftData,
      says: """
        error[schema.same-composite]: attribute 'start' of class 'SameComposite.Track' and attribute 'end' of class \
        'SameComposite.Track' have different types with the same name, 'Point'
          rename one of the types
        """),
  ]

  private static let inverses: [Case] = [
    Case(
      "inverses that are not relationships", [AttributeAsInverse.Track.self, AttributeAsInverse.Artist.self],
      says: """
        error[schema.not-an-inverse]: relationship 'artists' of class 'AttributeAsInverse.Track' has an inverse \
        that is not a relationship
          name a relationship with '$': 'inverse: \\Artist.$tracks'
        error[schema.not-an-inverse]: relationship 'others' of class 'AttributeAsInverse.Track' has an inverse that \
        is not a relationship
          name a relationship with '$': 'inverse: \\Artist.$tracks'
        """),
    Case(
      "an unknown inverse", [UnknownInverse.Track.self, UnknownInverse.Artist.self],
      says: """
        error[schema.unknown-inverse]: relationship 'artists' of class 'UnknownInverse.Track' has the inverse \
        'trakcs', but class 'UnknownInverse.Artist' has no such relationship
          did you mean 'tracks'?
        """),
    Case(
      "an inverse of another class",
      [InverseOfOtherClass.Track.self, InverseOfOtherClass.Artist.self, InverseOfOtherClass.Label.self],
      says: """
        error[schema.inverse-of-other-class]: relationship 'artists' of class 'InverseOfOtherClass.Track' leads to \
        class 'InverseOfOtherClass.Artist', but its inverse is relationship 'tracks' of class \
        'InverseOfOtherClass.Label'
          name a relationship of class 'InverseOfOtherClass.Artist'
        """),
    Case(
      "an inverse that leads elsewhere",
      [InverseLeadsElsewhere.Track.self, InverseLeadsElsewhere.Artist.self, InverseLeadsElsewhere.Label.self],
      says: """
        error[schema.inverse-leads-elsewhere]: relationship 'artists' of class 'InverseLeadsElsewhere.Track' has an \
        inverse that does not lead back: relationship 'labels' of class 'InverseLeadsElsewhere.Artist' leads to \
        class 'InverseLeadsElsewhere.Label'
          name a relationship that leads to class 'InverseLeadsElsewhere.Track'
        """),
    Case(
      "an inverse of two relationships", [InverseClaimedTwice.Track.self, InverseClaimedTwice.Artist.self],
      says: """
        error[schema.inverse-claimed-twice]: relationship 'tracks' of class 'InverseClaimedTwice.Artist' is the \
        inverse of 2 relationships: relationship 'artists' of class 'InverseClaimedTwice.Track' and relationship \
        'composers' of class 'InverseClaimedTwice.Track'
          keep one of them, and give each other one an inverse of its own
        """),
    Case(
      "inverses that disagree", [InversesDisagree.Track.self, InversesDisagree.Artist.self],
      says: """
        error[schema.inverses-disagree]: relationship 'artists' of class 'InversesDisagree.Track' has an inverse \
        with another inverse: that of relationship 'tracks' of class 'InversesDisagree.Artist' is relationship \
        'composers' of class 'InversesDisagree.Track'
          state the inverse at one end only
        """),
    Case(
      "an inverse that has none", [InverseWithoutInverse.Track.self, InverseWithoutInverse.Artist.self],
      says: """
        error[schema.inverse-without-inverse]: relationship 'artists' of class 'InverseWithoutInverse.Track' has an \
        inverse that is declared to have none: relationship 'tracks' of class 'InverseWithoutInverse.Artist'
          remove 'hasInverse: false' from 'tracks', or name another inverse
        """),
    Case(
      "several possible inverses", [AmbiguousInverse.Track.self, AmbiguousInverse.Artist.self],
      says: """
        error[schema.ambiguous-inverse]: relationship 'tracks' of class 'AmbiguousInverse.Artist' has several \
        possible inverses: relationship 'artists' of class 'AmbiguousInverse.Track' and relationship 'composer' of \
        class 'AmbiguousInverse.Track'
          state the inverse: 'inverse: \\AmbiguousInverse.Track.$artists', or 'hasInverse: false' if there is none
        """),
    Case(
      "two relationships of a class to itself", [Parents.Person.self], .swiftData,
      says: """
        error[schema.ambiguous-inverse]: relationship 'father' of class 'Parents.Person' has several possible \
        inverses: relationship 'mother' of class 'Parents.Person' and relationship 'father' of class 'Parents.Person'
          state the inverse: 'inverse: \\Parents.Person.$mother', or 'hasInverse: false' if there is none
        error[schema.ambiguous-inverse]: relationship 'mother' of class 'Parents.Person' has several possible \
        inverses: relationship 'father' of class 'Parents.Person' and relationship 'mother' of class 'Parents.Person'
          state the inverse: 'inverse: \\Parents.Person.$father', or 'hasInverse: false' if there is none
        """),
    Case(
      "an initial value with objects", [InitialTargets.Track.self, InitialTargets.Artist.self],
      says: """
        error[schema.initial-targets]: relationship 'artists' of class 'InitialTargets.Track' has an initial value \
        that contains objects
          make it empty, and set the targets of each new object
        """),
  ]

  private static let declarations: [Case] = [
    Case(
      "unknown properties in declarations", [UnknownProperty.Track.self],
      says: """
        error[schema.unknown-property]: a uniqueness constraint of class 'UnknownProperty.Track' names 'tilte', \
        which is not a property of the class
          did you mean 'title'?
        error[schema.unknown-property]: an index of class 'UnknownProperty.Track' names 'years', which is not a \
        property of the class
          did you mean 'year'?
        """),
    Case(
      "a key path of another class", [PropertyOfOtherClass.Track.self, PropertyOfOtherClass.Artist.self],
      says: """
        error[schema.property-of-other-class]: an index of class 'PropertyOfOtherClass.Track' has a key path of \
        class 'PropertyOfOtherClass.Artist'
          use key paths of class 'PropertyOfOtherClass.Track' or of its superclasses
        """),
    Case(
      "a key path without a dollar sign", [NotAProperty.Track.self],
      says: """
        error[schema.not-a-property]: an index of class 'NotAProperty.Track' has a key path that does not lead to a \
        property
          write key paths with '$', as in '\\NotAProperty.Track.$title'
        """),
    Case(
      "properties without a column", [WithoutColumn.Track.self, WithoutColumn.Artist.self],
      says: """
        error[schema.property-without-column]: a uniqueness constraint of class 'WithoutColumn.Track' contains \
        relationship 'artists', which has no column of its own
          remove it: only stored attributes and to-one relationships can be compared
        error[schema.property-without-column]: an index of class 'WithoutColumn.Track' contains attribute 'point', \
        which has no column of its own
          remove it: only stored attributes and to-one relationships can be compared
        """),
    Case(
      "empty declarations", [EmptyDeclarations.Track.self],
      says: """
        error[schema.empty-declaration]: a uniqueness constraint of class 'EmptyDeclarations.Track' has no properties
          name at least one property, or remove it
        error[schema.empty-declaration]: an index of class 'EmptyDeclarations.Track' has no properties
          name at least one property, or remove it
        """),
    Case(
      "a unique structure", [UnsuitableUnique.Track.self], .swiftData,
      says: """
        error[schema.unsuitable-unique]: attribute 'point' of class 'UnsuitableUnique.Track' is unique, but values \
        of type 'UnsuitableUnique.Point?' cannot be compared in a store
          remove '.unique', or store a value that identifies the object in another attribute
        """),
    Case(
      "a predicate that cannot be parsed", [InvalidPredicate.Artist.self, InvalidPredicate.Track.self],
      says: """
        error[schema.invalid-predicate]: fetched property 'tracks' of class 'InvalidPredicate.Artist' has an \
        invalid predicate: error[expression.expected-expression]: the text ends where an expression is expected
          expected a constant, a key, a variable, a function, '(' or '{'
            artist ==
                     ^
          correct the predicate
        """),
    Case(
      "a fetched property without its class", [FetchedMissingModel.Artist.self],
      says: """
        error[schema.missing-model]: fetched property 'tracks' of class 'FetchedMissingModel.Artist' leads to class \
        'FetchedMissingModel.Track', which is not in the schema
          add 'FetchedMissingModel.Track.self' to the models
        """),
  ]

  private static let model: [Case] = [
    Case(
      "a reserved name", [ReservedName.Track.self],
      says: """
        error[model.reserved-name]: attribute 'objectID' of entity 'Track' has the same name as a method of every \
        managed object
          choose another name, and keep 'objectID' as its renaming identifier
        """),
    Case(
      "an illegal name", [IllegalName.Track.self],
      says: """
        error[model.illegal-name]: attribute 'first title' of entity 'Track' has a name with a space in it
          start with a letter, followed by letters, digits and underscores
        """),
    Case(
      "counts that contradict each other", [Counts.Track.self, Counts.Artist.self],
      says: """
        error[model.relationship-counts]: relationship 'artists' of entity 'Track' must have at least 3 and at most \
        2 objects, which is impossible
          lower minCount or raise maxCount; a maxCount of 0 means no limit
        """),
    Case(
      "an ordered to-one", [OrderedToOne.Track.self, OrderedToOne.Artist.self],
      says: """
        warning[model.ordered-to-one]: relationship 'artist' of entity 'Track' is ordered, although it leads to at \
        most one object
          make it unordered; this changes the version hash, so do it in a new version of the model
        """),
    Case(
      "bounds that contradict each other", [Bounds.Track.self],
      says: """
        error[model.validation-bounds]: attribute 'rating' of entity 'Track' has a minimum above its maximum, so no \
        value is valid
          lower the minimum, or raise the maximum
        """),
    Case(
      "an invalid pattern", [Pattern.Track.self],
      says: """
        error[model.invalid-regular-expression]: attribute 'code' of entity 'Track' has regular expression '[a-z', \
        which is not valid
          use ICU syntax; check for an unclosed bracket or a quantifier with nothing to repeat
        """),
    Case(
      "a default outside the bounds", [DefaultOutsideBounds.Track.self],
      says: """
        warning[model.default-outside-bounds]: attribute 'rating' of entity 'Track' has a default below its own \
        minimum
          change the default, or the bound
        """),
    Case(
      "a property that a superclass has", [SamePropertyInSubclass.Media.self, SamePropertyInSubclass.Track.self],
      says: """
        error[schema.same-property]: properties 'name' and 'title' of class 'SamePropertyInSubclass.Track' have the \
        same name in the store, 'title'
          give one of them another name
        """),
    Case(
      "a derived attribute that is not stored", [DerivedTransient.Track.self],
      says: """
        warning[model.derived-attribute]: attribute 'length' of entity 'Track' is derived and transient, but the \
        store derives only attributes that it stores
          make it derived or transient, but not both
        """),
  ]

  @Test(arguments: cases) func `all mistakes of a schema are reported at once, with class, property and remedy`(
    _ row: Case
  ) {
    #expect(check(row) == row.message)
  }

  @Test func `classes whose names differ only in the version are classes of one entity`() {
    let text = message { _ = try Schema(objectTypes: [Versioned.Track_v1.self, Versioned.Track_v2.self]) }
    #expect(
      text == """
        error[schema.same-name]: classes 'Versioned.Track_v1' and 'Versioned.Track_v2' have the same entity name, 'Track'
          rename one of the classes, or list only the classes of one version
        """)
  }
}

/// Returns the mistakes in classes, or the warnings if there are no mistakes.
private func check(_ row: SchemaMistakeTests.Case) -> String {
  do {
    return try Schema(row.types, profile: row.profile).warnings.map(\.description).joined(separator: "\n")
  } catch {
    return "\(error)"
  }
}

/// Returns the text of the error that `body` throws.
func message(_ body: () throws -> Void) -> String {
  do {
    try body()
    return "no error"
  } catch {
    return "\(error)"
  }
}
