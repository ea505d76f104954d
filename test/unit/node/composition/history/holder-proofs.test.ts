// What nodes have to show before old blocks are dropped because of them: honest ones on a real chain, and those that lie.
import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import { HOLDER_LIMITS, HolderProofs } from "#node/composition/history/holder-proofs.ts";
import type { LightRequester } from "#node/light/peers/network-light-peers.ts";
import { LightReads } from "#node/light/server/light-reads.ts";
import { type LightResponse, lightResponseCodec } from "#node/light/wire/light-responses.ts";
import { decode } from "#shared/codec/codec.ts";
import { CodedError } from "#shared/errors/coded-error.ts";
import { openGrownChain } from "#test/support/chain/grown-chain.ts";
import type { TestChain } from "#test/support/chain/test-chain.ts";
import { pollUntil } from "#test/support/host/poll-until.ts";
import { createTemporaryFolder, type TemporaryFolder } from "#test/support/host/temporary-folder.ts";
import { VirtualTime } from "#test/support/host/virtual-time.ts";

const HEIGHT = 30;
const RANGE = { first: 0, last: 24 };
const ALL = (): boolean => true;

type Answer = (height: number) => LightResponse | Promise<never>;

let folder: TemporaryFolder;
let chain: TestChain;
let time: VirtualTime;
let peers: Record<string, Answer>;
let asked: { readonly name: string; readonly height: number }[];
let said: string[];
let proven: number;
let drawn: (below: number) => number;

const honest: Answer = (height) => decode(lightResponseCodec, new LightReads(chain.database).respond({ kind: "body", height }));

beforeAll(async () => {
  folder = await createTemporaryFolder();
  chain = openGrownChain(folder.path, HEIGHT);
});
afterAll(async () => {
  chain.close();
  await folder.remove();
});
beforeEach(() => {
  time = new VirtualTime();
  [peers, asked, said, proven] = [{}, [], [], 0];
  drawn = (): number => 0;
});

function open(): HolderProofs {
  const requester: Pick<LightRequester, "ask" | "noteProven" | "report"> = {
    ask: async (name, request): Promise<never> => {
      const height = "height" in request ? request.height : -1;
      asked.push({ name, height });
      return (await peers[name]?.(height)) as never;
    },
    noteProven: (name) => void said.push(`${name} proven`),
    report: (name, offence) => void said.push(`${name} ${offence}`),
  };
  const note = (_fields: object, text: string): void => void said.push(text);
  return new HolderProofs({
    ...{ peers: requester, clock: time.clock(0), log: { info: note, warn: note } },
    hashOf: (height) => chain.database.blocks.summary(height)?.hash,
    random: (below) => drawn(below),
    onProven: (): void => {
      proven += 1;
    },
  });
}

/** What comes of asking, once no one is asked any more. */
async function settled(proofs: HolderProofs, names: readonly string[], range = RANGE): Promise<number | undefined> {
  proofs.heldTo(names, range, ALL);
  await pollUntil(() => !proofs.isAsking, { what: "the peer to be asked" });
  return proofs.heldTo(names, range, ALL);
}

it("asks for a block of each part of the range, and takes its word then", async () => {
  peers.honest = honest;
  const proofs = open();
  expect(proofs.heldTo(["honest"], RANGE, ALL)).toBeUndefined();
  expect(proofs.isAsking).toBe(true);
  expect(await settled(proofs, ["honest"])).toBe(24);
  expect(asked.map(({ height }) => height)).toEqual([1, 4, 7, 10, 13, 16, 19, 22]);
  expect(proven).toBe(1);
  drawn = (below): number => below - 1;
  expect(await settled(open(), ["honest"])).toBe(24);
  expect(asked.slice(8).map(({ height }) => height)).toEqual([3, 6, 9, 12, 15, 18, 21, 24]);
});

it("asks for no block twice in a short range, and for none of genesis alone", async () => {
  peers.honest = honest;
  expect(await settled(open(), ["honest"], { first: 5, last: 7 })).toBe(7);
  expect(asked.map(({ height }) => height)).toEqual([5, 6, 7]);
  expect(await settled(open(), ["honest"], { first: 0, last: 0 })).toBe(0);
  expect(asked).toHaveLength(3);
});

it.each<readonly [string, Answer, boolean]>([
  ["has none of them", (): LightResponse => ({ kind: "unknown" }), false],
  ["lacks the last quarter", (height): LightResponse | Promise<never> => (height > 18 ? { kind: "unknown" } : honest(height)), false],
  ["does not answer", (): Promise<never> => Promise.reject(new CodedError("UPSTREAM_FAILED", "Silence")), false],
  ["is busy", (): LightResponse => ({ kind: "error", code: "BUSY", message: "Later" }), false],
  ["sends another block of the chain", (height): LightResponse | Promise<never> => honest(height + 1), true],
  [
    "sends a block without its receipts",
    (height): never => ({ ...(honest(height) as object), receipts: Uint8Array.of(0x80) }) as never,
    true,
  ],
  ["sends bytes that are no block", (): LightResponse => ({ kind: "body", block: Uint8Array.of(1), receipts: Uint8Array.of(0x80) }), true],
])("does not believe a peer that %s, and asks it later again", async (_, answer, isLie) => {
  peers.liar = answer;
  const proofs = open();
  expect(await settled(proofs, ["liar"])).toBeUndefined();
  expect(proven).toBe(0);
  expect(said.includes("liar lie")).toBe(isLie);
  expect(said).toContain("A connected node says that it has old blocks, and does not show them");
  const before = asked.length;
  time.advance(HOLDER_LIMITS.restMs - 1);
  expect(await settled(proofs, ["liar"])).toBeUndefined();
  expect(asked).toHaveLength(before);
  time.advance(1);
  peers.liar = honest;
  expect(await settled(proofs, ["liar"])).toBe(24);
});

it("asks one after the other, until an honest one among liars has shown them", async () => {
  const names = ["a", "b", "c", "honest"];
  for (const name of names) peers[name] = name === "honest" ? honest : (): LightResponse => ({ kind: "unknown" });
  const proofs = open();
  for (let tries = 0; tries < 3; tries += 1) expect(await settled(proofs, names)).toBeUndefined();
  proofs.heldTo(names, RANGE, ALL);
  expect(await settled(proofs, names)).toBe(24);
});

it("what was shown counts for those blocks, for a while, and while the peer stays", async () => {
  peers.honest = honest;
  const proofs = open();
  await settled(proofs, ["honest"], { first: 3, last: 12 });
  expect(proofs.heldTo(["honest"], { first: 5, last: 20 }, ALL)).toBe(12);
  expect(proofs.heldTo(["honest"], { first: 5, last: 9 }, ALL)).toBe(9);
  // Lower ones were not asked for.
  expect(proofs.heldTo(["honest"], { first: 2, last: 12 }, ALL)).toBeUndefined();
  await pollUntil(() => !proofs.isAsking);
  time.advance(HOLDER_LIMITS.provenMs);
  expect(proofs.heldTo(["honest"], { first: 2, last: 12 }, ALL)).toBeUndefined();
  await pollUntil(() => !proofs.isAsking);
  expect(proofs.heldTo(["honest"], { first: 2, last: 12 }, ALL)).toBe(12);
  // Where nothing would go for it, it is asked for what has come since.
  expect(proofs.heldTo(["honest"], { first: 2, last: 20 }, (to) => to > 12)).toBeUndefined();
  await pollUntil(() => !proofs.isAsking);
  expect(proofs.heldTo(["honest"], { first: 2, last: 20 }, (to) => to > 12)).toBe(20);
  expect(proofs.heldTo([], { first: 2, last: 20 }, ALL)).toBeUndefined();
  expect(proofs.heldTo(["honest"], { first: 2, last: 20 }, ALL)).toBeUndefined();
  await pollUntil(() => !proofs.isAsking);
});

it("asks no more once it is stopped, and what was under way changes nothing", async () => {
  peers.honest = honest;
  const proofs = open();
  proofs.heldTo(["honest"], RANGE, ALL);
  proofs.stop();
  await pollUntil(() => !proofs.isAsking);
  expect(proofs.heldTo(["honest"], RANGE, ALL)).toBeUndefined();
  expect([proven, proofs.isAsking]).toEqual([0, false]);
});
