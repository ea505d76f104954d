// Which lines of a contract's log are new since the last look, by what a node sends: the newest ones, oldest first.
import { describe, expect, it } from "vitest";
import { newLines } from "#node/cli/commands/contracts/contract-logs.ts";

const log = (text: string): Parameters<typeof newLines>[0][number] => {
  const [height = "", message = ""] = text.split(":");
  return { tx_id: `tx${height}`, block_index: Number(height), block_hash: "", timestamp: 0, position: "", message };
};
const fresh = (before: string, now: string): number => {
  const logs = (line: string): ReturnType<typeof log>[] => (line === "" ? [] : line.split(" ").map(log));
  return newLines(logs(before), logs(now));
};

describe("new lines of a log", () => {
  it.each([
    ["", "", 0],
    ["", "1:a 1:b", 2],
    ["1:a", "1:a", 0],
    ["1:a 1:b", "1:a 1:b 2:c", 1],
    ["1:a 2:b", "2:b 3:c", 1],
    ["1:a 1:a", "1:a 1:a 1:a", 1],
    ["1:a 2:a", "2:a 2:a 3:a", 2],
    ["1:a 2:b", "4:c 5:d", 2],
  ])("between %j and %j are %i", (before, now, count) => expect(fresh(before, now)).toBe(count));
});
