// Precedence of version tags (Semantic Versioning 2.0.0 §11); a leading v and build metadata do not count.

const VERSION = /^v?(\d{1,9})\.(\d{1,9})\.(\d{1,9})(?:-([0-9A-Za-z.-]+))?(?:\+[0-9A-Za-z.-]+)?$/;

/** Negative, zero or positive; undefined when one of the tags is no version. */
export function compareVersions(a: string, b: string): number | undefined {
  const [left, right] = [VERSION.exec(a), VERSION.exec(b)];
  if (left === null || right === null) return undefined;
  for (let part = 1; part <= 3; part += 1) {
    const difference = Number(left[part]) - Number(right[part]);
    if (difference !== 0) return difference;
  }
  return comparePreReleases(left[4], right[4]);
}

/** A release comes after its own pre-releases. */
function comparePreReleases(a: string | undefined, b: string | undefined): number {
  if (a === undefined || b === undefined) return Number(a === undefined) - Number(b === undefined);
  const [left, right] = [a.split("."), b.split(".")];
  for (let i = 0; i < Math.max(left.length, right.length); i += 1) {
    const difference = compareIdentifiers(left[i], right[i]);
    if (difference !== 0) return difference;
  }
  return 0;
}

/** A missing identifier comes first, then numbers, then texts. */
function compareIdentifiers(a: string | undefined, b: string | undefined): number {
  if (a === undefined || b === undefined) return Number(b === undefined) - Number(a === undefined);
  const [isLeftNumber, isRightNumber] = [/^\d+$/.test(a), /^\d+$/.test(b)];
  if (isLeftNumber && isRightNumber) return Number(a) - Number(b);
  if (isLeftNumber !== isRightNumber) return isLeftNumber ? -1 : 1;
  return a === b ? 0 : a < b ? -1 : 1;
}
