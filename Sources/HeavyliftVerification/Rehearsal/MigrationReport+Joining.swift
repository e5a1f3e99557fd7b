import Heavylift

extension MigrationReport {
  /// Joins the reports of hops that were carried out one after another: the result for the objects of the first version.
  init(joining reports: [MigrationReport]) {
    self = reports.first ?? MigrationReport()
    for report in reports.dropFirst() {
      mappings += report.mappings
      losses += report.losses
      notes += report.notes
      changedEntities = Set(changedEntities + report.changedEntities).sorted()
      objects = report.objects
    }
  }
}

extension VerificationReport {
  /// Joins the reports of hops that were carried out one after another.
  init(joining reports: [VerificationReport]) {
    self = reports.first ?? VerificationReport()
    for report in reports.dropFirst() {
      mappings += report.mappings
      unexpected.merge(report.unexpected, uniquingKeysWith: +)
      changedEntities = Set(changedEntities + report.changedEntities).sorted()
      damage += report.damage
      inheritedDamage.merge(report.inheritedDamage, uniquingKeysWith: +)
      hasComparedValues = hasComparedValues && report.hasComparedValues
      otherContents.differences += report.otherContents.differences
      otherContents.rows.merge(report.otherContents.rows) { $1 }
      otherContents.skippedTables.merge(report.otherContents.skippedTables) { $1 }
      examples += report.examples
    }
  }
}
