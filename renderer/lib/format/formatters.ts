// Formatters of the platform, made once for each language and form: making one takes a hundred times as long as using it, and a list
// uses one in every row. They keep the time zone of their first use.

const dates = new Map<string, Intl.DateTimeFormat>();

/** The formatter of dates in a language and a form. */
export function dateFormat(locale: string, options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat {
  const key = JSON.stringify([locale, options]);
  const known = dates.get(key) ?? new Intl.DateTimeFormat(locale, options);
  dates.set(key, known);
  return known;
}
