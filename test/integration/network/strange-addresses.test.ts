// Addresses that peers claim: a node must not become their scanner of the networks behind it.
import { once } from "node:events";
import { type AddressInfo, createServer } from "node:net";
import { describe, expect, it } from "vitest";
import { pollUntil } from "#test/support/host/poll-until.ts";
import { connectRudePeer } from "#test/support/nodes/rude-peer.ts";
import { startNetwork, untilConnected } from "#test/support/nodes/test-network.ts";
import { actor } from "#test/support/worlds/ledger-world.ts";

/** A service that is no node, and counts who knocks. */
async function startService(): Promise<AsyncDisposable & { readonly port: number; readonly visits: () => number }> {
  let visits = 0;
  const server = createServer((socket) => {
    visits += 1;
    socket.on("error", () => undefined).destroy();
  });
  server.listen(0, "0.0.0.0");
  await once(server, "listening");
  return {
    port: (server.address() as AddressInfo).port,
    visits: () => visits,
    [Symbol.asyncDispose]: async (): Promise<void> => {
      server.close();
      await once(server, "close");
    },
  };
}

describe("a peer that claims the address of another service", () => {
  it("leads a node there only on a network that is private as a whole", async () => {
    await using known = await startService();
    await using hidden = await startService();
    await using privateNode = await startNetwork(1);
    await using publicNode = await startNetwork(2, { dialsPrivate: false });
    for (const [n, node, service] of [
      [8, privateNode, known],
      [9, publicNode, hidden],
    ] as const) {
      // The name leads to this machine by the table of hosts, which is not asked for the names of strangers.
      const announce = [`/ip4/127.0.0.2/tcp/${service.port}`, `/dns4/localhost/tcp/${service.port}`];
      const rude = await connectRudePeer(n, node.address, { announce });
      await pollUntil(() => node.network.peers().some(({ name }) => name === rude.name));
      await rude[Symbol.asyncDispose]();
      await pollUntil(() => node.received.gone.includes(rude.name));
      // Validators are dialled again and again, wherever they are said to be.
      node.network.setValidators([actor(n).pub]);
    }
    await pollUntil(() => known.visits() >= 2, { timeoutMs: 30_000, what: "the private node to dial" });
    expect(hidden.visits()).toBe(0);
  });
});

describe("a peer that the operator named", () => {
  it("is met wherever its name leads", async () => {
    await using known = await startNetwork(3);
    await using node = await startNetwork(4, {
      dialsPrivate: false,
      bootstrap: [known.address.replace("/ip4/127.0.0.1/", "/dns4/localhost/")],
    });
    await untilConnected(known, node);
  });
});
