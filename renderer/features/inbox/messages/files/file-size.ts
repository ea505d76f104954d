// How large a file is, for people.
const KIB = 1_024;

const MB = 1_000_000;

/** Whole megabytes, rounded down: a limit is never said to be larger than it is. */
export function sizeInMegabytes(bytes: number): string {
  return String(Math.floor(bytes / MB));
}

/** Whole kibibytes, at least one. */
export function sizeInKibibytes(bytes: number): string {
  return String(Math.max(1, Math.round(bytes / KIB)));
}
