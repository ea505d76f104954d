// What strangers may have a node fetch from others: so many reads at once, so much of it, and what came to nothing not again at once.
import { setImmediate } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { ARCHIVE_LIMITS } from "#node/light/archive/archive-limits.ts";
import { createArchivePeers } from "#node/light/archive/archive-peers.ts";
import { Archive, type ArchiveDependencies } from "#node/light/archive/open-archive.ts";
import { LIGHT_LIMITS } from "#node/light/light-limits.ts";
import type { LightRequester } from "#node/light/peers/network-light-peers.ts";
import type { LightResponse } from "#node/light/wire/light-responses.ts";
import type { ArchiveRead, ArchiveReads, EntriesBelow } from "#node/queries/archive-reads.ts";
import { CodedError } from "#shared/errors/coded-error.ts";
import { VirtualTime } from "#test/support/host/virtual-time.ts";

const { readsAtOnce, readsPerAddress, requestBurst, requestBurstOfAddress, missMs, readMs, byteBurst, bytesPerSecond } = ARCHIVE_LIMITS;
const never = (): Promise<string> => new Promise(() => undefined);
const found = (): Promise<string> => Promise.resolve("found");

function createArchive(changes: Partial<ArchiveDependencies> = {}): { readonly archive: Archive; readonly time: VirtualTime } {
  const time = new VirtualTime();
  const archive = new Archive({
    queries: {} as ArchiveDependencies["queries"],
    firstHeight: (): number => 100,
    entriesBelow: (): EntriesBelow => ({ firstHeight: 100, count: 0 }),
    entriesOf: (): ReturnType<ArchiveReads["entriesOf"]> => Promise.resolve([]),
    nodes: (): number => 1,
    clock: time.clock(0),
    timers: time,
    signal: new AbortController().signal,
    onError: (error): void => expect.fail(String(error)),
    ...changes,
  });
  return { archive, time };
}

/** Just within the time for one response. */
const DRIP_MS = LIGHT_LIMITS.responseMs - 1_000;
let reads = 0;
const readOf = (read: Partial<ArchiveRead> = {}): ArchiveRead => {
  reads += 1;
  return { name: String(reads), address: "a", isOwn: false, cost: 1, ...read };
};

describe("reads of other nodes", () => {
  it("are so many of one address and of all, and two more of the owner", async () => {
    const { archive } = createArchive();
    for (let address = 0; address * readsPerAddress < readsAtOnce - readsPerAddress; address += 1) {
      for (let read = 0; read < readsPerAddress; read += 1) void archive.read(readOf({ address: String(address) }), never);
      await expect(archive.read(readOf({ address: String(address) }), found)).rejects.toMatchObject({ code: "RATE_LIMITED" });
    }
    await expect(archive.read(readOf({ address: "another" }), found)).rejects.toMatchObject({ code: "BUSY" });
    const own = { address: "own", isOwn: true };
    for (let read = 0; read < readsPerAddress; read += 1) void archive.read(readOf(own), never);
    await expect(archive.read(readOf(own), found)).rejects.toMatchObject({ code: "BUSY" });
  });

  it("take no more requests than one address, and all, may have", async () => {
    const { archive, time } = createArchive();
    const [one, cost] = [{ address: "one" }, requestBurstOfAddress];
    expect(await archive.read(readOf({ ...one, cost }), found)).toBe("found");
    await expect(archive.read(readOf(one), found)).rejects.toMatchObject({ code: "RATE_LIMITED" });
    const others = requestBurst / requestBurstOfAddress - 1;
    for (let other = 0; other < others; other += 1) await archive.read(readOf({ address: `other ${other}`, cost }), found);
    await expect(archive.read(readOf({ address: "fresh" }), found)).rejects.toMatchObject({ code: "BUSY" });
    expect(await archive.read(readOf({ address: "own", isOwn: true, cost }), found)).toBe("found");
    time.advance(1_000);
    expect(await archive.read(readOf(one), found)).toBe("found");
  });

  it("take no requests while they are refused", async () => {
    const { archive } = createArchive();
    const ends: (() => void)[] = [];
    for (let address = 0; ends.length < readsAtOnce - readsPerAddress; address += 1)
      void archive.read(readOf({ address: String(address) }), async () => await new Promise<void>((resolve) => ends.push(resolve)));
    const cost = requestBurstOfAddress;
    for (let refused = 0; refused < requestBurst / cost; refused += 1)
      await expect(archive.read(readOf({ address: `other ${refused}`, cost }), found)).rejects.toMatchObject({ code: "BUSY" });
    for (const end of ends) end();
    await Promise.resolve();
    await expect.poll(() => archive.read(readOf({ address: "after", cost }), found).catch(() => undefined)).toBe("found");
  });

  it("stop while peers have sent more bytes than they may for strangers", async () => {
    const { archive, time } = createArchive();
    archive.noteBytes(byteBurst + bytesPerSecond);
    await expect(archive.read(readOf(), found)).rejects.toMatchObject({ code: "BUSY" });
    time.advance(1_001);
    expect(await archive.read(readOf(), found)).toBe("found");
  });

  it("that came to nothing are not tried again for a while; what is no fault of a peer is said", async () => {
    const errors: unknown[] = [];
    const { archive, time } = createArchive({ onError: (error) => errors.push(error) });
    const failing = (): Promise<string> => Promise.reject(new CodedError("UPSTREAM_FAILED", "no peer"));
    expect(await archive.read(readOf({ name: "same" }), failing)).toBeUndefined();
    expect(await archive.read(readOf({ name: "same" }), found)).toBeUndefined();
    time.advance(missMs + 1);
    expect(await archive.read(readOf({ name: "same" }), found)).toBe("found");
    expect(errors).toEqual([]);
    expect(await archive.read(readOf(), () => Promise.reject(new TypeError("a fault here")))).toBeUndefined();
    expect(errors).toHaveLength(1);
  });

  it("end for who waits, and count until they have ended", async () => {
    const { archive, time } = createArchive();
    const waiting = [1, 2].map(() => archive.read(readOf(), never));
    time.advance(readMs);
    expect(await Promise.all(waiting)).toEqual([undefined, undefined]);
    await expect(archive.read(readOf(), found)).rejects.toMatchObject({ code: "RATE_LIMITED" });
  });

  it("request nothing more once their time has passed: a peer that drips holds up no other read", async () => {
    const { archive, time } = createArchive();
    let asked = 0;
    const ask = async (): Promise<LightResponse> => {
      asked += 1;
      await new Promise<void>((resolve) => time.setTimer(DRIP_MS, () => resolve()));
      return { kind: "unknown" };
    };
    const peers = createArchivePeers({
      peers: { ask } as unknown as LightRequester,
      firstHeight: () => 100,
      onBytes: (bytes) => archive.noteBytes(bytes),
      isOver: () => archive.isOver,
    });
    const page = async (): Promise<string> => {
      for (let entry = 0; entry < 100; entry += 1) await peers.ask("drip", { kind: "header", height: entry });
      return "all of it";
    };
    const waiting = Array.from({ length: readsPerAddress }, () => archive.read(readOf(), page));
    await expect(archive.read(readOf(), found)).rejects.toMatchObject({ code: "RATE_LIMITED" });
    for (let passedMs = 0; passedMs < readMs + DRIP_MS; passedMs += DRIP_MS) {
      time.advance(DRIP_MS);
      await setImmediate();
    }
    expect(await Promise.all(waiting)).toEqual(waiting.map(() => undefined));
    expect(asked).toBe(readsPerAddress * Math.ceil(readMs / DRIP_MS));
    expect(await archive.read(readOf(), found)).toBe("found");
  });

  it("are none of a node that has every block, or no peer with older ones", () => {
    expect(createArchive().archive.canRead).toBe(true);
    expect(createArchive({ firstHeight: () => 0 }).archive.canRead).toBe(false);
    expect(createArchive({ nodes: () => 0 }).archive.canRead).toBe(false);
  });
});
