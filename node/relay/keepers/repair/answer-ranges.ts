// The side of a repair that is asked: what it says of ranges. It holds nothing between two requests.
import type { RangeAnswer } from "#shared/protocol/mail/mail-messages.ts";
import type { KeeperLimits } from "../keeper-limits.ts";
import { type MailEntries, RANGE_DIGITS, type Range, splitRange } from "./mail-entries.ts";

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
