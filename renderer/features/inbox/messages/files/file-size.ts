// How large a file is, for people.
const KIB = 1_024;

/** Whole kibibytes, at least one. */
export function sizeInKibibytes(bytes: number): string {
  return String(Math.max(1, Math.round(bytes / KIB)));
}
