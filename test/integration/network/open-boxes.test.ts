// Open boxes of two real node processes: opened at one, written to at the other, beside a flood at both, and over kills.
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { createNetworkFolders } from "#node/config/files/network-folders.ts";
import { systemRandom } from "#node/config/system-clock.ts";
import { peerNameOf } from "#node/network/peer-name.ts";
import type { Envelope } from "#shared/protocol/mail/envelope.ts";
import { pollUntil } from "#test/support/host/poll-until.ts";
import { createTemporaryFolder } from "#test/support/host/temporary-folder.ts";
import { WHOLE_ONLY } from "#test/support/host/test-extent.ts";
import { boxWriter, mailboxOwner } from "#test/support/nodes/mailbox-owner.ts";
import { ownClient } from "#test/support/nodes/own-client.ts";
import { findNetworkPorts } from "#test/support/nodes/process-network.ts";
import { type RunningNode, startNode } from "#test/support/nodes/start-node.ts";

/** Envelopes of the flood to one key. */
const FLOOD = 2_000;
const AT_ONCE = 20;

async function inboxOf(node: RunningNode, pub: string): Promise<readonly string[]> {
  const { items } = await ownClient(node).listInbox({ pub, limit: 500 });
  return items.map(({ id }) => id);
}

describe("an open box of two nodes", WHOLE_ONLY, () => {
  it("gets every message of its contact beside a flood, also where a node is killed at once after it said so", async () => {
    await using folder = await createTemporaryFolder();
    const path = join(folder.path, "network");
    const basePort = await findNetworkPorts(2);
    createNetworkFolders({ path, validators: 1, nodes: 1, basePort, nowMs: Date.now(), random: systemRandom, peerName: peerNameOf });
    const start = (index: number): Promise<RunningNode> =>
      startNode({ dataDir: join(path, `node-${index}`), port: basePort + index, args: [] });
    const meets = (node: RunningNode): Promise<boolean> =>
      node.client.listPeers({}).then(({ peers }) => peers.some(({ version }) => version !== ""));
    const untilMet = (...nodes: readonly RunningNode[]): Promise<unknown> =>
      pollUntil(async () => (await Promise.all(nodes.map(meets))).every(Boolean), { timeoutMs: 60_000, what: "two nodes to meet" });
    await using writing = await start(0);
    const reading = await start(1);
    await untilMet(writing, reading);

    const { chain_id: chainId } = await reading.client.getStatus({});
    const [{ index: height } = { index: 0 }] = await reading.client.listBlocks({ limit: 1 });
    const owner = mailboxOwner(chainId, 5, Math.floor(Date.now() / 1000) - 10_000);
    const writer = boxWriter(chainId, 6);
    const write = (node: RunningNode, envelope: Envelope): Promise<unknown> =>
      ownClient(node).broadcastEnvelope({ body: { envelope, admit: writer.admit(envelope) } });

    // The owner's node is killed as soon as it has said that the box is open.
    const {
      mailbox: pub,
      writeKey,
      untilSec,
      ...rest
    } = owner.opening(writer.key, { untilSec: Math.floor(Date.now() / 1000) + 86_400, height });
    const body = { pub, write_pub: writeKey, until: untilSec, ...rest };
    expect(await ownClient(reading).openBox({ body })).toMatchObject({ status: "open", write_pub: writer.key });
    await reading.kill();
    const again = await start(1);
    expect(await again.client.getBox({ pub })).toMatchObject({ status: "open", until: untilSec });
    await untilMet(writing, again);
    // Said once more it travels once more, where the kill was faster than the message.
    expect(await ownClient(again).openBox({ body })).toMatchObject({ status: "open" });
    await pollUntil(async () => (await writing.client.getBox({ pub })).status === "open", { what: "the opening to travel" });

    const sent: string[] = [];
    for (let flooded = 0; flooded < FLOOD; flooded += AT_ONCE) {
      const strangers = Array.from({ length: AT_ONCE }, (_, n) => owner.envelope(1_000 + flooded + n));
      const target = flooded % 200 < 100 ? writing : again;
      const refused = await Promise.allSettled(strangers.map((envelope) => ownClient(target).broadcastEnvelope({ body: { envelope } })));
      expect(new Set(refused.map(({ status }) => status))).toEqual(new Set(["rejected"]));
      if (flooded % 100 !== 0) continue;
      const mail = owner.envelope(flooded / 100);
      await write(writing, mail);
      sent.push(mail.id);
    }
    await pollUntil(async () => (await inboxOf(again, pub)).length === sent.length, { what: "every message of the contact" });
    expect(new Set(await inboxOf(again, pub))).toEqual(new Set(sent));

    // What was acknowledged while the reader's node was away is there when it comes back, and after a kill of the writer's.
    await again.kill();
    const late = owner.envelope(500);
    await write(writing, late);
    await writing.kill();
    await using writingAgain = await start(0);
    await using last = await start(1);
    await untilMet(writingAgain, last);
    await pollUntil(async () => (await inboxOf(last, pub)).includes(late.id), { timeoutMs: 60_000, what: "what was missed" });
    expect([...(await inboxOf(last, pub))].sort()).toEqual([...sent, late.id].sort());
  }, 300_000);
});
