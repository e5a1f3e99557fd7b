import Foundation
import HeavyliftModel

extension AttributeDescription: ModelElement {
  static var blank: AttributeDescription { AttributeDescription(name: "", type: .undefined, isOptional: false) }

  static let rules: AttributeRules<AttributeDescription> = [
    .text("name", \.name),
    .flag("optional", \.isOptional),
    .flag("transient", \.isTransient),
    AttributeRule(name: "attributeType", read: readType, write: { $0.type == .undefined ? nil : $0.type.modelName }),
    .text("compositeName", \.compositeName),
    bound("minValueString", \.minimum, \.minimumLength),
    bound("maxValueString", \.maximum, \.maximumLength),
    interval("minDateTimeInterval", \.validation.minimum),
    interval("maxDateTimeInterval", \.validation.maximum),
    interval("defaultDateTimeInterval", \.defaultValue),
    AttributeRule(
      name: "defaultValueString",
      read: { attribute, written, _ in
        guard attribute.type != .date else { return }
        attribute.defaultValue = ModelValueText.defaultValue(written.value, for: attribute.type)
      },
      write: { ModelValueText.text(of: $0.defaultValue, for: $0.type) }),
    .text("regularExpressionString", \.validation.regularExpression),
    AttributeRule(
      name: "derived",
      read: { attribute, written, findings in
        if written.flag(&findings) == true { attribute.derivationExpression = "" }
      },
      write: { $0.isDerived ? "YES" : nil }),
    AttributeRule(
      name: "derivationExpression",
      read: { attribute, written, _ in
        // Xcode keeps the expression when the user unchecks "derived".
        if attribute.isDerived { attribute.derivationExpression = written.value }
      },
      write: { $0.derivationExpression.flatMap { $0.isEmpty ? nil : $0 } }),
    .kept("usesScalarValueType", usesScalarValueType),
    .text("valueTransformerName", \.valueTransformerName),
    .text("customClassName", \.attributeValueClassName),
    .flag("allowsExternalBinaryDataStorage", \.allowsExternalBinaryDataStorage),
    .kept("allowsCloudEncryption"),
    .flag("indexed", \.isIndexed),
    .flag("spotlightIndexingEnabled", \.isIndexedBySpotlight),
    .flag("storedInTruthFile", \.isStoredInExternalRecord),
    .flag("preserveAfterDeletion", \.preservesValueInHistoryOnDeletion),
    .text("versionHashModifier", \.versionHashModifier),
    .text("elementID", \.renamingIdentifier),
    .kept("syncable"),
  ]

  @Sendable private static func readType(
    _ attribute: inout AttributeDescription, _ written: XMLAttribute, _ findings: inout ModelFindings
  ) {
    if let type = AttributeType(modelName: written.value == "ObjectID" ? "Object ID" : written.value) {
      attribute.type = type
    } else {
      let known = AttributeType.allCases.map(\.modelName)
      findings.reject(written, "unknown-type", known.suggestion(for: written.value, kind: "type"))
    }
  }

  /// Returns the rule for a bound, which limits the value of a number or the length of a string.
  private static func bound(
    _ name: String, _ value: WritableKeyPath<AttributeValidation, Value> & Sendable,
    _ length: WritableKeyPath<AttributeValidation, Int?> & Sendable
  ) -> AttributeRule<AttributeDescription> {
    AttributeRule(
      name: name,
      read: { attribute, written, findings in
        switch attribute.type {
        case _ where written.value.isEmpty: break
        case .string:
          attribute.validation[keyPath: length] = Double(written.value).flatMap { Int(exactly: $0) }
          if attribute.validation[keyPath: length] == nil {
            findings.reject(written, "not-a-number", "write a number: the length in characters")
          }
        case .integer16, .integer32, .integer64, .decimal, .double, .float:
          attribute.validation[keyPath: value] = ModelValueText.number(written.value, for: attribute.type) ?? .null
          if attribute.validation[keyPath: value].isNull { findings.reject(written, "not-a-number", "write a number") }
        default: break  // left over from before the type changed
        }
      },
      write: { attribute in
        attribute.validation[keyPath: length].map { String($0) }
          ?? ModelValueText.text(of: attribute.validation[keyPath: value], for: attribute.type)
      })
  }

  private static func interval(
    _ name: String, _ path: WritableKeyPath<AttributeDescription, Value> & Sendable
  ) -> AttributeRule<AttributeDescription> {
    AttributeRule(
      name: name,
      read: { attribute, written, findings in
        guard attribute.type == .date, !written.value.isEmpty else { return }
        if let seconds = Double(written.value), seconds.isFinite {
          attribute[keyPath: path] = .date(Date(timeIntervalSinceReferenceDate: seconds))
        } else {
          findings.reject(written, "not-a-number", "write the seconds since 2001-01-01 00:00:00 UTC")
        }
      },
      write: { ModelValueText.interval(of: $0[keyPath: path]) })
  }

  /// Xcode's default for a new attribute: generated classes use scalars for numbers, and objects for dates and UUIDs.
  @Sendable private static func usesScalarValueType(_ attribute: AttributeDescription) -> String? {
    switch attribute.type {
    case .integer16, .integer32, .integer64, .boolean, .double, .float: "YES"
    case .date, .uuid: "NO"
    default: nil
    }
  }
}
