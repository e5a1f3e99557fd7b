/// How often anything was set that belongs together.
final class RevisionCount {
  var count = 0
}
