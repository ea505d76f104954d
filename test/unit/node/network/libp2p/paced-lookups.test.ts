// Lookups of peers: as many as the rate allows, however often the library wants them.
import type { PeerInfo } from "@libp2p/interface";
import { describe, expect, it } from "vitest";
import { systemClock } from "#node/config/system-clock.ts";
import { type Lookup, pacedLookups } from "#node/network/libp2p/paced-lookups.ts";

const KEY = new Uint8Array(32);
const FOUND = { id: "peer", multiaddrs: [] } as unknown as PeerInfo;

function counted(): { readonly lookup: Lookup; count: number } {
  const lookups = {
    count: 0,
    lookup: async function* (): AsyncIterable<PeerInfo> {
      lookups.count += 1;
      yield await Promise.resolve(FOUND);
    },
  };
  return lookups;
}

async function all(found: AsyncIterable<PeerInfo>): Promise<readonly PeerInfo[]> {
  const peers: PeerInfo[] = [];
  for await (const peer of found) peers.push(peer);
  return peers;
}

describe("paced lookups", () => {
  it("begin as the rate allows, and find what they find", async () => {
    const lookups = counted();
    const paced = pacedLookups(lookups.lookup, { perSecond: 20, burst: 3 }, systemClock);
    const startedMs = performance.now();
    for (let n = 0; n < 3; n += 1) expect(await all(paced(KEY))).toEqual([FOUND]);
    for (let n = 0; n < 4; n += 1) await all(paced(KEY));
    expect(lookups.count).toBe(7);
    // Four more than the burst, less what came in while the first ones ran.
    expect(performance.now() - startedMs).toBeGreaterThan(190);
  });

  it("that wait end with their signal, and are never begun", async () => {
    const lookups = counted();
    const paced = pacedLookups(lookups.lookup, { perSecond: 0.001, burst: 1 }, systemClock);
    await all(paced(KEY));
    const controller = new AbortController();
    const waiting = all(paced(KEY, { signal: controller.signal }));
    controller.abort();
    await expect(waiting).rejects.toMatchObject({ name: "AbortError" });
    expect(lookups.count).toBe(1);
  });
});
