// What waits for a keeper that hangs: each envelope once, however often it is tried, and nothing of what is on the way no more.
import { expect, it } from "vitest";
import { type Parcel, PutBatches } from "#node/relay/keepers/sending/put-batches.ts";
import { pollUntil } from "#test/support/host/poll-until.ts";
import { unsealedEnvelope } from "#test/support/worlds/mail-world.ts";

const BOX = "ab".repeat(32);
const parcel = (seq: number, passOn: readonly string[] = []): Parcel => ({
  seq,
  item: { envelope: unsealedEnvelope(BOX), admit: null },
  passOn,
});

it("keeps each parcel once for a keeper that hangs, and drops what was delivered elsewhere", async () => {
  const sent: (readonly number[])[] = [];
  const answers: (() => void)[] = [];
  const batches = new PutBatches((_keeper, parcels) => {
    sent.push(parcels.map(({ seq }) => seq));
    return new Promise((resolve) => void answers.push(resolve));
  });
  // Three requests are under way, and the rest waits.
  for (let seq = 0; seq < 4; seq += 1) {
    batches.add("keeper", parcel(seq, seq === 3 ? [] : [`other ${seq}`]));
  }
  await pollUntil(() => sent.length === 3);
  for (let tries = 0; tries < 1_000; tries += 1) batches.add("keeper", parcel(3));
  expect(batches.size).toBe(1);
  for (let seq = 10; seq < 500; seq += 1) batches.add("keeper", parcel(seq));
  for (let seq = 10; seq < 500; seq += 1) batches.drop(seq);
  batches.add("keeper", parcel(500));
  expect(batches.size).toBe(2);
  for (const answer of answers.splice(0)) answer();
  await pollUntil(() => sent.length > 3);
  expect(sent.slice(3)).toEqual([[3, 500]]);
  answers.splice(0).forEach((answer) => void answer());
  batches.close();
  expect(batches.size).toBe(0);
});
