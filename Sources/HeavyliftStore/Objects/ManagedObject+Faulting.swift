import HeavyliftModel

extension ManagedObject {
  /// Reads the object's row if that was not done yet.
  func fulfill() throws {
    guard isFault else { return }
    let context = try livingContext()
    guard let row else { return try context.fulfill(self) }
    take(try row.read(in: context))
  }

  /// The value of an attribute, read alone if the object stands on its row; nil where the value is in a file.
  @inline(__always)
  func value(at slot: Int) throws -> Value? {
    if isFault {
      if let row, row.holds(slot) { return try value(at: slot, of: row) }
      try fulfill()
    }
    return externalFiles.isEmpty || externalFiles[slot] == nil ? heldValue(at: slot) : Value?.none
  }

  private func value(at slot: Int, of row: CurrentRow) throws -> Value {
    do { return try row.value(at: slot) } catch { throw try livingContext().worded(error) }
  }

  /// Takes in a row that was read.
  func take(_ row: StoredRow) {
    held = row.attributes
    toOnes = row.toOnes
    externalFiles = row.externalFiles
    committedFiles = [:]
    self.row = nil
    rowVersion = row.version
    isFault = false
    batch?.remove(self)
    batch = nil
  }

  /// Forgets what was read, so that it is read anew when somebody asks; changes are given up.
  func turnIntoFault() {
    isFault = true
    prefetched = nil
    held = []
    toOnes = []
    toManys = runtime.unreadTargets
    externalFiles = [:]
    committedFiles = [:]
    committed = nil
  }

  /// To be called before the first change after reading or saving.
  func willChange() throws {
    guard committed == nil, !isNew else { return }
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
