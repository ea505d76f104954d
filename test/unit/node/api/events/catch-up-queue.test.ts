// Readers that catch up: one chunk at a time, in turn, with rests for all but the owner's programs.
import { describe, expect, it } from "vitest";
import { CatchUpQueue } from "#node/api/events/catch-up-queue.ts";
import type { Reader } from "#node/api/security/client-address.ts";
import type { EventChunk } from "#node/queries/chain-events.ts";
import { utf8 } from "#shared/util/bytes.ts";

const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/** A queue whose reads end and whose rests pass when the test says so. */
class World {
  readonly reads: string[] = [];
  readonly got: string[] = [];
  /** Rests that were begun, ms. */
  readonly rests: number[] = [];
  nowMs = 0;
  #endRead: (chunk: EventChunk | undefined) => void = () => undefined;
  #failRead: (error: unknown) => void = () => undefined;
  #endRest: (() => void) | undefined;
  readonly queue = new CatchUpQueue({
    read: ({ height }, { address }): Promise<EventChunk | undefined> =>
      new Promise((resolve, reject) => {
        this.reads.push(`${address}:${height}`);
        this.#endRead = resolve;
        this.#failRead = reject;
      }),
    clock: { monotonicMs: (): number => this.nowMs },
    timers: {
      setTimer: (delayMs, callback): (() => undefined) => {
        this.rests.push(delayMs);
        this.#endRest = callback;
        return () => undefined;
      },
    },
  });

  ask(address: string, height: number, isOwn = false): void {
    const reader: Reader = { address, isOwn };
    void this.queue.next(reader, { height, skip: 0 }).then(
      (chunk) => this.got.push(`${address}:${chunk?.next ?? "none"}`),
      (error: Error) => this.got.push(`${address}:${error.message}`),
    );
  }

  async endRead(tookMs = 0, isThere = true): Promise<void> {
    this.nowMs += tookMs;
    const height = Number(this.reads.at(-1)?.split(":")[1]);
    this.#endRead(isThere ? { bytes: utf8("x"), next: height + 1 } : undefined);
    await settled();
  }

  async failRead(): Promise<void> {
    this.#failRead(new Error("disk"));
    await settled();
  }

  async endRest(): Promise<void> {
    this.#endRest?.();
    await settled();
  }
}

describe("readers that catch up", () => {
  it("are served one at a time, an address after the other, with a rest after each", async () => {
    const world = new World();
    for (const [address, height] of [
      ["a", 1],
      ["a", 2],
      ["b", 3],
    ] as const)
      world.ask(address, height);
    expect(world.reads).toEqual(["a:1"]);
    await world.endRead(10);
    expect([world.reads, world.got, world.rests]).toEqual([["a:1"], ["a:2"], [30.5]]);
    await world.endRest();
    await world.endRead();
    await world.endRest();
    expect(world.reads).toEqual(["a:1", "a:2", "b:3"]);
  });

  it("of the owner's programs wait for no rest and come first", async () => {
    const world = new World();
    world.ask("a", 1);
    world.ask("a", 2);
    await world.endRead(10);
    world.ask("own", 5, true);
    expect(world.reads).toEqual(["a:1", "own:5"]);
    await world.endRead(10);
    world.ask("own", 6, true);
    await world.endRead(10);
    expect([world.reads, world.rests]).toEqual([["a:1", "own:5", "own:6"], [30.5]]);
    await world.endRest();
    expect(world.reads.at(-1)).toBe("a:2");
  });

  it("share what was read for one of them", async () => {
    const world = new World();
    for (const address of ["a", "b", "c"]) world.ask(address, 7);
    world.ask("d", 8);
    await world.endRead(2);
    expect([world.got.toSorted(), world.rests]).toEqual([["a:8", "b:8", "c:8"], [7.5]]);
    await world.endRest();
    expect(world.reads).toEqual(["a:7", "d:8"]);
  });

  it("continue when a read fails, or finds nothing", async () => {
    const world = new World();
    world.ask("a", 1);
    world.ask("b", 2);
    await world.failRead();
    await world.endRead(0, false);
    expect(world.got).toEqual(["a:disk", "b:none"]);
  });
});
