// German words: statements.

/** Messages `statement.*`. */
export const statement = {
  "statement.page": "Kontoauszug",
  "statement.text": "Ein- und Ausgänge in einem Zeitraum, mit dem Guthaben davor und danach.",
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
    "{amount} wurden ohne eigenen Eintrag bewegt: im Genesis oder durch Verträge, Kanäle oder Pfand. Wann, ist unbekannt; wo möglich, zählen die Guthaben sie vor dem Zeitraum.",
  "statement.missing":
    "Deinem Knoten fehlen Blöcke unter {height}, in die dieser Zeitraum reicht. Ein Kontoauszug braucht den vollständigen Verlauf.",
  "statement.tooLong": "Kontoauszüge mit mehr als {limit} Einträgen gibt es nur als CSV.",
  "statement.saveCsv": "Als CSV speichern",
  "statement.print": "Drucken oder als PDF speichern",
  "statement.savePdf": "Als PDF speichern",
  "statement.pdfSaved": "Kontoauszug als PDF gespeichert",
  "statement.printOnly": "Drucken",
  "statement.csvBalance": "Guthaben danach (T)",
  "statement.entry": "Eintrag",
} as const;
