// Words of watched addresses.

/** Messages `watched.*`. */
export const watched = {
  "watched.page": "Watched addresses",
  "watched.text": "You see what these addresses hold and receive. You can't pay from them here.",
  "watched.full": "You're watching {limit} addresses, the maximum. Remove one to add another.",
  "watched.none": "No watched addresses",
  "watched.noneText": "Follow an address without its keys, such as a savings account or a donation address.",
  "watched.badge": "Watch-only",
  "watched.add": "Watch an address",
  "watched.addText": "The list stays on this device, encrypted. Your node sees which addresses you look up.",
  "watched.address": "Address or @username",
  "watched.nameHint": "Only you see it.",
  "watched.confirm": "Watch",
  "watched.own": "This is your own address.",
  "watched.known": "You're already watching this address.",
  "watched.remove": "Stop watching",
  "watched.arrived": "{name} received {amount}",
} as const;
