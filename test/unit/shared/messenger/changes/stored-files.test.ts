// Which files that are stored once are fetched unasked.
import { expect, it } from "vitest";
import type { Change } from "#shared/messenger/changes/change.ts";
import { MAX_FETCHED, MAX_FETCHED_OF_ONE, wantStored } from "#shared/messenger/changes/files/stored-files.ts";
import type { MessageRecord } from "#shared/messenger/model/records.ts";

const [ANN, BOB] = ["aa", "bb"].map((byte) => byte.repeat(32)) as [string, string];

/** A message of a person, in their chat or in a group, with a file whose mailbox is named. */
function fileOf(author: string, conversation = author): MessageRecord {
  const body = { kind: "attachment", size: 10, boxes: ["cc".repeat(32)] };
  return { direction: "in", conversation, ...(conversation !== author && { author }), body } as unknown as MessageRecord;
}

it("a person whose files come from nowhere takes no more than half of the places", async () => {
  const messages = new Map<string, MessageRecord>();
  let wanted: readonly string[] = [];
  const batch = {
    meta: async () => wanted,
    putMeta: (_key: string, value: readonly string[]): void => {
      wanted = value;
    },
    message: async (key: string) => messages.get(key),
  };
  const change = { batch, isKnown: () => true } as unknown as Change;
  const arrive = async (author: string, record = fileOf(author)): Promise<boolean> => {
    const key = `message ${messages.size}`;
    messages.set(key, record);
    return (await wantStored(change, { record, author, key })).isAsked === true;
  };
  for (let count = 0; count < MAX_FETCHED_OF_ONE; count += 1)
    expect(await arrive(ANN, fileOf(ANN, count % 2 === 0 ? ANN : "group"))).toBe(true);
  expect(await arrive(ANN)).toBe(false);
  expect(await arrive(ANN, fileOf(ANN, "group"))).toBe(false);
  expect(await arrive(BOB, fileOf(BOB, "group"))).toBe(true);
  // One's own of another own device.
  const own = { ...fileOf(ANN), direction: "out" } as const;
  while (wanted.length < MAX_FETCHED) expect(await arrive("me", own)).toBe(true);
  expect(await arrive(BOB)).toBe(false);
});
