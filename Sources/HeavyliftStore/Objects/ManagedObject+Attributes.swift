import HeavyliftModel

extension ManagedObject {
  /// The value of an attribute.
  public subscript(name: String) -> Value {
    get { keeping(.null) { try value(forKey: name) } }
    set { keeping(()) { try setValue(newValue, forKey: name) } }
  }

  /// Returns the value of an attribute, and reads it from the store if necessary.
  ///
  /// In a migration, a value whose external file is missing is `nil`; the migration's report lists such files.
  public func value(forKey name: String) throws -> Value {
    let slot = try attributeSlot(name)
    noteHandled(.attribute(slot))
    if let value = try value(at: slot) { return value }
    if let context, context.isBulkLoading || context.registersEverything, let file = externalFiles[slot],
      try context.store.externalData.isMissing(file)
    {
      return .null
    }
    return try attributeValue(at: slot)
  }

  /// The value of an attribute for an expression. Throws if its file is missing, which an expression would take for
  /// nil.
  func attributeValue(forKey name: String) throws -> Value { try attributeValue(at: attributeSlot(name)) }

  /// Returns the value of the attribute with that slot.
  package func attributeValue(at slot: Int) throws -> Value {
    noteHandled(.attribute(slot))
    if let value = try value(at: slot) { return value }
    if let file = externalFiles[slot] {
      guard let context else { throw ObjectMistake.noContext(description).diagnostic }
      setHeld(try context.store.externalData.readValue(file).map { .data($0) } ?? .null, at: slot)
      externalFiles[slot] = nil
      // Reading is not a change. The file's name is kept, so that a save does not change the column.
      committedFiles[slot] = file
    }
    return attributes[slot]
  }

  /// Sets the value of an attribute. Numeric types convert to each other if nothing is lost.
  public func setValue(_ value: Value, forKey name: String) throws {
    try setAttributeValue(value, at: attributeSlot(name))
  }

  /// Sets the value of the attribute with that slot.
  package func setAttributeValue(_ value: Value, at slot: Int) throws {
    let attribute = runtime.attributes[slot]
    guard !attribute.isDerived else {
      throw ObjectMistake.derived(attribute.description.name, entity: runtime.name).diagnostic
    }
    let converted =
      if attribute.type == .composite, let column = attribute.column {
        try composite(value, elements: column.elements, path: attribute.description.name)
      } else {
        try converted(value, to: attribute)
      }
    try fulfill()
    let isInFile = hasExternalFiles && externalFiles[slot] != nil
    noteHandled(.attribute(slot))
    guard isInFile || !heldValue(at: slot).isIdentical(to: converted) else { return }
    try willChange()
    forgetFiles(at: slot)
    setHeld(converted, at: slot)
  }

  /// Records that the program has read or set a property.
  func noteHandled(_ slot: EntityRuntime.Slot) { context?.store.handledProperties?.note(slot, of: runtime) }

  /// The names of the attributes that have changed since the object was read or saved.
  public var changedAttributeNames: [String] {
    if isInserted { return runtime.attributes.map(\.description.name).sorted() }
    guard let committed else { return [] }
    return runtime.attributes.indices.filter { isChanged($0, since: committed) }
      .map { runtime.attributes[$0].description.name }.sorted()
  }

  /// Returns the stored value of an attribute, ignoring unsaved changes.
  public func committedValue(forKey name: String) throws -> Value {
    let slot = try attributeSlot(name)
    guard let committed, !isInserted else { return try value(forKey: name) }
    noteHandled(.attribute(slot))
    if let file = committed.externalFiles[slot], let context {
      return try context.store.externalData.readValue(file).map { .data($0) } ?? .null
    }
    return committed.attributes[slot]
  }

  private func converted(_ value: Value, to attribute: EntityRuntime.Attribute) throws -> Value {
    if let converted = value.converted(to: attribute.type) { return converted }
    return try converted(value, to: attribute.type, path: attribute.description.name)
  }

  private func converted(_ value: Value, to type: AttributeType, path: String) throws -> Value {
    if let converted = value.converted(to: type) { return converted }
    throw ObjectMistake.wrongType(path, entity: runtime.name, expected: type, found: value).diagnostic
  }

  /// Converts each element of a composite to its type. Throws for an element that the model does not have, because it
  /// would be lost silently.
  private func composite(_ value: Value, elements: [AttributeColumn], path: String) throws -> Value {
    guard case .composite(var values) = try converted(value, to: .composite, path: path) else { return value }
    for (name, value) in values {
      let place = "\(path).\(name)"
      guard let element = elements.first(where: { $0.name == name }) else {
        throw ObjectMistake.unknownElement(place, entity: runtime.name, known: elements.map(\.name)).diagnostic
      }
      if element.type == .composite {
        values[name] = try composite(value, elements: element.elements, path: place)
        continue
      }
      let kept = try converted(value, to: element.type, path: place)
      // Validation does not look into composites.
      if let range = element.type.integerRange, let integer = kept.integer, !range.contains(integer) {
        throw ObjectMistake.wrongKind(
          place, entity: runtime.name, expected: element.type, "an integer out of its range"
        ).diagnostic
      }
      values[name] = kept
    }
    return .composite(values)
  }

  func isChanged(_ slot: Int, since committed: Snapshot) -> Bool {
    if let file = committed.externalFiles[slot] { return externalFiles[slot] != file && committedFiles[slot] != file }
    return !attributes[slot].isIdentical(to: committed.attributes[slot])
  }

  private func attributeSlot(_ name: String) throws -> Int {
    guard case .attribute(let slot)? = runtime.slots[name] else {
      throw ObjectMistake.unknownProperty(name, entity: runtime, wanted: .attribute).diagnostic
    }
    return slot
  }

  /// Calls a function that may fail; the context's next save throws its error.
  func keeping<Result>(_ fallback: Result, _ body: () throws -> Result) -> Result {
    do {
      return try body()
    } catch {
      context?.keep(error, of: self)
      return fallback
    }
  }
}
