// Words of values in another currency.

/** Messages `rates.*`, and the name of their settings. */
export const rates = {
  "settings.currency": "Currency",
  "rates.intro":
    "Shows what amounts are worth in another currency. Rates come only from a source you choose: any address that returns the value of one T as JSON.",
  "rates.url": "Source address",
  "rates.urlHint": "Starts with https://. Don't include anything secret: it's stored on this device unencrypted.",
  "rates.path": "Path to the number",
  "rates.pathHint": "Names and positions in the response, separated by dots. For {example} it's rates.EUR.",
  "rates.currency": "Currency code",
  "rates.currencyHint": "Three letters, for example EUR",
  "rates.currencyWrong": "Enter a code of three letters.",
  "rates.save": "Check and save",
  "rates.saved": "Source saved",
  "rates.remove": "Remove currency",
  "rates.oneT": "1 T",
  "rates.value": "{value} · rate from {time}",
  "rates.valueOld": "{value} · outdated rate from {time}",
  "rates.worth": "Worth now",
  "rates.learnsTitle": "What the source learns",
  "rates.learns":
    "Your node asks it at most every five minutes while amounts are on screen. It learns your node's IP address and when you use Parley, but no amounts and no addresses. Its rate is only shown and never used to calculate a payment.",
  "rates.notOwn": "This node looks up rates only for its owner. The desktop app comes with a node of your own.",
  "rates.badAddress": "The address must start with https:// and point to a public server or to this computer.",
  "rates.noNumber": "The source didn't respond, or there was no number at this path. It's asked at most every five minutes.",
  "rates.wait": "You've tried several other sources. Try again in an hour.",
  "rates.failed": "The rate can't be looked up right now.",
} as const;
