/// Identifies an object within a context: by the hierarchy whose table contains its row, and by the row's key.
///
/// Negative keys are temporary: they belong to objects that are not saved yet.
struct ObjectKey: Hashable {
  /// `Z_ENT` of the hierarchy's root.
  var root: Int
  var key: Int64
}
