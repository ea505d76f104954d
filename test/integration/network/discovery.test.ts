// Nodes without configured peers find each other: on the local network, and through a node that both know.
import { randomBytes } from "node:crypto";
import { describe, expect, it } from "vitest";
import { protocolNames } from "#node/network/protocol-names.ts";
import { pollUntil } from "#test/support/host/poll-until.ts";
import { hasMulticast, respondAsNeighbour } from "#test/support/nodes/local-network.ts";
import { startNetwork, untilConnected } from "#test/support/nodes/test-network.ts";

/** Two runs of this file at once must not meet. */
const lanChain = (): string => `parley-lan-${randomBytes(4).toString("hex")}`;

describe("nodes on one local network", () => {
  it("find each other where multicast works, and run alone where it does not", async () => {
    const options = { chainId: lanChain(), usesMdns: true };
    const isPossible = await hasMulticast();
    await using one = await startNetwork(1, options);
    await using other = await startNetwork(2, options);
    await using stranger = await startNetwork(3, { chainId: lanChain(), usesMdns: true });
    if (isPossible) await untilConnected(one, other);
    expect(one.network.peers()).toHaveLength(isPossible ? 1 : 0);
    expect(stranger.network.peers()).toEqual([]);
  });

  it("dial a neighbour that responds, and none of another chain", async () => {
    const chainId = lanChain();
    await using silent = await startNetwork(2, { chainId });
    await using foreign = await startNetwork(3, { chainId: lanChain() });
    await using asking = await startNetwork(1, { chainId, usesMdns: true });
    const { mdns: service } = protocolNames(chainId);
    const isMet = async (): Promise<boolean> => {
      await respondAsNeighbour("_other._udp.local", foreign.address);
      await respondAsNeighbour(service, silent.address);
      return asking.network.peers().length > 0;
    };
    await pollUntil(isMet, { intervalMs: 200, what: "the neighbour to be dialled" });
    expect(asking.network.peers().map(({ name }) => name)).toEqual([silent.network.name]);
    expect(asking.network.peers()[0]?.direction).toBe("outbound");
    expect(foreign.network.peers()).toEqual([]);
  });
});

describe("nodes that know one in the middle", () => {
  it("find each other through it", async () => {
    await using known = await startNetwork(4, { relay: "offer" });
    await using one = await startNetwork(5, { bootstrap: [known.address] });
    await using other = await startNetwork(6, { bootstrap: [known.address] });
    await untilConnected(one, other);
  });
});
