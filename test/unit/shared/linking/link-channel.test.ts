import { expect, it } from "vitest";
import { LinkChannel, type LinkSide } from "#shared/linking/link-channel.ts";
import { rendezvousMailboxes } from "#shared/linking/link-keys.ts";
import { ManualTime, systemRandom } from "#test/support/worlds/keyring-world.ts";
import { LINK_CHAIN, LinkMailboxNode } from "#test/support/worlds/link-world.ts";

it("reads a message once, though the node could not remove it", async () => {
  const node = new LinkMailboxNode();
  node.remove = (): Promise<void> => Promise.reject(new Error("not now"));
  const host = { node, clock: new ManualTime(), random: systemRandom };
  const mailboxes = rendezvousMailboxes(LINK_CHAIN, "0".repeat(12));
  const channel = (side: LinkSide): LinkChannel => new LinkChannel(host, { mailboxes, side, kinds: new Set(["offer"]) });
  const message = { kind: "offer", key: new Uint8Array(32).fill(1) } as const;
  await channel("old").send(message);
  const fresh = channel("fresh");
  expect(await fresh.receive()).toEqual([message]);
  expect(await fresh.receive()).toEqual([]);
});
