import HeavyliftModel

/// The rules for the values of one attribute, of a store that need not exist yet.
package struct AttributeRules {
  private let validator: AttributeValidator

  /// True if every value that an object can hold is valid.
  package var acceptsEverything: Bool { validator.acceptsEverything }

  /// True if a value that another attribute of the same type holds may be invalid.
  package var restrictsCopies: Bool { validator.restrictsCopies }

  /// Returns nil if the store does not have the attribute, or computes it.
  package init?(of attribute: String, entity: String, in store: StoreBlueprint) {
    guard let runtime = store.runtime.byName[entity], case .attribute(let slot)? = runtime.slots[attribute],
      !runtime.attributes[slot].isDerived
    else { return nil }
    validator = runtime.attributes[slot].validator
  }

  /// Returns the rules that a value violates, as the error's code, problem and remedy.
  package func violations(
    by value: Value
  ) -> [(code: ValidationError.Code, problem: String, remedy: String)] { validator.findings(for: value) }
}
