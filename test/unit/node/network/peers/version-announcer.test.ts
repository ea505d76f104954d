// When a node announces its version, by a clock that the test moves.
import { beforeEach, describe, expect, it } from "vitest";
import { NETWORK_LIMITS } from "#node/network/network-limits.ts";
import { VersionAnnouncer } from "#node/network/peers/version-announcer.ts";

const PAUSE_SEC = NETWORK_LIMITS.versionPauseMs / 1_000;
const START_SEC = 1_800_000_000;

let nowSec: number;
let reached: string[];
let published: number[];
let announcer: VersionAnnouncer;

beforeEach(() => {
  nowSec = START_SEC;
  reached = [];
  published = [];
  announcer = new VersionAnnouncer({
    clock: { nowMs: () => nowSec * 1_000 },
    reached: () => reached,
    publish: (atSec) => published.push(atSec),
  });
});

/** Lets seconds pass, with upkeep in each. */
function pass(seconds: number): void {
  for (let second = 0; second < seconds; second += 1) {
    nowSec += 1;
    announcer.maintain();
  }
}

describe("an announcement", () => {
  it("waits until gossip reaches the peer that was met", () => {
    announcer.noteMet("a");
    pass(3);
    expect(published).toEqual([]);
    reached = ["a"];
    pass(1);
    expect(published).toEqual([START_SEC + 4]);
    pass(10 * PAUSE_SEC);
    expect(published).toHaveLength(1);
  });

  it("comes again for a peer that was not reached by the one before, after a pause", () => {
    reached = ["a"];
    for (const peer of ["a", "b"]) announcer.noteMet(peer);
    pass(1);
    reached = ["a", "b"];
    pass(PAUSE_SEC);
    expect(published).toEqual([START_SEC + 1]);
    pass(1);
    expect(published).toEqual([START_SEC + 1, START_SEC + 2 + PAUSE_SEC]);
    pass(10 * PAUSE_SEC);
    expect(published).toHaveLength(2);
  });

  it("comes once for a peer that gossip never reaches: others pass it on", () => {
    reached = ["relay"];
    announcer.noteMet("relayed");
    pass(10 * PAUSE_SEC);
    expect(published).toHaveLength(1);
  });

  it("is one for many peers, and none for a peer that went before it was reached", () => {
    reached = ["a"];
    announcer.noteMet("a");
    pass(1);
    for (const peer of ["b", "c", "d"]) announcer.noteMet(peer);
    announcer.noteGone("d");
    pass(PAUSE_SEC + 1);
    expect(published).toHaveLength(2);
    reached = ["a", "d"];
    pass(10 * PAUSE_SEC);
    expect(published).toHaveLength(2);
  });

  it("comes after a change, and is later than the one before whatever the clock says", () => {
    reached = ["a"];
    announcer.announce();
    announcer.announce();
    nowSec -= 100;
    announcer.announce();
    expect(published).toEqual([START_SEC, START_SEC + 1, START_SEC + 2]);
    nowSec += 200;
    announcer.noteChange();
    announcer.maintain();
    expect(published).toEqual([START_SEC, START_SEC + 1, START_SEC + 2, START_SEC + 100]);
  });
});
