// What a keeper gives of boxes by ids: looking for the deletion of one goes through all deletions of its box.
import { describe, expect, it, vi } from "vitest";
import { findingMail, listingBoxes } from "#node/relay/keepers/serving/box-pages.ts";
import { UNKNOWN_SOURCE } from "#node/storage/mailbox/mail-sources.ts";
import type { MailPlace } from "#shared/protocol/mail/mail-messages.ts";
import { mailboxOwner } from "#test/support/nodes/mailbox-owner.ts";
import { CHAIN_ID } from "#test/support/worlds/ledger-world.ts";
import { MAIL_START_SEC, mailNode } from "#test/support/worlds/mail-world.ts";

const OWNER = mailboxOwner(CHAIN_ID, 77, MAIL_START_SEC);
const idsFrom = (first: number, count: number): readonly string[] =>
  Array.from({ length: count }, (_, at) => (first + at).toString(16).padStart(32, "0"));
const placesOf = (ids: readonly string[]): readonly MailPlace[] => ids.map((id) => ({ box: OWNER.pub, id }));

describe("mail by its ids", () => {
  it("comes with deletions, looked for once each and not for what was never deleted", async () => {
    const { store, relay, height = 0 } = await mailNode();
    relay.serve(OWNER.pub);
    const [first, second] = [OWNER.deletion(idsFrom(0, 100), height), OWNER.deletion(idsFrom(100, 100), height)];
    await relay.deletions.learn([first, second]);
    const find = vi.spyOn(store.deleted.signed, "find");
    const found = finished(findingMail(store, placesOf(idsFrom(0, 256))));
    expect(found).toMatchObject({ items: [], openings: [], deletions: [first, second] });
    expect(find).toHaveBeenCalledTimes(2);
  });

  it("comes with few deletions at once, however many are asked for", async () => {
    const { store, relay, height = 0 } = await mailNode();
    relay.serve(OWNER.pub);
    await relay.deletions.learn(idsFrom(0, 40).map((id) => OWNER.deletion([id], height)));
    expect(finished(findingMail(store, placesOf(idsFrom(0, 40)))).deletions).toHaveLength(16);
  });
});

it("a list of a box with large envelopes is read in steps, as it would be in one", async () => {
  const { store, relay } = await mailNode();
  relay.serve(OWNER.pub);
  const envelopes = Array.from({ length: 8 }, (_, n) => OWNER.envelope(n, OWNER.pub, 200_000));
  await relay.receive(envelopes, UNKNOWN_SOURCE);
  const work = listingBoxes(store, [{ box: OWNER.pub, after: 0, afterDeletion: 0 }], true);
  const steps: number[] = [];
  const read = vi.spyOn(store, "list");
  for (let step = work.next(); ; step = work.next()) {
    steps.push(read.mock.calls.length);
    if (step.done !== true) continue;
    const ids = envelopes.map(({ id }) => id);
    expect([step.value.boxes[0]?.ids, step.value.items.map(({ envelope }) => envelope.id), step.value.boxes[0]?.hasMore]).toEqual([
      ids,
      ids,
      false,
    ]);
    break;
  }
  // One envelope a step.
  expect(steps).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 8]);
});

/** What a work comes to. */
function finished<T>(work: Generator<undefined, T>): T {
  for (;;) {
    const step = work.next();
    if (step.done === true) return step.value;
  }
}
