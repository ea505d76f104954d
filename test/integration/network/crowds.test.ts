// Many connections of one party: silent sockets, fresh peer ids, all slots. Every address of 127.0.0.0/8 is one of this machine, and counts as
// a public one here.
import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { NETWORK_LIMITS } from "#node/network/network-limits.ts";
import { PEER_LIMITS } from "#node/network/peer-limits.ts";
import { pollUntil } from "#test/support/host/poll-until.ts";
import { createTemporaryFolder } from "#test/support/host/temporary-folder.ts";
import { WHOLE_ONLY, wholeUnless } from "#test/support/host/test-extent.ts";
import { connectRudePeer, type RudePeer } from "#test/support/nodes/rude-peer.ts";
import { startNetwork, type TestNetwork, untilConnected } from "#test/support/nodes/test-network.ts";

const ATTACKER = "127.0.0.66";
const NONSENSE = Uint8Array.from({ length: 64 }, (_, n) => n);
const opened: Socket[] = [];
afterAll(() => {
  for (const socket of opened) socket.destroy();
});

const portOf = ({ address }: TestNetwork): number => Number(/tcp\/(\d+)/.exec(address)?.[1]);
const joins = async (node: TestNetwork, n: number): Promise<void> => {
  await using honest = await startNetwork(n, { bootstrap: [node.address] });
  await untilConnected(node, honest);
};

async function openSilent(node: TestNetwork, count: number, localAddress: string): Promise<readonly Socket[]> {
  const sockets = Array.from({ length: count }, () => connect({ host: "127.0.0.1", port: portOf(node), localAddress }));
  for (const socket of sockets) socket.on("error", () => undefined);
  opened.push(...sockets);
  await Promise.all(sockets.map((socket) => once(socket, "connect")));
  return sockets;
}

async function closeAll(peers: readonly RudePeer[]): Promise<void> {
  await Promise.all(peers.map((peer) => peer[Symbol.asyncDispose]()));
}

describe("a crowd of one address", () => {
  const KINDS = [
    ["another", true],
    ["the same", false],
  ] as const;
  for (const [name, isElsewhere] of KINDS)
    it(`that says nothing keeps no newcomer of ${name} address out`, wholeUnless(isElsewhere), async () => {
      await using node = await startNetwork(1, { limitsLocal: isElsewhere });
      const sockets = await openSilent(node, 3 * NETWORK_LIMITS.pendingInboundConnections, isElsewhere ? ATTACKER : "127.0.0.1");
      await joins(node, 2);
      const most = isElsewhere ? PEER_LIMITS.pendingPerHost : NETWORK_LIMITS.pendingInboundConnections;
      await pollUntil(() => sockets.filter((socket) => !socket.closed).length <= most, { what: "the others to be displaced" });
      await pollUntil(() => sockets.every((socket) => socket.closed), { timeoutMs: 30_000, what: "the rest to be too late" });
    });

  it("with fresh peer ids gets a share of the slots, and others theirs", async () => {
    await using node = await startNetwork(1, { limitsLocal: true });
    const crowd: RudePeer[] = [];
    try {
      for (let n = 0; n < 3 * PEER_LIMITS.inboundPerHost; n += 1)
        crowd.push(
          ...(await connectRudePeer(20 + n, node.address, { from: ATTACKER }).then(
            (peer) => [peer],
            () => [],
          )),
        );
      await joins(node, 2);
      expect(node.network.figures().connections.inbound).toBeLessThanOrEqual(PEER_LIMITS.inboundPerHost + 1);
      expect(node.network.figures().turnedAway.refused).toBeGreaterThan(0);
    } finally {
      await closeAll(crowd);
    }
  });

  it("that fills every slot of a node on its own machine makes room for a newcomer", async () => {
    await using node = await startNetwork(1);
    const crowd: RudePeer[] = [];
    try {
      for (let n = 0; n < NETWORK_LIMITS.inboundConnections; n += 1) crowd.push(await connectRudePeer(20 + n, node.address));
      await pollUntil(() => node.network.peers().length === crowd.length);
      await joins(node, 2);
      expect(node.network.figures().turnedAway.evicted).toBeGreaterThan(0);
    } finally {
      await closeAll(crowd);
    }
  });

  it("is banned as an address after a few peer ids, also after a restart, and others are not", async () => {
    const folder = await createTemporaryFolder();
    const peersPath = join(folder.path, "peers.json");
    const isRefused = async (node: TestNetwork, n: number): Promise<boolean> => {
      try {
        const peer = await connectRudePeer(n, node.address, { from: ATTACKER });
        for (let each = 0; each < 3 && peer.isConnected; each += 1)
          await peer.shout("tx", Uint8Array.of(...NONSENSE, n, each)).catch(() => undefined);
        await pollUntil(() => !peer.isConnected, { what: "the peer to be disconnected" });
        await peer[Symbol.asyncDispose]();
        return false;
      } catch {
        return true;
      }
    };
    try {
      {
        await using node = await startNetwork(1, { limitsLocal: true, peersPath });
        let ids = 0;
        while (ids < 20 && !(await isRefused(node, 30 + ids))) ids += 1;
        expect(ids).toBeLessThan(10);
        expect(node.network.figures().bans.address).toBe(1);
        await joins(node, 2);
      }
      await using again = await startNetwork(1, { limitsLocal: true, peersPath });
      expect(again.network.figures().bans.address).toBe(1);
      // One handshake of a banned address is heard now and then, and ends all the same.
      expect([await isRefused(again, 60), await isRefused(again, 61)]).toEqual([true, true]);
      await joins(again, 2);
    } finally {
      await folder.remove();
    }
  });

  it("leaves the slots of reserved peers alone, wherever they come from", async () => {
    await using friend = await startNetwork(9);
    await using node = await startNetwork(1, { limitsLocal: true, reserved: [friend.network.name] });
    const crowd: RudePeer[] = [];
    try {
      for (let n = 0; n < 2 * PEER_LIMITS.inboundPerHost; n += 1)
        crowd.push(
          ...(await connectRudePeer(20 + n, node.address, { from: "127.0.0.1" }).then(
            (peer) => [peer],
            () => [],
          )),
        );
      const reserved = await connectRudePeer(9, node.address, { from: "127.0.0.1" });
      crowd.push(reserved);
      await pollUntil(() => node.network.peers().some(({ name }) => name === reserved.name));
    } finally {
      await closeAll(crowd);
    }
  });
});

describe("after a restart", () => {
  it("a node finds the others again without being given any", WHOLE_ONLY, async () => {
    const folder = await createTemporaryFolder();
    const peersPath = join(folder.path, "peers.json");
    try {
      await using known = await startNetwork(4);
      {
        await using node = await startNetwork(5, { bootstrap: [known.address], peersPath });
        await untilConnected(node, known);
      }
      await using again = await startNetwork(5, { peersPath });
      await untilConnected(again, known);
      expect(again.network.peers()[0]?.direction).toBe("outbound");
    } finally {
      await folder.remove();
    }
  });
});
