// Keys, addresses and hashes cut in the middle: both ends stay, for people compare both.

/** `pl1qxy…8k2m`: the first and last characters of a long text; a short one stays whole. */
export function shorten(text: string, head = 8, tail = 6): string {
  return text.length <= head + tail + 1 ? text : `${text.slice(0, head)}…${text.slice(-tail)}`;
}

/** The text in groups of four, for comparing by eye. */
export function groupByFour(text: string): readonly string[] {
  return text.match(/.{1,4}/g) ?? [];
}
