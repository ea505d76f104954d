// Open boxes as the messenger uses them, at a node with a real mailbox, and at one of an earlier version.
import { expect, it } from "vitest";
import { createNodeClient, type HttpFetch } from "#shared/api/client.ts";
import type { LiveConnection, LiveState } from "#shared/api/socket/websocket-client.ts";
import type { MessengerNode } from "#shared/messenger/model/node-port.ts";
import { createMessengerNode } from "#shared/messenger/node/messenger-node.ts";
import { injectFetch } from "#test/support/api/inject-fetch.ts";
import { boxWriter, mailboxOwner } from "#test/support/nodes/mailbox-owner.ts";
import { type ApiWorld, createApiWorld } from "#test/support/worlds/api-world.ts";
import { CHAIN_ID, START_MS } from "#test/support/worlds/ledger-world.ts";

const bob = mailboxOwner(CHAIN_ID, 7, START_MS / 1_000);
const other = mailboxOwner(CHAIN_ID, 8, START_MS / 1_000);
const alice = boxWriter(CHAIN_ID, 20);
const NAME = { chainId: CHAIN_ID, peer: "ab".repeat(32), generation: 3 };

interface Connected {
  readonly node: MessengerNode;
  /** Paths that were asked for. */
  readonly paths: string[];
  readonly reconnect: () => void;
}

/** The messenger's connection; `knows` says which paths the node has. */
function connect({ server }: ApiWorld, knows: (path: string) => boolean = () => true): Connected {
  const paths: string[] = [];
  const fetch = injectFetch(server.app);
  const listeners: ((state: LiveState) => void)[] = [];
  const asking: HttpFetch = (url, options) => {
    const path = url.split("?")[0] ?? "";
    paths.push(path);
    return fetch(knows(path) ? url : "/unknown", options);
  };
  const live = { onState: (listener: (state: LiveState) => void) => listeners.push(listener) } as unknown as LiveConnection;
  const node = createMessengerNode(
    { client: createNodeClient({ baseUrl: "", fetch: asking }), live },
    {
      chainId: CHAIN_ID,
      inboxProof: async () => "none",
      signDeletion: async ({ ids, height, box }) => {
        expect(box).toEqual(NAME);
        return bob.deletion(ids, height).signature;
      },
    },
  );
  return { node, paths, reconnect: () => listeners.map((listener) => listener("open")) };
}

const openingOf = ({ clock }: ApiWorld): ReturnType<typeof bob.opening> =>
  bob.opening(alice.key, { untilSec: Math.floor(clock.nowMs() / 1_000) + 1_000, height: 0 });

it("are opened, written to by their person alone, listed with others, and emptied", async () => {
  await using world = await createApiWorld();
  const { node, paths } = connect(world);
  await node.openBox(openingOf(world));
  const mail = bob.envelope(1);
  await expect(node.broadcast(mail)).rejects.toMatchObject({ code: "FORBIDDEN" });
  await node.broadcast({ ...mail, admit: alice.admit(mail) });
  await node.broadcast(other.envelope(2));
  const boxes = [bob.pub, mailboxOwner(CHAIN_ID, 9).pub, other.pub].map((mailbox) => ({ mailbox, after: 0 }));
  const page = await node.listBoxes(boxes, 10);
  expect(page.boxes.map(({ mailbox, items, hasMore }) => [mailbox, items.map(({ id }) => id), hasMore])).toEqual([
    [bob.pub, [mail.id], false],
    [other.pub, [other.envelope(2).id], false],
  ]);
  expect(page.listed).toBe(3);
  expect(page.watchable).toBeGreaterThan(0);
  await node.deleteEnvelope(bob.pub, mail.id, NAME);
  expect((await node.listBoxes([{ mailbox: bob.pub, after: 0 }], 10)).boxes).toEqual([]);
  // What the node knows of boxes is asked once a connection.
  const next = bob.envelope(3);
  await node.broadcast({ ...next, admit: alice.admit(next) });
  expect(paths.filter((path) => path === "/relay/box")).toHaveLength(2);
});

it("are NOT_FOUND where the node missed the opening", async () => {
  await using world = await createApiWorld();
  const { node } = connect(world);
  const mail = bob.envelope(1);
  await expect(node.broadcast({ ...mail, admit: alice.admit(mail) })).rejects.toMatchObject({ code: "NOT_FOUND" });
  expect(await world.mail.count(bob.pub)).toBe(0);
});

it("are not used at a node of an earlier version, which would pass over who admits; asked again after a reconnect", async () => {
  await using world = await createApiWorld();
  let isEarlier = true;
  const { node, paths, reconnect } = connect(world, (path) => !isEarlier || !path.startsWith("/relay/box"));
  await expect(node.openBox(openingOf(world))).rejects.toMatchObject({ code: "NOT_FOUND" });
  const mail = bob.envelope(1);
  for (const _ of [1, 2]) await expect(node.broadcast({ ...mail, admit: alice.admit(mail) })).rejects.toMatchObject({ code: "NOT_FOUND" });
  expect(paths.filter((path) => path === "/relay/broadcast")).toEqual([]);
  await node.broadcast(other.envelope(2));
  const boxes = [other.pub, bob.pub].map((mailbox) => ({ mailbox, after: 0 }));
  expect(await node.listBoxes(boxes, 10)).toMatchObject({ boxes: [{ mailbox: other.pub }], listed: 1, watchable: 0 });
  isEarlier = false;
  reconnect();
  await node.openBox(openingOf(world));
  await node.broadcast({ ...mail, admit: alice.admit(mail) });
  expect(await world.mail.count(bob.pub)).toBe(1);
});
