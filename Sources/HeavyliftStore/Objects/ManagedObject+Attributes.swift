import HeavyliftModel

extension ManagedObject {
  /// The value of an attribute.
  public subscript(name: String) -> Value {
    get { keeping(.null) { try value(forKey: name) } }
    set { keeping(()) { try setValue(newValue, forKey: name) } }
  }

  /// The value of an attribute, read from the store if need be.
  public func value(forKey name: String) throws -> Value {
    let slot = try attributeSlot(name)
    try fulfill()
    if let file = externalFiles[slot] {
      guard let context else { throw ObjectMistake.noContext(description).diagnostic }
      attributes[slot] = .data(try context.store.externalData.read(file))
      externalFiles[slot] = nil
      // Reading is no change; the file's name is still needed to leave the column as it is.
      committedFiles[slot] = file
    }
    return attributes[slot]
  }

  /// Sets the value of an attribute. Numbers are taken for one another where nothing is lost.
  public func setValue(_ value: Value, forKey name: String) throws {
    let slot = try attributeSlot(name)
    let attribute = runtime.attributes[slot]
    guard !attribute.isDerived else { throw ObjectMistake.derived(name, entity: runtime.name).diagnostic }
    guard let converted = value.converted(to: attribute.type) else {
      throw ObjectMistake.wrongType(name, entity: runtime.name, expected: attribute.type, found: value).diagnostic
    }
    try fulfill()
    guard externalFiles[slot] != nil || !attributes[slot].isIdentical(to: converted) else { return }
    try willChange()
    externalFiles[slot] = nil
    committedFiles[slot] = nil
    attributes[slot] = converted
  }

  /// The attributes that were changed since the object was read or saved.
  public var changedAttributeNames: [String] {
    guard let committed else { return isInserted ? runtime.attributes.map(\.description.name).sorted() : [] }
    return runtime.attributes.indices.filter { isChanged($0, since: committed) }
      .map { runtime.attributes[$0].description.name }.sorted()
  }

  /// The value of an attribute as it is stored, whatever was set since.
  public func committedValue(forKey name: String) throws -> Value {
    let slot = try attributeSlot(name)
    guard let committed else { return try value(forKey: name) }
    if let file = committed.externalFiles[slot], let context {
      return .data(try context.store.externalData.read(file))
    }
    return committed.attributes[slot]
  }

  func isChanged(_ slot: Int, since committed: Snapshot) -> Bool {
    if let file = committed.externalFiles[slot] { return externalFiles[slot] != file && committedFiles[slot] != file }
    return !attributes[slot].isIdentical(to: committed.attributes[slot])
  }

  private func attributeSlot(_ name: String) throws -> Int {
    guard case .attribute(let slot)? = runtime.slots[name] else {
      throw ObjectMistake.unknownProperty(name, entity: runtime, kind: "attribute").diagnostic
    }
    return slot
  }

  /// Does what may fail, and leaves a failure with the context, whose next save tells it.
  func keeping<Result>(_ fallback: Result, _ body: () throws -> Result) -> Result {
    do {
      return try body()
    } catch {
      context?.keep(error)
      return fallback
    }
  }
}
