// What of a value that was built again is as it was, so that who compares by identity sees no change. Pure.

/** How far lists and records in each other are compared: a list, its items, what these hold. */
const DEPTH = 3;

type Fields = Readonly<Record<string, unknown>>;

/** The record before where all its fields are the same, else the one after, with those of the one before that are. */
export function keepSame<T extends object>(before: T, after: T): T {
  const [known, next] = [before as Fields, after as Fields];
  const names = Object.keys(next);
  const kept = Object.fromEntries(names.map((name) => [name, isSame(known[name], next[name], DEPTH) ? known[name] : next[name]]));
  const isAll = names.length === Object.keys(known).length && names.every((name) => name in known && Object.is(kept[name], known[name]));
  return isAll ? before : (kept as T);
}

/** True for identical values, and for lists and plain objects of such, so many levels deep. */
function isSame(a: unknown, b: unknown, depth: number): boolean {
  if (Object.is(a, b)) return true;
  if (depth === 0) return false;
  if (Array.isArray(a) && Array.isArray(b)) return a.length === b.length && a.every((item, at) => isSame(item, b[at], depth - 1));
  if (!isPlain(a) || !isPlain(b)) return false;
  const names = Object.keys(a);
  return names.length === Object.keys(b).length && names.every((name) => name in b && isSame(a[name], b[name], depth - 1));
}

function isPlain(value: unknown): value is Fields {
  return typeof value === "object" && value !== null && Object.getPrototypeOf(value) === Object.prototype;
}
