// German words: statements.

/** Messages `statement.*`. */
export const statement = {
  "statement.page": "Kontoauszug",
  "statement.text": "Was in einem Zeitraum kam und ging, mit dem Guthaben davor und danach.",
  "statement.period": "Zeitraum",
  "statement.period.thisMonth": "Dieser Monat",
  "statement.period.lastMonth": "Letzter Monat",
  "statement.period.thisQuarter": "Dieses Quartal",
  "statement.period.lastQuarter": "Letztes Quartal",
  "statement.period.thisYear": "Dieses Jahr",
  "statement.period.lastYear": "Letztes Jahr",
  "statement.period.custom": "Andere Tage",
  "statement.from": "Erster Tag",
  "statement.to": "Letzter Tag",
  "statement.periodWrong": "Der erste Tag darf nicht nach dem letzten liegen.",
  "statement.range": "Von {from} bis {to}",
  "statement.opening": "Anfangsguthaben",
  "statement.received": "Erhalten",
  "statement.sent": "Gesendet",
  "statement.fees": "Gebühren",
  "statement.other": "Andere Bewegungen",
  "statement.closing": "Endguthaben",
  "statement.count": { one: "{count} Eintrag", other: "{count} Einträge" },
  "statement.unlisted":
    "{amount} wurden ohne einen Eintrag bewegt, der sie nennt: im Genesis, durch Verträge, Kanäle oder Pfand. Wann, ist unbekannt: Die Guthaben hier zählen sie, wo es geht, vor dem Zeitraum.",
  "statement.missing":
    "Deinem Knoten fehlen Blöcke unterhalb von {height}, in die dieser Zeitraum reicht. Einen Kontoauszug gibt es nur aus der vollständigen Geschichte.",
  "statement.tooLong": "Kontoauszüge mit mehr als {limit} Einträgen gibt es nur als CSV.",
  "statement.saveCsv": "Als CSV speichern",
  "statement.print": "Drucken oder als PDF speichern",
  "statement.savePdf": "Als PDF speichern",
  "statement.pdfSaved": "Kontoauszug als PDF gespeichert",
  "statement.printOnly": "Drucken",
  "statement.csvBalance": "Guthaben danach (T)",
  "statement.entry": "Eintrag",
} as const;
