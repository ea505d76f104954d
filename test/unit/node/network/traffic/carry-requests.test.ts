// Requests to carriers and of carriers to keepers: none waits longer than its signal says, and no peer gets more than it takes.
import { expect, it } from "vitest";
import { NETWORK_LIMITS } from "#node/network/network-limits.ts";
import { CarryRequests, type CarryRequestsDependencies } from "#node/network/traffic/carry-requests.ts";
import { VirtualTime } from "#test/support/host/virtual-time.ts";
import { actor } from "#test/support/worlds/ledger-world.ts";

const TARGET = { key: actor(1).pub, multiaddr: "/ip4/1.1.1.1/tcp/1" };
const NEWS = { type: "news", token: "ab".repeat(16), sealed: new Uint8Array() } as const;

function requestsThat(reach: CarryRequestsDependencies["peers"]["reach"]): { readonly carry: CarryRequests; readonly time: VirtualTime } {
  const time = new VirtualTime();
  const given: Partial<CarryRequestsDependencies> = { names: { carry: "/carry/1" }, handlers: {}, clock: time.clock(0), peers: { reach } };
  return { carry: new CarryRequests(given as CarryRequestsDependencies), time };
}

it("gives up a peer that is dialled for longer than the one who asks waits, and makes room for the next", async () => {
  let dials = 0;
  const { carry } = requestsThat(() => {
    dials += 1;
    return new Promise(() => undefined);
  });
  for (let n = 0; n < NETWORK_LIMITS.carryItems.underWay + 1; n += 1) {
    const giving = new AbortController();
    const asking = carry.request(TARGET, NEWS, giving.signal);
    await new Promise(setImmediate);
    giving.abort();
    await expect(asking).rejects.toMatchObject({ code: "UPSTREAM_FAILED" });
  }
  expect(dials).toBe(NETWORK_LIMITS.carryItems.underWay + 1);
});

it("sends a peer fewer requests than it takes, and has more wait", async () => {
  let sent = 0;
  const { carry, time } = requestsThat(() => {
    sent += 1;
    return Promise.reject(new Error("away"));
  });
  const { party } = NETWORK_LIMITS.carrySending;
  expect([party.perSecond < NETWORK_LIMITS.carry.requests.perSecond, party.burst < NETWORK_LIMITS.carry.requests.burst]).toEqual([
    true,
    true,
  ]);
  const { signal } = new AbortController();
  for (let n = 0; n < party.burst; n += 1) await carry.request(TARGET, NEWS, signal).catch(() => undefined);
  const giving = new AbortController();
  const given = carry.request(TARGET, NEWS, giving.signal);
  const waiting = carry.request(TARGET, NEWS, signal);
  giving.abort();
  await expect(given).rejects.toMatchObject({ code: "UPSTREAM_FAILED" });
  expect(sent).toBe(party.burst);
  time.advance(1_000);
  await expect(waiting).rejects.toThrow("away");
  expect(sent).toBe(party.burst + 1);
});
