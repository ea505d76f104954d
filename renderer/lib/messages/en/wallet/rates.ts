// Words of values in another currency.

/** Messages `rates.*`, and the name of their settings. */
export const rates = {
  "settings.currency": "Currency",
  "rates.intro":
    "Show beside amounts what they are worth in a currency. Only from a source that you name: any address that answers in JSON with what one T is worth.",
  "rates.url": "Address of the source",
  "rates.urlHint": "Begins with https://. Leave out anything secret: it is stored on this device as it is.",
  "rates.path": "Path to the number",
  "rates.pathHint": "Names and positions in the answer, with dots between them. For {example} it is rates.EUR.",
  "rates.currency": "Code of the currency",
  "rates.currencyHint": "Three letters, for example EUR",
  "rates.currencyWrong": "A code has three letters.",
  "rates.save": "Check and save",
  "rates.saved": "Source saved",
  "rates.remove": "Show no currency",
  "rates.oneT": "1 T",
  "rates.value": "{value} · rate of {time}",
  "rates.valueOld": "{value} · old rate, of {time}",
  "rates.worth": "Worth now",
  "rates.learnsTitle": "What the source learns",
  "rates.learns":
    "Your node asks it at most every five minutes while amounts are in view. It learns the IP address of your node and when you use Parley; it gets no amount and no address. What it answers is only shown: no payment is computed from it.",
  "rates.notOwn": "This node looks up rates for its owner alone. The desktop app has a node of your own.",
  "rates.badAddress": "The address has to begin with https:// and lead to a public server, or to this computer.",
  "rates.noNumber": "The source did not answer, or not with a number at this path. It is asked at most every five minutes.",
  "rates.wait": "Several other sources were asked. Try again in an hour.",
  "rates.failed": "The rate cannot be looked up now.",
} as const;
