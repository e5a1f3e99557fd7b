/// An object within a context: the hierarchy that shares its table, and the key of its row there.
///
/// Negative keys are temporary: they belong to objects that were not saved yet.
struct ObjectKey: Hashable {
  /// `Z_ENT` of the hierarchy's root.
  var root: Int
  var key: Int64
}
