// Which way a language is written.

export type Direction = "ltr" | "rtl";

/** Languages that are written from right to left, of those that a person may have. */
const RIGHT_TO_LEFT = new Set(["ar", "fa", "he", "ur"]);

/** Direction of the texts of a language and of the whole layout, for `ar` or `ar-EG`. */
export function directionOf(locale: string): Direction {
  return RIGHT_TO_LEFT.has(locale.split("-")[0]?.toLowerCase() ?? "") ? "rtl" : "ltr";
}
