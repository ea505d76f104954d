// How large a file is, for people.
import type { Translate } from "#renderer/lib/messages/catalogue.ts";
import { MAX_PUSHED_FILE_BYTES } from "#shared/content/content.ts";

const KB = 1_000;

const MB = 1_000_000;

/** Whole megabytes, rounded down: a limit is never said to be larger than it is. */
export function sizeInMegabytes(bytes: number): string {
  return String(Math.floor(bytes / MB));
}

/** Whole kilobytes, at least one. */
export function sizeInKilobytes(bytes: number): string {
  return String(Math.max(1, Math.round(bytes / KB)));
}

/** In the unit in which the size is said elsewhere: megabytes for what is downloaded on request. */
export function fileSizeText(t: Translate, bytes: number): string {
  return bytes > MAX_PUSHED_FILE_BYTES
    ? t("inbox.megabytes", { size: sizeInMegabytes(bytes) })
    : t("inbox.kilobytes", { size: sizeInKilobytes(bytes) });
}
