// Decimal numbers in the language of the person, exact as texts. Inside, a number is plain: digits and at most one point.

/** What a typed number means: `plain` has a point for decimals. `ambiguous` may mean either of two, `small` without zeros at its end. */
export type TypedNumber =
  | { readonly kind: "ok"; readonly plain: string }
  | { readonly kind: "ambiguous"; readonly small: string; readonly large: string }
  | { readonly kind: "malformed" };

const MARKS = new Map<string, string>();
const DIGITS = /^\d+$/;
const GROUP = /^\d{3}$/;
const SPACES = /[\s\u00a0\u202f'’]/g;
const FORM = /^(?:\d[\d.,\s\u00a0\u202f'’]*|[.,]\d+)$/;
const MALFORMED = { kind: "malformed" } as const;

/** The sign before decimals: a comma in German. Digits are always 0 to 9, so it is a comma or a point. */
export function decimalMark(locale: string): string {
  const known = MARKS.get(locale) ?? (localMark(locale) === "," ? "," : ".");
  MARKS.set(locale, known);
  return known;
}

/** A plain number with the mark of the language. */
export function localNumber(locale: string, plain: string): string {
  return plain.replace(".", decimalMark(locale));
}

/**
 * Reads a typed number. Comma and point both are taken for decimals where nothing else can be meant: `2,5` and `2.5` everywhere. The one
 * that is not the language's own may separate thousands: `1.000` in German is ambiguous, and nothing is guessed. Spaces separate thousands.
 */
export function readNumber(text: string, locale: string): TypedNumber {
  if (!FORM.test(text)) return MALFORMED;
  const separators = text.match(/[.,]/g) ?? [];
  const last = separators.at(-1);
  if (last === undefined) return plainOf(text, undefined);
  const isMixed = separators.some((separator) => separator !== last);
  const end = text.lastIndexOf(last);
  if (isMixed) {
    // The last one is for decimals, and stands once; the others separate thousands.
    return separators.filter((separator) => separator === last).length === 1 ? plainOf(text.slice(0, end), text.slice(end + 1)) : MALFORMED;
  }
  if (separators.length > 1) return plainOf(text, undefined);
  const [whole = "", fraction = ""] = text.split(last);
  const asDecimal = plainOf(whole, fraction);
  const asThousands = last === decimalMark(locale) || /^0/.test(whole) ? MALFORMED : plainOf(text, undefined);
  if (asDecimal.kind !== "ok" || asThousands.kind !== "ok") return asDecimal;
  return { kind: "ambiguous", small: asDecimal.plain.replace(/\.?0+$/, ""), large: asThousands.plain };
}

function localMark(locale: string): string | undefined {
  return new Intl.NumberFormat(locale).formatToParts(0.5).find(({ type }) => type === "decimal")?.value;
}

/** Whole part, in groups of three if in any, and decimals. */
function plainOf(whole: string, fraction: string | undefined): TypedNumber {
  const [first = "", ...groups] = whole.replaceAll(SPACES, " ").split(/[ .,]/);
  const isGrouped = groups.length > 0;
  if (isGrouped && (!/^\d{1,3}$/.test(first) || !groups.every((group) => GROUP.test(group)))) return MALFORMED;
  if (new Set(whole.match(/[ .,]/g) ?? []).size > 1) return MALFORMED;
  const digits = [first, ...groups].join("");
  if (fraction !== undefined && fraction !== "" && !DIGITS.test(fraction)) return MALFORMED;
  if (digits === "" && (fraction === undefined || fraction === "")) return MALFORMED;
  const plainWhole = digits === "" ? "0" : digits;
  return { kind: "ok", plain: fraction === undefined || fraction === "" ? plainWhole : `${plainWhole}.${fraction}` };
}
