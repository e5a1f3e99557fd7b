import Foundation
import HeavyliftModel
import Testing

@Suite struct AttributeRuleTests {
  private static func book(_ attributes: AttributeDescription...) -> ManagedObjectModel {
    ManagedObjectModel(entities: [EntityDescription(name: "Book", attributes: attributes)])
  }

  static let cases: [RuleCase] = [
    RuleCase(
      "attributes that are right",
      book(
        AttributeDescription(
          name: "count", type: .integer16, isOptional: false, defaultValue: 3,
          validation: AttributeValidation(minimum: 3, maximum: 32767)),
        AttributeDescription(name: "mandatory", type: .string, isOptional: false),
        AttributeDescription(
          name: "code", type: .string, defaultValue: "ab",
          validation: AttributeValidation(minimumLength: 2, maximumLength: 2, regularExpression: "[a-z]+")),
        AttributeDescription(name: "image", type: .binaryData, allowsExternalBinaryDataStorage: true),
        AttributeDescription(
          name: "color", type: .transformable, allowsExternalBinaryDataStorage: true,
          valueTransformerName: "NSSecureUnarchiveFromData"),
        AttributeDescription(name: "anything", type: .undefined, isTransient: true),
        AttributeDescription(name: "total", type: .integer64, derivationExpression: "pages.@count"),
        AttributeDescription(
          name: "since", type: .date, defaultValue: .date(Date(timeIntervalSinceReferenceDate: 5)),
          validation: AttributeValidation(minimum: .date(Date(timeIntervalSinceReferenceDate: 5)))),
        AttributeDescription(
          name: "ratio", type: .double, defaultValue: 0.5, validation: AttributeValidation(minimum: 0, maximum: 1)))),
    RuleCase(
      "no type",
      book(AttributeDescription(name: "x", type: .undefined, markup: .line(3))),
      says: """
        contents:3:5: error[model.undefined-attribute-type]: attribute 'x' of entity 'Book' has no type
          choose a type, or make it transient
        """),
    RuleCase(
      "defaults of another type",
      book(
        AttributeDescription(
          name: "a", type: .integer16, defaultValue: 70_000, markup: .line(3, ("defaultValueString", "70000"))),
        AttributeDescription(name: "b", type: .integer32, defaultValue: "NO"),
        AttributeDescription(name: "c", type: .integer32, defaultValue: "many"),
        AttributeDescription(name: "d", type: .string, defaultValue: 4),
        AttributeDescription(
          name: "e", type: .date, defaultValue: "soon", markup: .line(4, ("defaultDateTimeInterval", "soon"))),
        AttributeDescription(name: "f", type: .float, defaultValue: 1e300),
        AttributeDescription(name: "g", type: .binaryData, defaultValue: "left"),
        AttributeDescription(name: "h", type: .transformable, defaultValue: "left", valueTransformerName: "T")),
      says: """
        contents:3:10: warning[model.default-type]: attribute 'a' of entity 'Book' has a default that is outside the range \
        of Integer 16
          choose a default within the range, or a wider type
        """,
      """
      contents:4:10: error[model.default-type]: attribute 'e' of entity 'Book' has type Date, but its default is a \
      string, which cannot be converted
        write a default of type Date, or none
      """,
      """
      warning[model.default-type]: attribute 'b' of entity 'Book' has type Integer 32, but its default is a string
        write a default of type Integer 32, or none
      """,
      """
      error[model.default-type]: attribute 'c' of entity 'Book' has type Integer 32, but its default is a string, which \
      cannot be converted
        write a default of type Integer 32, or none
      """,
      """
      warning[model.default-type]: attribute 'd' of entity 'Book' has type String, but its default is an integer
        write a default of type String, or none
      """,
      """
      warning[model.default-type]: attribute 'f' of entity 'Book' has a default that is outside the range of Float
        choose a default within the range, or a wider type
      """,
      """
      warning[model.default-type]: attribute 'g' of entity 'Book' has a default, which has no effect for type Binary
        remove the default
      """),
    RuleCase(
      "defaults that are written oddly",
      book(
        AttributeDescription(
          name: "a", type: .integer32, defaultValue: 0, markup: .line(3, ("defaultValueString", "NO"))),
        AttributeDescription(
          name: "b", type: .string, defaultValue: "\"\"", markup: .line(4, ("defaultValueString", "\"\""))),
        AttributeDescription(
          name: "c", type: .boolean, defaultValue: true, markup: .line(5, ("defaultValueString", "YES"))),
        AttributeDescription(
          name: "d", type: .decimal, defaultValue: .decimal(1.5), markup: .line(6, ("defaultValueString", "1.5"))),
        AttributeDescription(
          name: "e", type: .float, defaultValue: 0.0, markup: .line(7, ("defaultValueString", "0,5"))),
        AttributeDescription(name: "f", type: .integer16, markup: .line(8, ("defaultValueString", ""))),
        AttributeDescription(name: "g", type: .date, markup: .line(9, ("defaultValueString", "now"))),
        AttributeDescription(
          name: "h", type: .date, defaultValue: .date(Date(timeIntervalSinceReferenceDate: 0)),
          markup: .line(10, ("defaultDateTimeInterval", "0"), ("defaultValueString", "now"))),
        AttributeDescription(
          name: "i", type: .date,
          markup: .line(11, ("defaultDateTimeInterval", ""), ("defaultValueString", "2024-13-32"))),
        AttributeDescription(name: "j", type: .date, markup: .line(12, ("defaultValueString", "")))),
      says: """
        contents:3:10: warning[model.default-text]: attribute 'a' of entity 'Book' has type Integer 32, but its default \
        is written as 'NO'
          write it as Xcode does for this type
        """,
      """
      contents:4:10: warning[model.default-text]: attribute 'b' of entity 'Book' has a default in quotation marks, which \
      are part of the text
        write the text without quotation marks, or remove the default if it is meant to be empty
      """,
      """
      contents:7:10: warning[model.default-text]: attribute 'e' of entity 'Book' has type Float, but its default is \
      written as '0,5'
        write it as Xcode does for this type
      """,
      """
      contents:9:10: warning[model.default-text]: attribute 'g' of entity 'Book' has type Date, and its default 'now' \
      has no effect without a defaultDateTimeInterval
        write the seconds since 2001-01-01 00:00:00 UTC as defaultDateTimeInterval, or remove the default
      """,
      """
      contents:11:20: warning[model.default-text]: attribute 'i' of entity 'Book' has type Date, and its default \
      '2024-13-32' has no effect without a defaultDateTimeInterval
        write the seconds since 2001-01-01 00:00:00 UTC as defaultDateTimeInterval, or remove the default
      """),
    RuleCase(
      "defaults outside their bounds",
      book(
        AttributeDescription(
          name: "a", type: .integer32, defaultValue: 0, validation: AttributeValidation(minimum: 1),
          markup: .line(3, ("minValueString", "1"), ("defaultValueString", "0"))),
        AttributeDescription(name: "b", type: .double, defaultValue: 2.5, validation: .init(maximum: 2.0)),
        AttributeDescription(name: "c", type: .string, defaultValue: "", validation: .init(minimumLength: 1)),
        AttributeDescription(name: "d", type: .string, defaultValue: "🙂", validation: .init(maximumLength: 1))),
      says: """
        contents:3:20: warning[model.default-outside-bounds]: attribute 'a' of entity 'Book' has a default below its own \
        minimum
          change the default, or the bound
        """,
      """
      warning[model.default-outside-bounds]: attribute 'b' of entity 'Book' has a default above its own maximum
        change the default, or the bound
      """,
      """
      warning[model.default-outside-bounds]: attribute 'c' of entity 'Book' has a default shorter than its own minimum \
      length of 1
        change the default, or the bound
      """,
      """
      warning[model.default-outside-bounds]: attribute 'd' of entity 'Book' has a default longer than its own maximum \
      length of 1
        change the default, or the bound
      """),
    RuleCase(
      "defaults that are not a number",
      book(
        AttributeDescription(name: "a", type: .double, isOptional: false, defaultValue: .double(.nan)),
        AttributeDescription(name: "b", type: .double, defaultValue: .double(.nan)),
        AttributeDescription(name: "c", type: .double, isOptional: false, defaultValue: .double(.infinity))),
      says: """
        error[model.default-not-a-number]: attribute 'a' of entity 'Book' has a default that is not a number (NaN), which \
        a store holds as nil
          choose another default
        """,
      """
      warning[model.default-not-a-number]: attribute 'b' of entity 'Book' has a default that is not a number (NaN), which \
      a store holds as nil
        remove the default
      """),
    RuleCase(
      "bounds that nothing passes",
      book(
        AttributeDescription(
          name: "a", type: .integer64,
          // Equal when compared as doubles.
          validation: .init(minimum: .integer(.max), maximum: .integer(.max - 1)),
          markup: .line(3, ("maxValueString", "x"), ("minValueString", "y"))),
        AttributeDescription(name: "b", type: .string, validation: .init(minimumLength: 5, maximumLength: 4)),
        AttributeDescription(name: "c", type: .string, validation: .init(maximumLength: -1))),
      says: """
        contents:3:20: error[model.validation-bounds]: attribute 'a' of entity 'Book' has a minimum above its maximum, so \
        no value is valid
          lower the minimum, or raise the maximum
        """,
      """
      error[model.validation-bounds]: attribute 'b' of entity 'Book' must have at least 5 and at most 4 characters, which \
      is impossible
        lower the minimum, or raise the maximum
      """,
      """
      error[model.validation-bounds]: attribute 'c' of entity 'Book' has a maximum length of -1, so no text is valid
        lower the minimum, or raise the maximum
      """),
    RuleCase(
      "validation that does not suit its type",
      book(
        AttributeDescription(name: "a", type: .boolean, validation: .init(minimum: 0)),
        AttributeDescription(
          name: "b", type: .integer16, validation: .init(maximum: 70_000),
          markup: .line(3, ("maxValueString", "70000"))),
        AttributeDescription(name: "c", type: .double, validation: .init(minimum: "low")),
        AttributeDescription(name: "d", type: .date, validation: .init(regularExpression: "x")),
        AttributeDescription(name: "e", type: .string, validation: .init(minimumLength: -1))),
      says: """
        contents:3:10: warning[model.validation-without-effect]: attribute 'b' of entity 'Book' has a maximum outside the \
        range of Integer 16
          choose a bound within the range, or a wider type
        """,
      """
      warning[model.validation-without-effect]: attribute 'a' of entity 'Book' has a minimum, which has no effect for \
      type Boolean
        remove it
      """,
      """
      warning[model.validation-without-effect]: attribute 'c' of entity 'Book' has type Double, but has a minimum that \
      is a string
        write a bound of type Double
      """,
      """
      warning[model.validation-without-effect]: attribute 'd' of entity 'Book' has a regular expression, which has no \
      effect for type Date
        remove it
      """,
      """
      warning[model.validation-without-effect]: attribute 'e' of entity 'Book' has a minimum length of -1, which has \
      no effect
        write a length of 0 or more
      """),
    RuleCase(
      "a pattern that does not compile",
      book(
        AttributeDescription(
          name: "a", type: .string, validation: .init(regularExpression: "[a-z"),
          markup: .line(3, ("regularExpressionString", "[a-z"))),
        AttributeDescription(name: "b", type: .string, validation: .init(regularExpression: "\\p{Lu}(?<n>x)\\k<n>")),
        AttributeDescription(name: "c", type: .string, validation: .init(regularExpression: ""))),
      says: """
        contents:3:10: error[model.invalid-regular-expression]: attribute 'a' of entity 'Book' has regular expression \
        '[a-z', which is not valid
          use ICU syntax; check for an unclosed bracket or a quantifier with nothing to repeat
        """),
    RuleCase(
      "transformers",
      book(
        AttributeDescription(name: "a", type: .transformable, markup: .line(3)),
        AttributeDescription(name: "b", type: .transformable, valueTransformerName: "NSKeyedUnarchiveFromData"),
        AttributeDescription(name: "c", type: .string, valueTransformerName: "Color"),
        AttributeDescription(name: "d", type: .transformable, isTransient: true)),
      says: """
        contents:3:5: note[model.insecure-transformer]: attribute 'a' of entity 'Book' names no transformer, so any class \
        is decoded
          use 'NSSecureUnarchiveFromData', which decodes only known classes and can read the existing values
        """,
      """
      note[model.insecure-transformer]: attribute 'b' of entity 'Book' has transformer 'NSKeyedUnarchiveFromData', which \
      decodes any class
        use 'NSSecureUnarchiveFromData', which decodes only known classes and can read the existing values
      """,
      """
      note[model.transformer-without-effect]: attribute 'c' of entity 'Book' names a transformer, which has no effect for \
      type String
        remove it, or make the attribute transformable
      """),
    RuleCase(
      "external storage of a text",
      book(
        AttributeDescription(
          name: "a", type: .string, allowsExternalBinaryDataStorage: true,
          markup: .line(3, ("allowsExternalBinaryDataStorage", "YES")))),
      says: """
        contents:3:10: warning[model.external-storage-without-effect]: attribute 'a' of entity 'Book' allows external \
        storage, which has no effect for type String
          turn it off; this changes the version hash, so do it in a new version of the model
        """),
    RuleCase(
      "derived attributes",
      book(
        AttributeDescription(
          name: "a", type: .integer64, isOptional: false, isTransient: true, defaultValue: 0,
          derivationExpression: " ", markup: .line(3, ("derivationExpression", " ")))),
      says: """
        contents:3:5: warning[model.derived-attribute]: attribute 'a' of entity 'Book' is derived and has a default, \
        which is never used
          remove the default
        """,
      """
      contents:3:5: warning[model.derived-attribute]: attribute 'a' of entity 'Book' is derived and mandatory, but has no \
      value before its object is first saved
        make it optional
      """,
      """
      contents:3:5: warning[model.derived-attribute]: attribute 'a' of entity 'Book' is derived and transient, but the \
      store derives only attributes that it stores
        make it derived or transient, but not both
      """,
      """
      contents:3:10: error[model.derived-attribute]: attribute 'a' of entity 'Book' is derived from an empty expression
        write the expression that it is derived from
      """),
    RuleCase(
      "composites",
      ManagedObjectModel(
        entities: [
          .of(
            "Book", AttributeDescription(name: "place", type: .composite, compositeName: "Adress"),
            AttributeDescription(name: "size", type: .composite))
        ],
        composites: [
          CompositeDescription(
            name: "Address",
            elements: [AttributeDescription(name: "geo", type: .composite, compositeName: "Geo", markup: .line(9))]),
          CompositeDescription(
            name: "Geo",
            elements: [
              AttributeDescription(name: "back", type: .composite, compositeName: "Address"),
              AttributeDescription(name: "lat", type: .double), AttributeDescription(name: "lat", type: .undefined),
              AttributeDescription(name: "self", type: .composite, compositeName: "Geo"),
            ]), CompositeDescription(name: "Geo", elements: []),
        ]),
      says: """
        error[model.composite-cycle]: composite 'Address' contains itself: 'Address' → 'Geo' → 'Address'
          remove one element to break the cycle
        """,
      """
      error[model.composite-cycle]: composite 'Geo' contains itself
        remove one element to break the cycle
      """,
      """
      error[model.duplicate-composite]: composite 'Geo' is declared more than once
        rename or remove one of them
      """,
      """
      error[model.duplicate-property]: element 'lat' of composite 'Geo' is declared more than once
        rename or remove one of them
      """,
      """
      error[model.undefined-attribute-type]: element 'lat' of composite 'Geo' has no type
        choose a type, or make it transient
      """,
      """
      error[model.unknown-composite]: attribute 'place' of entity 'Book' is of composite type 'Adress', which the model \
      does not have
        did you mean 'Address'?
      """,
      """
      warning[model.unknown-composite]: attribute 'size' of entity 'Book' is a composite, but names no composite type
        name its composite type
      """),
  ]

  @Test(arguments: cases) func `a check of attributes`(_ example: RuleCase) { example.check() }
}
