// No peer of Kademlia's table is dialled again by the library itself.
import { KEEP_ALIVE, type PeerId, type PeerStore } from "@libp2p/interface";
import { expect, it } from "vitest";
import { withoutKeepAlive } from "#node/network/libp2p/kademlia.ts";

/** As the library's store: its methods work on itself alone. */
class Store {
  readonly #merged: unknown[] = [];
  merge(_peer: PeerId, data: unknown): Promise<void> {
    this.#merged.push(data);
    return Promise.resolve();
  }
  all(): Promise<readonly unknown[]> {
    return Promise.resolve(this.#merged);
  }
}

it("takes the tags that keep a connection alive out of what is stored, and leaves the rest", async () => {
  const peers = withoutKeepAlive(new Store() as unknown as PeerStore);
  const peer = {} as PeerId;
  await peers.merge(peer, { tags: { "kad-close": { value: 50 }, [`${KEEP_ALIVE}-kad-dht`]: { value: 1 } } });
  await peers.merge(peer, { tags: { "kad-close": undefined, [`${KEEP_ALIVE}-kad-dht`]: undefined } });
  await peers.merge(peer, { multiaddrs: [] });
  expect(await peers.all()).toEqual([{ tags: { "kad-close": { value: 50 } } }, { tags: { "kad-close": undefined } }, { multiaddrs: [] }]);
});
