// A walk over CBOR heads before anything is decoded: depth, number of items and lengths are bounded without allocating for them.

/** Bounds of {@link hasBoundedShape}. */
export interface ShapeLimits {
  readonly maxDepth: number;
  readonly maxItems: number;
}

interface Head {
  /** Where the item's head and its own bytes end. */
  readonly end: number;
  /** Items inside it. */
  readonly children: number;
}

const BYTES = 2;
const TEXT = 3;
const LIST = 4;
const MAP = 5;
const TAG = 6;

/** True when the bytes are one complete CBOR item within the limits: definite lengths, no tags, every length inside the bytes. */
export function hasBoundedShape(bytes: Uint8Array, limits: ShapeLimits): boolean {
  const open: number[] = [];
  let offset = 0;
  let items = 0;
  do {
    const head = readHead(bytes, offset);
    items += 1;
    if (head === undefined || items > limits.maxItems) return false;
    offset = head.end;
    if (head.children > 0) open.push(head.children);
    else closeItem(open);
    if (open.length > limits.maxDepth) return false;
  } while (open.length > 0);
  return offset === bytes.length;
}

/** Counts a finished item off its list or map, and those off theirs that it finishes. */
function closeItem(open: number[]): void {
  while (open.length > 0) {
    const left = (open.pop() ?? 0) - 1;
    if (left > 0) {
      open.push(left);
      return;
    }
  }
}

function readHead(bytes: Uint8Array, offset: number): Head | undefined {
  const first = bytes[offset];
  if (first === undefined) return undefined;
  const major = first >> 5;
  const short = first & 31;
  const size = short < 24 ? 0 : 2 ** (short - 24);
  const end = offset + 1 + size;
  if (major === TAG || size > 8 || end > bytes.length) return undefined;
  let argument = size === 0 ? short : 0;
  for (let i = offset + 1; i < end; i += 1) argument = argument * 256 + (bytes[i] ?? 0);
  return headOf(major, argument, { end, limit: bytes.length });
}

function headOf(major: number, argument: number, { end, limit }: { readonly end: number; readonly limit: number }): Head | undefined {
  if (major === BYTES || major === TEXT) return end + argument > limit ? undefined : { end: end + argument, children: 0 };
  const children = major === LIST ? argument : major === MAP ? 2 * argument : 0;
  return end + children > limit ? undefined : { end, children };
}
