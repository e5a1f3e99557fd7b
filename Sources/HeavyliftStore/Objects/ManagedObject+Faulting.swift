import HeavyliftModel

extension ManagedObject {
  /// Reads the object's row if that was not done yet.
  func fulfill() throws {
    guard isFault else { return }
    try livingContext().fulfill(self)
  }

  /// Takes in a row that was read.
  func take(_ row: StoredRow) {
    attributes = row.attributes
    toOnes = row.toOnes
    externalFiles = row.externalFiles
    committedFiles = [:]
    rowVersion = row.version
    isFault = false
    batch?.remove(self)
    batch = nil
  }

  /// Forgets what was read, so that it is read anew when somebody asks; changes are given up.
  func turnIntoFault() {
    isFault = true
    attributes = []
    toOnes = []
    toManys = [ToManyContents](repeating: ToManyContents(), count: runtime.toManys.count)
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
    if !isMarkedForDeletion { context.updated[objectKey] = self }
  }
}
