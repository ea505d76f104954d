// When a program begins to hand mail to keepers: as the directory of its chain says, and never before; once begun it goes on over restarts.
import { existsSync } from "node:fs";
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { type MailNetwork, openMailNetwork } from "#node/composition/network/mail-network.ts";
import { dataFolderPaths } from "#node/config/files/data-folder.ts";
import { createNativeVerifier } from "#node/crypto/verify-signature.ts";
import { peerNameOf } from "#node/network/peer-name.ts";
import type { PeerNetwork } from "#node/network/peer-network.ts";
import { createLog } from "#node/observability/log.ts";
import { HeldDirectory } from "#node/relay/keepers/placing/held-directory.ts";
import { type NewestTime, PUBLIC_CARD_BOUNDS, PublicCards } from "#node/relay/owners/public-cards.ts";
import { MAIL_QUEUE_FILE } from "#node/storage/messages/mail-queue.ts";
import { openPublicCardStore, type PublicCardStore } from "#node/storage/messages/public-card-store.ts";
import type { MailMode } from "#shared/protocol/keepers/mail-mode.ts";
import { publicCardNumber } from "#shared/protocol/pairs/public-card.ts";
import { createTemporaryFolder } from "#test/support/host/temporary-folder.ts";
import { directoryOf, keeperOf } from "#test/support/nodes/mail-keepers.ts";
import { actor, GENESIS } from "#test/support/worlds/ledger-world.ts";
import { type MailNode, mailNode, unsealedEnvelope } from "#test/support/worlds/mail-world.ts";
import { publicCardOf } from "#test/support/worlds/public-card-of.ts";

const BOX = "ab".repeat(32);
const OWNER = { person: actor(9).pub, device: BOX };
const KEEPERS = Array.from({ length: 8 }, (_, n) => keeperOf(30 + n, `/ip4/127.0.0.1/tcp/${n + 1}`));
const RELAY_KEY = { kind: "x25519", publicKey: "07".repeat(32), secret: new Uint8Array(32).fill(7) } as const;
const asked: string[] = [];
const NETWORK: Partial<PeerNetwork> = {
  peers: () => [],
  partyOf: (name) => ({ name, standing: "stranger" }),
  publishEnvelopes: () => undefined,
  requestMail: ({ key }) => {
    asked.push(key);
    return Promise.reject(new Error("away"));
  },
};

/** The mail of a program in this folder; it ends with the test, or before. */
async function program(
  root: string,
  directory: HeldDirectory,
): Promise<{ readonly node: MailNode; readonly network: MailNetwork; stop(): Promise<void> }> {
  const node = await mailNode();
  const opened = new AsyncDisposableStack();
  const { pub: publicKey, seed: secret } = actor(1);
  const folder = {
    genesis: GENESIS,
    nodeKey: { kind: "ed25519", publicKey, secret } as const,
    relayKey: RELAY_KEY,
    paths: dataFolderPaths(root),
  };
  const verify = createNativeVerifier();
  const open = (): PublicCardStore => openPublicCardStore(root, PUBLIC_CARD_BOUNDS);
  const ofChain = { newest: (): NewestTime => ({ height: 1, timeMs: Date.now() }), isListed: (): boolean => true };
  const cards = new PublicCards({ chainId: GENESIS.chain_id, open, isThere: false, verify, ...ofChain });
  opened.adopt(cards, () => cards.close());
  const given = { folder, relay: node.relay, mailbox: node.store, directory, verify, cards, holdsCardsOfOthers: true, usesCarriers: false };
  const network = openMailNetwork({ ...given, log: createLog("json", { write: () => undefined }) }, opened);
  const detach = network.attach(NETWORK as PeerNetwork);
  const stop = async (): Promise<void> => {
    detach();
    await opened.disposeAsync();
  };
  return { node, network, stop };
}

it("is announced by the directory, and lasts until a day after it is over", async () => {
  const folder = await createTemporaryFolder();
  onTestFinished(() => folder.remove());
  const file = join(folder.path, MAIL_QUEUE_FILE);
  const directory = new HeldDirectory();
  const nowS = Math.floor(Date.now() / 1_000) - 7_200;
  const give = (mode: MailMode, count = 8): void => directory.give(directoryOf(KEEPERS.slice(0, count), nowS, mode));
  const { node, network, stop } = await program(folder.path, directory);
  const ask = (): unknown => network.handlers.mail?.({ type: "watch", boxes: [BOX], isMore: false }, peerNameOf(actor(9).pub));
  const send = async (): Promise<readonly [number, number]> => {
    await node.relay.broadcast(unsealedEnvelope(BOX));
    return [node.store.totalCount(), node.relay.outgoing?.queued ?? 0];
  };
  // A network without keepers, or with too few of them: nothing is opened, asked or changed.
  expect([await send(), await ask()]).toEqual([[1, 0], { type: "wrongKeeper", epoch: 0 }]);
  give({ is: "gossip", enough: 5 });
  expect([await send(), await ask(), existsSync(file), asked]).toEqual([
    [2, 0],
    { type: "wrongKeeper", epoch: Math.floor(nowS / 3_600) },
    false,
    [],
  ]);
  give({ is: "announced", left: 24, tooFew: 0 });
  expect([node.relay.ways, await send()]).toEqual([{ gossip: true, keepers: true }, [3, 1]]);
  give({ is: "keepers", tooFew: 0 });
  // From then on keepers have it alone.
  expect([node.relay.ways, await send()]).toEqual([{ gossip: false, keepers: true }, [3, 2]]);
  await stop();
  expect(new Set(asked).size).toBeGreaterThan(2);
  // Where the directory is not known yet, or keepers were given up, mail goes both ways: it was at keepers a moment ago.
  const late = new HeldDirectory();
  const again = await program(folder.path, late);
  expect(again.node.relay.ways).toEqual({ gossip: true, keepers: true });
  expect(again.node.relay.outgoing?.queued).toBe(2);
  late.give(directoryOf(KEEPERS.slice(0, 4), nowS, { is: "gossip", enough: 0 }));
  expect(again.node.relay.ways).toEqual({ gossip: true, keepers: true });
  await again.stop();
});

it("stays with gossip where the queue cannot be opened, and ends no block's commit", async () => {
  const folder = await createTemporaryFolder();
  onTestFinished(() => folder.remove());
  const directory = new HeldDirectory();
  const { node, stop } = await program(folder.path, directory);
  await mkdir(join(folder.path, MAIL_QUEUE_FILE));
  directory.give(directoryOf(KEEPERS, Math.floor(Date.now() / 1_000) - 7_200, { is: "announced", left: 24, tooFew: 0 }));
  await node.relay.broadcast(unsealedEnvelope(BOX));
  expect([node.relay.ways, node.plain.length]).toEqual([{ gossip: true, keepers: false }, 1]);
  await stop();
});

it("asks for a public card the nodes around it, and once there are keepers those of the device's mailbox", async () => {
  const folder = await createTemporaryFolder();
  onTestFinished(() => folder.remove());
  const directory = new HeldDirectory();
  const { network, stop } = await program(folder.path, directory);
  const around = [1, 2].map((n) => ({ name: `peer ${n}`, nodeKey: `${n}`.repeat(64), direction: n === 1 ? "inbound" : "outbound" }));
  const detach = network.attach({ ...NETWORK, peers: () => around } as unknown as PeerNetwork);
  asked.length = 0;
  expect(await network.cards.read(OWNER)).toBeUndefined();
  expect(asked).toEqual(["2".repeat(64), "1".repeat(64)]);
  // Of a card nothing is asked twice within a minute.
  expect([network.cards.isAtHand(OWNER), await network.cards.read(OWNER), asked.length]).toEqual([true, undefined, 2]);
  // One that is handed in goes to others in place of those that do not take it, and to eight at most.
  const many = Array.from({ length: 10 }, (_, n) => ({ name: `peer ${n}`, nodeKey: `${n}`.repeat(64), direction: "outbound" }));
  network.attach({ ...NETWORK, peers: () => many } as unknown as PeerNetwork);
  const drawn = { chainId: GENESIS.chain_id, number: publicCardNumber(Date.now()), height: 1 };
  const card = publicCardOf({ ...drawn, device: "ef".repeat(32), master: actor(9).seed });
  asked.length = 0;
  await expect(network.cards.publish("ef".repeat(32), card)).rejects.toMatchObject({ code: "UNAVAILABLE" });
  expect(asked).toEqual(many.slice(0, 8).map(({ nodeKey }) => nodeKey));
  asked.length = 0;
  directory.give(directoryOf(KEEPERS, Math.floor(Date.now() / 1_000) - 7_200, { is: "keepers", tooFew: 0 }));
  expect(await network.cards.read({ ...OWNER, device: "cd".repeat(32) })).toBeUndefined();
  const keys = new Set(KEEPERS.map(({ key }) => key));
  expect([asked.length >= 6, asked.every((key) => keys.has(key))]).toEqual([true, true]);
  detach();
  await stop();
});
