/// A change counter shared by related objects.
final class RevisionCount {
  var count = 0
}
