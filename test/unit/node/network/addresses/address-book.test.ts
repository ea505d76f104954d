// The book of addresses under a peer that wants to fill it.
import { describe, expect, it } from "vitest";
import { AddressBook, type BookEntry, type ReportedAddress } from "#node/network/addresses/address-book.ts";
import { PEER_LIMITS } from "#node/network/peer-limits.ts";
import { createRandom } from "#test/support/host/random.ts";

const { newBuckets, newBucketsPerSource, triedBuckets, triedBucketsPerProvider, bucketEntries } = PEER_LIMITS;
const DAY_MS = 86_400_000;
const START_MS = 1_800_000_000_000;
const any = { isNew: false, isAllowed: (): boolean => true };

function bookOf(seed = 14): { readonly clock: { ms: number }; readonly book: AddressBook } {
  const clock = { ms: START_MS };
  const { next } = createRandom(seed);
  return { clock, book: new AddressBook({ key: new Uint8Array(32).fill(seed), random: next, nowMs: () => clock.ms }) };
}
const report = (n: number, group: string, source: string): ReportedAddress => ({
  address: `/ip4/${group}.${n >> 8}.${n & 255}/tcp/9100`,
  peer: `peer ${group} ${n}`,
  group,
  source,
});

describe("the book of addresses", () => {
  it("gives what was put into it, reached or not", () => {
    const { book } = bookOf();
    book.add(report(1, "8.8", "9.9"));
    expect(book.pick(any)?.address).toBe("/ip4/8.8.0.1/tcp/9100");
    book.reached(report(1, "8.8", "9.9"));
    expect([book.sizes, book.pick({ ...any, isNew: true })]).toEqual([{ new: 0, tried: 1 }, undefined]);
    expect(book.pick({ isNew: false, isAllowed: () => false })).toBeUndefined();
  });

  it("has room for few addresses of one reporter, however many it reports from however many places", () => {
    const { book } = bookOf();
    for (let n = 0; n < 20_000; n += 1) book.add(report(n, `${30 + (n % 100)}.1`, "6.6"));
    expect(book.sizes.new).toBeLessThanOrEqual(newBucketsPerSource * bucketEntries);
    for (let source = 0; source < 100; source += 1) book.add(report(source, `${140 + source}.1`, `${140 + source}.1`));
    expect(book.entries.filter(({ source }) => source !== "6.6").length, "others still find room").toBeGreaterThan(80);
  });

  it("has few places among the tried ones for one provider", () => {
    const { book } = bookOf();
    for (let n = 0; n < 5_000; n += 1) book.reached(report(n, "6.6", "6.6"));
    expect(book.sizes.tried).toBeLessThanOrEqual(triedBucketsPerProvider * bucketEntries);
    expect(book.sizes.tried + book.sizes.new).toBeLessThanOrEqual((triedBuckets + newBuckets) * bucketEntries);
  });

  it("keeps honest addresses through a flood, and still picks them", () => {
    const { book, clock } = bookOf();
    const honest = Array.from({ length: 40 }, (_, n) => report(n, `${20 + n}.1`, `${20 + n}.1`));
    for (const each of honest) book.reached(each);
    for (let n = 0; n < 30_000; n += 1) book.add(report(n, `${100 + (n % 100)}.7`, `${200 + (n % 3)}.1`));
    const kept = book.entries.filter(({ reachedAtMs }) => reachedAtMs > 0);
    expect(kept.length).toBeGreaterThan(30);
    clock.ms += DAY_MS;
    const picks = Array.from({ length: 400 }, () => book.pick(any)?.reachedAtMs ?? 0);
    expect(picks.filter((reachedAtMs) => reachedAtMs > 0).length, "half of all picks are of those that were reached").toBeGreaterThan(150);
  });

  it("believes no stranger that another peer is at an address that was reached", () => {
    const { book } = bookOf();
    book.reached(report(1, "8.8", "8.8"));
    book.add({ ...report(1, "8.8", "6.6"), peer: "impostor" });
    expect(book.entries.map(({ peer }) => peer)).toEqual(["peer 8.8 1"]);
  });

  it("asks for a stranger's other peer only where the one that was reported first was not found", () => {
    const { book } = bookOf();
    const peers = (): readonly string[] => book.entries.map(({ peer }) => peer);
    book.add(report(1, "8.8", "8.8"));
    book.add({ ...report(1, "8.8", "6.6"), peer: "impostor" });
    expect(peers()).toEqual(["peer 8.8 1"]);
    book.attempted("/ip4/8.8.0.1/tcp/9100");
    book.add({ ...report(1, "8.8", "6.6"), peer: "impostor" });
    expect(peers()).toEqual(["impostor"]);
    book.attempted("/ip4/8.8.0.1/tcp/9100");
    book.add(report(1, "8.8", "8.8"));
    expect(peers()).toEqual(["peer 8.8 1"]);
  });

  it("gives places of a time away that has not come: the clock was set back", () => {
    const { book, clock } = bookOf();
    for (let n = 0; n < 20_000; n += 1) book.add(report(n, `${30 + (n % 100)}.1`, "6.6"));
    for (const { address } of book.entries) book.attempted(address);
    clock.ms -= 365 * DAY_MS;
    for (let n = 0; n < 20_000; n += 1) book.add(report(n, `${130 + (n % 100)}.1`, "6.6"));
    expect(book.entries.filter(({ reportedAtMs }) => reportedAtMs <= clock.ms).length).toBeGreaterThan(
      newBucketsPerSource * bucketEntries * 0.9,
    );
  });

  it("rarely picks what failed or was just tried, and forgets what never worked", () => {
    const { book, clock } = bookOf();
    for (const n of [1, 2]) book.add(report(n, `${n}0.1`, "9.9"));
    for (let n = 0; n < PEER_LIMITS.newFailures; n += 1) book.attempted("/ip4/10.1.0.1/tcp/9100");
    clock.ms += DAY_MS;
    const picks = Array.from({ length: 200 }, () => book.pick(any)?.group);
    expect(picks.filter((group) => group === "20.1").length).toBeGreaterThan(110);
    for (let n = 0; n < 50_000 && book.entries.some(({ group }) => group === "10.1"); n += 1)
      book.add(report(n, `${30 + (n % 200)}.1`, "9.9"));
    expect(book.entries.some(({ group }) => group === "10.1")).toBe(false);
  });

  it("gives the place of a tried address away only when it failed after it was reached", () => {
    const { book, clock } = bookOf();
    const fill = (): void => {
      for (let n = 0; n < 3_000; n += 1) book.reached(report(n, "6.6", "6.6"));
    };
    fill();
    const first = new Set(book.entries.filter(({ reachedAtMs }) => reachedAtMs === START_MS).map(({ address }) => address));
    const tried = (): readonly BookEntry[] => book.entries.filter(({ address }) => first.has(address));
    const kept = tried().length;
    clock.ms += 2 * PEER_LIMITS.triedForMs;
    for (let n = 3_000; n < 6_000; n += 1) book.reached(report(n, "6.6", "6.6"));
    expect(book.sizes.tried).toBeLessThanOrEqual(triedBucketsPerProvider * bucketEntries);
    expect(tried().length).toBeGreaterThan(0);
    expect(tried().length).toBeLessThanOrEqual(kept);
  });

  it("is the same after a restart", () => {
    const { book } = bookOf(3);
    for (let n = 0; n < 2_000; n += 1) book.add(report(n, `${n % 200}.1`, `${n % 17}.2`));
    for (let n = 0; n < 100; n += 1) book.reached(report(n, `${n}.3`, `${n}.3`));
    const { book: next } = bookOf(3);
    next.restore(book.entries);
    expect(next.sizes).toEqual(book.sizes);
    expect(next.entries.map(({ address }) => address).sort()).toEqual(book.entries.map(({ address }) => address).sort());
  });
});
