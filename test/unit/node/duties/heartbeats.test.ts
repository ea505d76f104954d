import { describe, expect, it } from "vitest";
import { MIN_HEARTBEAT_MS, sendHeartbeats } from "#node/duties/heartbeats.ts";
import { readNodeCounters } from "#node/ledger/records/node-records.ts";
import { CodedError } from "#shared/errors/coded-error.ts";
import { DutyWorld } from "#test/support/worlds/duty-world.ts";
import { type Actor, alice, carol, signed } from "#test/support/worlds/ledger-world.ts";

const MINUTE = 60_000;

function start(world: DutyWorld, node: Actor = alice, intervalMs = 30 * MINUTE): () => void {
  return sendHeartbeats({ ...world.context(node), timers: world.time, intervalMs });
}

/** Commits every minute for a while. */
async function run(world: DutyWorld, minutes: number): Promise<void> {
  for (let minute = 0; minute < minutes; minute += 1) {
    await world.pass(MINUTE);
    world.commit();
  }
}

describe("heartbeats of a node", () => {
  it("begin when it has run for ten minutes, and count once an interval", async () => {
    const world = new DutyWorld();
    start(world);
    await run(world, 9);
    expect(world.submitted).toEqual([]);
    await run(world, 3 * 60 - 9);
    expect(world.submitted.map(({ type, fee }) => [type, fee])).toEqual(Array.from({ length: 6 }, () => ["HEARTBEAT", 1_000]));
    expect(readNodeCounters(world.state, alice.pub).heartbeats).toBe(6);
  });

  it("never come more often than they count, whatever the interval", async () => {
    const world = new DutyWorld();
    start(world, alice, MIN_HEARTBEAT_MS);
    await run(world, 120);
    expect(readNodeCounters(world.state, alice.pub).heartbeats).toBe(world.submitted.length);
    expect(world.submitted.length).toBeGreaterThan(9);
  });

  it("continue after a restart where they ended", async () => {
    const world = new DutyWorld();
    const stop = start(world);
    await run(world, 12);
    stop();
    start(world);
    await run(world, 25);
    expect(world.submitted).toHaveLength(1);
    await run(world, 5);
    expect(world.submitted).toHaveLength(2);
  });

  it("need money: a node without any is silent and begins once it has some", async () => {
    const world = new DutyWorld();
    start(world, carol);
    await run(world, 60);
    expect(world.submitted).toEqual([]);
    const gift = signed(alice, { type: "TRANSFER", to: carol.pub, amount: 10_000, payload: {}, nowMs: world.clock.nowMs() });
    world.pending.set(gift.id, gift);
    await run(world, 3);
    expect(world.submitted.map(({ type, from }) => [type, from])).toEqual([["HEARTBEAT", carol.pub]]);
  });

  it("wait for the one before them, and are tried again when refused", async () => {
    const world = new DutyWorld();
    start(world);
    await world.pass(60 * MINUTE);
    expect(world.submitted).toHaveLength(1);
    world.pending.clear();
    world.refusal = new CodedError("MEMPOOL_FULL", "full");
    await world.pass(3 * MINUTE);
    expect(world.submitted).toHaveLength(4);
  });

  it("end when they are stopped", async () => {
    const world = new DutyWorld();
    start(world)();
    await world.pass(60 * MINUTE);
    expect({ submitted: world.submitted, timers: world.time.pending }).toEqual({ submitted: [], timers: 0 });
  });
});
