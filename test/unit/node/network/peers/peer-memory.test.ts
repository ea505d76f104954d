// What a node knows of others from one run to the next.
import { readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { multiaddr } from "@multiformats/multiaddr";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { PeerScores } from "#node/network/admission/peer-scores.ts";
import { PEER_LIMITS } from "#node/network/peer-limits.ts";
import { peerNameOf } from "#node/network/peer-name.ts";
import { PeerMemory } from "#node/network/peers/peer-memory.ts";
import { createLog } from "#node/observability/log.ts";
import { createTemporaryFolder, type TemporaryFolder } from "#test/support/host/temporary-folder.ts";
import { actor } from "#test/support/worlds/ledger-world.ts";

const OWN = peerNameOf(actor(1).pub);
const PEER = peerNameOf(actor(2).pub);
const START_MS = 1_800_000_000_000;

let folder: TemporaryFolder;
beforeEach(async () => {
  folder = await createTemporaryFolder();
});
afterEach(() => folder.remove());

function memoryAt(nowMs: number, path: string | undefined = join(folder.path, "peers.json")): { scores: PeerScores; memory: PeerMemory } {
  const clock = { nowMs: (): number => nowMs, monotonicMs: (): number => nowMs - START_MS };
  const scores = new PeerScores({ clock, isValidator: (): boolean => false, isExempt: (): boolean => false });
  const log = createLog("json", { write: (): void => undefined });
  return {
    scores,
    memory: new PeerMemory({ path, own: OWN, scores, mayDial: (each): boolean => !each.toString().includes("10.0"), clock, log }),
  };
}

describe("the memory of peers", () => {
  it("outlives a restart: addresses, anchors, scores", () => {
    const { memory, scores } = memoryAt(START_MS);
    memory.learn(PEER, [multiaddr("/ip4/8.8.8.8/tcp/1")], multiaddr("/ip4/9.9.9.9/tcp/5"));
    memory.reached(PEER, multiaddr(`/ip4/8.8.4.4/tcp/1/p2p/${PEER}`));
    for (let n = 0; n < 5; n += 1) scores.report("bad", "malformed");
    memory.save([`/ip4/8.8.4.4/tcp/1/p2p/${PEER}`, "/ip4/1.1.1.1/tcp/1", "/ip4/2.2.2.2/tcp/1"]);
    const next = memoryAt(START_MS + 60_000);
    expect(next.memory.book.sizes).toEqual({ new: 1, tried: 1 });
    expect(next.memory.book.entries.find(({ address }) => address === "/ip4/8.8.8.8/tcp/1")).toMatchObject({
      group: "8.8.0.0/16",
      source: "9.9.0.0/16",
    });
    expect(next.memory.anchors).toHaveLength(PEER_LIMITS.anchors);
    expect(next.scores.isBanned("bad")).toBe(true);
    if (process.platform !== "win32") expect(statSync(join(folder.path, "peers.json")).mode & 0o777).toBe(0o600);
  });

  it("takes addresses that may be dialled, a few of each peer, and none of the node itself", () => {
    const { memory } = memoryAt(START_MS, undefined);
    const from = multiaddr("/ip4/9.9.9.9/tcp/5");
    const addresses = Array.from({ length: 100 }, (_, n) => multiaddr(`/ip4/8.8.${n}.8/tcp/1`));
    memory.learn(PEER, [multiaddr("/ip4/10.0.0.1/tcp/22"), multiaddr(`/p2p/${OWN}/p2p-circuit`), ...addresses], from);
    memory.learn(OWN, addresses, from);
    expect(memory.book.entries.length).toBeGreaterThan(0);
    expect(memory.book.entries.length).toBeLessThanOrEqual(PEER_LIMITS.addressesPerPeer);
    expect(memory.book.entries.some(({ address }) => address.includes("10.0.0.1"))).toBe(false);
  });

  it.each([
    ["nothing", ""],
    ["another version", '{"version":2}'],
    ["half of it", '{"version":1,"savedAtMs":5,"key":"'],
    ["something else", '["a"]'],
  ])("begins again with a file that holds %s", (_, text) => {
    const path = join(folder.path, "peers.json");
    writeFileSync(path, text);
    const { memory } = memoryAt(START_MS);
    expect([memory.book.sizes, memory.anchors]).toEqual([{ new: 0, tried: 0 }, []]);
    memory.save([]);
    expect(JSON.parse(readFileSync(path, "utf8"))).toMatchObject({ version: 1 });
  });

  it("is not lost with an address that is too long to be remembered", () => {
    const long = `/dns4/${"a.".repeat(115)}example/tcp/9100/p2p/${PEER}`;
    const { memory, scores } = memoryAt(START_MS);
    for (let n = 0; n < 5; n += 1) scores.report("bad", "malformed");
    memory.reached(PEER, multiaddr(long));
    memory.learn(PEER, [multiaddr(long)], multiaddr("/ip4/9.9.9.9/tcp/5"));
    memory.save([long, `/ip4/8.8.4.4/tcp/1/p2p/${PEER}`]);
    const next = memoryAt(START_MS);
    expect([next.scores.isBanned("bad"), next.memory.anchors]).toEqual([true, [`/ip4/8.8.4.4/tcp/1/p2p/${PEER}`]]);
  });

  it("survives a folder that cannot be written to", () => {
    const { memory } = memoryAt(START_MS, join(folder.path, "missing", "peers.json"));
    expect(() => memory.save([])).not.toThrow();
  });

  it("forgives nothing when the clock was set back", () => {
    const { memory, scores } = memoryAt(START_MS);
    for (let n = 0; n < 5; n += 1) scores.report("bad", "malformed");
    memory.save([]);
    expect(memoryAt(START_MS - 86_400_000).scores.isBanned("bad")).toBe(true);
  });
});
