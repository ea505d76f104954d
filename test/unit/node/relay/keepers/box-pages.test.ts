// What a keeper gives of boxes by ids: looking for the deletion of one goes through all deletions of its box.
import { describe, expect, it, vi } from "vitest";
import { findingMail } from "#node/relay/keepers/serving/box-pages.ts";
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

/** What a work comes to. */
function finished<T>(work: Generator<undefined, T>): T {
  for (;;) {
    const step = work.next();
    if (step.done === true) return step.value;
  }
}
