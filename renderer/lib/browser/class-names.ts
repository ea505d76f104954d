// Joins class names, leaving out what is absent.

/** One `className` of the given parts; false and undefined ones are skipped. */
export function classNames(...parts: readonly (string | false | undefined)[]): string {
  return parts.filter((part): part is string => typeof part === "string" && part !== "").join(" ");
}
