// Words of statements.

/** Messages `statement.*`. */
export const statement = {
  "statement.page": "Statement",
  "statement.text": "Money in and out over a period, with the balance before and after.",
  "statement.period": "Period",
  "statement.period.thisMonth": "This month",
  "statement.period.lastMonth": "Last month",
  "statement.period.thisQuarter": "This quarter",
  "statement.period.lastQuarter": "Last quarter",
  "statement.period.thisYear": "This year",
  "statement.period.lastYear": "Last year",
  "statement.period.custom": "Other dates",
  "statement.from": "First day",
  "statement.to": "Last day",
  "statement.periodWrong": "The first day must not be after the last day.",
  "statement.range": "From {from} to {to}",
  "statement.opening": "Opening balance",
  "statement.received": "Received",
  "statement.sent": "Sent",
  "statement.fees": "Fees",
  "statement.other": "Other movements",
  "statement.closing": "Closing balance",
  "statement.count": { one: "{count} entry", other: "{count} entries" },
  "statement.unlisted":
    "{amount} moved without an entry of its own: at genesis, or through contracts, channels or bonds. When is unknown; where possible, the balances count it before the period.",
  "statement.missing":
    "Your node doesn't have blocks below {height}, which this period reaches into. A statement needs the complete history.",
  "statement.tooLong": "Statements with more than {limit} entries can only be saved as CSV.",
  "statement.saveCsv": "Save as CSV",
  "statement.print": "Print or save as PDF",
  "statement.savePdf": "Save as PDF",
  "statement.pdfSaved": "Statement saved as PDF",
  "statement.printOnly": "Print",
  "statement.csvBalance": "Balance after (T)",
  "statement.entry": "Entry",
} as const;
