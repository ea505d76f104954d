// A light node, a process of its own, whose chain has bonds and from them keepers of mail: it reads the directory with proofs, hands mail in to
// keepers and reads what they have. Nothing but the chain and the connections of its configuration leads it there.
import { existsSync } from "node:fs";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { dataFolderPaths } from "#node/config/files/data-folder.ts";
import { MAIL_QUEUE_FILE } from "#node/storage/messages/mail-queue.ts";
import { pollUntil } from "#test/support/host/poll-until.ts";
import { WHOLE_ONLY } from "#test/support/host/test-extent.ts";
import { createKeeperNetwork } from "#test/support/nodes/keeper-network.ts";
import { type MailboxOwner, mailboxOwner } from "#test/support/nodes/mailbox-owner.ts";
import type { ProcessNetwork, ProcessNode } from "#test/support/nodes/process-network.ts";

const KEEPERS = 8;
const KEEPING = 3;
/** Those that keep, and those that stand in where one of these is slow: by gossip all would have it. */
const RANKS = 6;
/** What people read needs no proof here. */
const ENVIRONMENT = { SVC_INBOX_AUTH: "open" };
const PATIENCE = { timeoutMs: 150_000, intervalMs: 500 };
let network: ProcessNetwork;
let keepers: readonly ProcessNode[];
let light: ProcessNode;
let bob: MailboxOwner;

async function inboxOf({ client }: ProcessNode, { pub }: MailboxOwner): Promise<readonly string[]> {
  return (await client.listInbox({ pub })).items.map(({ id }) => id);
}

/** How many envelopes each keeper stores. */
async function storedAtKeepers(): Promise<readonly number[]> {
  return await Promise.all(keepers.map(async ({ client }) => (await client.getStatus({})).mailbox_envelopes));
}

beforeAll(async () => {
  network = await createKeeperNetwork({ validators: 1, keepers: KEEPERS, users: 1 });
  keepers = network.nodes.slice(0, KEEPERS);
  light = network.node(KEEPERS);
  const nowSec = Math.floor(Date.now() / 1_000);
  bob = mailboxOwner(network.genesis.chain_id, 60, nowSec);
  const file = join(light.dataDir, "config.json");
  await writeFile(file, JSON.stringify({ ...(JSON.parse(await readFile(file, "utf8")) as object), mode: "light" }));
  // Two at a time: each of them has the machine's processors for its start.
  for (let at = 0; at < KEEPERS; at += 2) await Promise.all(keepers.slice(at, at + 2).map((node) => node.start([], ENVIRONMENT)));
  await light.start([], ENVIRONMENT);
  await network.connected(light);
});
afterAll(() => network?.[Symbol.asyncDispose]());

it("follows a chain whose state says who keeps mail", WHOLE_ONLY, async () => {
  const live = await pollUntil(
    async () => {
      const status = await light.client.getStatus({});
      return status.light?.state === "live" ? status : undefined;
    },
    { ...PATIENCE, what: "the light node to verify the newest block" },
  );
  expect([live.mode, live.sync.state]).toEqual(["light", "live"]);
  // Until it has read and proven the directory its mail goes by gossip; then it has a file of what is on its way to keepers.
  const queue = join(dataFolderPaths(light.dataDir).root, MAIL_QUEUE_FILE);
  await pollUntil(() => existsSync(queue), { ...PATIENCE, what: "the light node to know who keeps mail" });
});

it("reads what a client of another node sends, of which the keepers of its box alone have a copy", WHOLE_ONLY, async () => {
  expect(await inboxOf(light, bob)).toEqual([]);
  const { id } = bob.envelope(1);
  await keepers[0]?.client.broadcastEnvelope({ body: { envelope: bob.envelope(1) } });
  await pollUntil(async () => (await inboxOf(light, bob)).includes(id), { ...PATIENCE, what: "it to arrive at the light node" });
  await pollUntil(async () => (await storedAtKeepers()).filter((count) => count > 0).length >= KEEPING, {
    ...PATIENCE,
    what: "three keepers to have it",
  });
  expect((await storedAtKeepers()).filter((count) => count > 0).length).toBeLessThanOrEqual(RANKS);
});

it("hands in what its own client sends, which a client of another node reads", WHOLE_ONLY, async () => {
  // To the same box: who stores nothing of it is outside its ranks, however late a slow keeper has what was sent before.
  const { id } = bob.envelope(2);
  await light.client.broadcastEnvelope({ body: { envelope: bob.envelope(2) } });
  await pollUntil(async () => (await storedAtKeepers()).filter((count) => count > 1).length >= KEEPING, {
    ...PATIENCE,
    what: "three keepers to have both",
  });
  expect((await storedAtKeepers()).filter((count) => count > 0).length).toBeLessThanOrEqual(RANKS);
  const reading = keepers[KEEPERS - 1];
  await pollUntil(async () => reading !== undefined && (await inboxOf(reading, bob)).includes(id), { ...PATIENCE, what: "it to be read" });
});
