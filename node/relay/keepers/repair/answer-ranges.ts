// The side of a repair that is asked: what it says of ranges. It holds nothing between two requests.
import type { KeeperLimits } from "../keeper-limits.ts";
import { type MailEntries, type MailEntry, RANGE_DIGITS, type Range, type RangeDigest, splitRange } from "./mail-entries.ts";

/** Of one range: its entries when there are few, else digests of the ranges that it is split into. */
export type RangeAnswer =
  | { readonly is: "list"; readonly entries: readonly MailEntry[] }
  | { readonly is: "split"; readonly digests: readonly RangeDigest[] };

const RANGE = /^[0-9a-f]*$/;

/** Answers of ranges, in their order. @throws RangeError on a request that no honest side makes. */
export function answerRanges(own: MailEntries, ranges: readonly Range[], limits: KeeperLimits): readonly RangeAnswer[] {
  if (ranges.length > limits.rangesPerRequest) throw new RangeError(`${ranges.length} ranges in one request`);
  const wrong = ranges.find((range) => range.length > RANGE_DIGITS || !RANGE.test(range));
  if (wrong !== undefined) throw new RangeError(`"${wrong.slice(0, RANGE_DIGITS)}" is no range`);
  return ranges.map((range) => {
    if (own.digest(range).count <= limits.listedEntries) return { is: "list", entries: own.list(range) };
    return { is: "split", digests: splitRange(range).map((part) => own.digest(part)) };
  });
}
