import HeavyliftModel

extension ManagedObject {
  /// Reads the object's row if the object is a fault.
  func fulfill() throws {
    guard isFault else { return }
    let context = try livingContext()
    guard let row else { return try context.fulfill(self) }
    take(try row.read(in: context))
  }

  /// Returns the value of an attribute; nil if the value is in a file. In an enumeration, only this value of the
  /// current row is decoded.
  @inline(__always)
  func value(at slot: Int) throws -> Value? {
    if isFault {
      if let row, row.holds(slot) { return try value(at: slot, of: row) }
      try fulfill()
    }
    return !hasExternalFiles || externalFiles[slot] == nil ? heldValue(at: slot) : Value?.none
  }

  private func value(at slot: Int, of row: CurrentRow) throws -> Value {
    do { return try row.value(at: slot) } catch { throw try livingContext().worded(error) }
  }

  /// Sets the object's values to those of its row.
  func take(_ row: StoredRow) {
    held = row.attributes
    if !runtime.transientSlots.isEmpty, let context, context.isBulkLoading { context.restoreTransients(of: self) }
    toOnes = row.toOnes
    externalFiles = row.externalFiles
    committedFiles = [:]
    self.row = nil
    rowVersion = row.version
    isFault = false
    batch?.remove(self)
    batch = nil
  }

  /// Discards the object's values and changes, so that the next access reads its row again.
  func turnIntoFault() {
    isFault = true
    prefetched = nil
    overriddenSlots = SlotSet()
    held = []
    toOnes = []
    toManys = runtime.unreadTargets
    clearRare()
  }

  /// To be called before the first change since the object was read or saved.
  func willChange() throws {
    guard !isNew, !isChanged else { return }
    let context = try livingContext()
    guard !isDeletedFromStore else {
      throw StoreMistake.missingObject(entity: runtime.name, key: key).diagnostic(context.store.url)
    }
    try fulfill()
    let files = committedFiles.isEmpty ? externalFiles : externalFiles.merging(committedFiles) { own, _ in own }
    committed = Snapshot(attributes: attributes, toOnes: toOnes, externalFiles: files)
    guard !isMarkedForDeletion else { return }
    context.updated[objectKey] = self
    context.updatedBytes += heapBytes
  }
}
