// Old blocks wait for a node that has them, in words, and go once there is one that has shown it.
import { expect, it } from "vitest";
import { BlockHolders, type PossibleHolder } from "#node/composition/history/block-holders.ts";
import type { ChainStatus } from "#node/network/peer-network.ts";
import { VirtualTime } from "#test/support/host/virtual-time.ts";

const DUE = { first: 101, last: 900, goesUpTo: (): boolean => true };
const status = (firstHeight: number, height = 5_000, keepsFrom?: number): ChainStatus => ({
  height,
  firstHeight,
  tipHash: "00",
  keepsFrom,
});

interface Made {
  readonly time: VirtualTime;
  readonly holders: {
    have(statuses: readonly (ChainStatus | null)[], due: { readonly first: number; readonly last: number }): boolean;
    readonly isWaiting: boolean;
    rest(): void;
    stop(): void;
  };
  readonly lines: string[];
  looks: number;
  isAsking: boolean;
}

/** Each node that says that it has blocks has them. */
function make(): Made {
  const time = new VirtualTime();
  const lines: string[] = [];
  const write = (_fields: object, text: string): void => void lines.push(text);
  const made = { time, lines, looks: 0, isAsking: false };
  const holders = new BlockHolders({
    proofs: {
      heldTo: (names, { last }): number | undefined => (names.length === 0 ? undefined : last),
      get isAsking(): boolean {
        return made.isAsking;
      },
      stop: (): void => undefined,
    },
    clock: time.clock(0),
    timers: time,
    log: { info: write, warn: write },
    onLook: (): void => {
      made.looks += 1;
    },
  });
  const named = (statuses: readonly (ChainStatus | null)[]): readonly PossibleHolder[] =>
    statuses.map((each, index) => ({ name: `peer-${index}`, status: each }));
  return Object.assign(made, {
    holders: {
      have: (statuses: readonly (ChainStatus | null)[], due: { readonly first: number; readonly last: number }): boolean =>
        holders.heldTo(named(statuses), { ...DUE, ...due }) === due.last,
      get isWaiting(): boolean {
        return holders.isWaiting;
      },
      rest: () => holders.rest(),
      stop: () => holders.stop(),
    },
  });
}

it.each([
  ["no one is connected", [], false],
  ["none has said what it has", [null], false],
  ["all dropped some of them", [status(102), status(901)], false],
  ["one is too far behind", [status(0, 899)], false],
  ["all are to drop some of them too", [status(0, 5_000, 102), status(101, 5_000, 800)], false],
  ["one has them all", [null, status(950), status(101)], true],
  ["one keeps them all", [status(0, 5_000, 101)], true],
] as const)("blocks go where a connected node has them all: %s", (_, statuses, isHeld) => {
  const { holders } = make();
  expect(holders.have(statuses, DUE)).toBe(isHeld);
  expect(holders.isWaiting).toBe(!isHeld);
});

it("takes a node that has every block but genesis for one that has it", () => {
  expect(make().holders.have([status(1)], { first: 0, last: 900 })).toBe(true);
});

it("it is looked again soon, said once after a minute, and said when they go", () => {
  const world = make();
  const { time, holders, lines } = world;
  for (let second = 0; second < 120; second += 1) {
    expect(holders.have([], DUE)).toBe(false);
    expect(holders.have([], DUE)).toBe(false);
    expect(time.pending).toBe(1);
    time.advance(1_000);
    expect(world.looks).toBe(second + 1);
    if (second < 59) expect(lines).toEqual([]);
  }
  expect(lines).toEqual(["Old blocks are not dropped: no connected node has them, and they could not be fetched again"]);
  expect(holders.have([status(1)], DUE)).toBe(true);
  expect(lines.slice(1)).toEqual(["A connected node has the oldest blocks: they are dropped here"]);
  expect([holders.isWaiting, time.pending]).toEqual([false, 0]);
});

it("nothing is said where a node comes at once, nor looked for once nothing is to go or the node stops", () => {
  const { time, holders, lines } = make();
  holders.have([], DUE);
  holders.rest();
  expect([holders.isWaiting, time.pending]).toEqual([false, 0]);
  holders.have([], DUE);
  holders.stop();
  holders.have([], DUE);
  expect([time.pending, lines]).toEqual([0, []]);
});

it("is not said to wait while a node is asked", () => {
  const world = make();
  world.holders.have([], DUE);
  world.isAsking = true;
  expect(world.holders.isWaiting).toBe(false);
});
