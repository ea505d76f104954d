// Readers of several gateways share a node's room: by networks, and by when they read.
import { expect, it } from "vitest";
import { type GatewayReader, GatewayReaders, MAX_GATEWAY_READERS } from "#node/relay/readers/gateway-readers.ts";
import { VirtualTime } from "#test/support/host/virtual-time.ts";

const many = (name: string, count: number, party: string, idleMs = 0): GatewayReader[] =>
  Array.from({ length: count }, (_, n) => ({ box: `${name} ${n}`, party, idleMs }));

function full(...readers: readonly GatewayReader[]): GatewayReaders {
  const gateways = new GatewayReaders(new VirtualTime().clock(0));
  expect(gateways.name(readers)).toEqual({ taken: MAX_GATEWAY_READERS, hasNew: true });
  return gateways;
}

it("takes a reader of a network with fewer for the one of the network with most that read longest ago", () => {
  const half = MAX_GATEWAY_READERS / 2;
  const gateways = full(...many("idle", half, "flood", 5_000), ...many("busy", half - 1, "flood"), { box: "person", party: "home" });
  expect(gateways.name(many("late", 3, "other"))).toEqual({ taken: 3, hasNew: true });
  const left = new Set(gateways.list());
  expect([left.size, left.has("person"), left.has("late 2")]).toEqual([MAX_GATEWAY_READERS, true, true]);
  expect([...left].filter((box) => box.startsWith("idle")).length).toBe(half - 3);
});

it("takes in the same network only who read later, and no place back and forth between networks of a size", () => {
  const half = MAX_GATEWAY_READERS / 2;
  const gateways = full(...many("a", half, "a", 5_000), ...many("b", half, "b", 5_000));
  expect(gateways.name([{ box: "older", party: "a", idleMs: 6_000 }])).toEqual({ taken: 0, hasNew: false });
  expect(gateways.name([{ box: "now", party: "a" }])).toEqual({ taken: 1, hasNew: true });
  // All named again: nothing changes.
  const before = gateways.list().toSorted();
  const round = [...many("b", half, "b", 5_000), ...many("a", half, "a", 5_000)];
  for (let times = 0; times < 2; times += 1) expect(gateways.name(round).hasNew).toBe(false);
  expect(gateways.list().toSorted()).toEqual(before);
});

it("is filled by one network to the last place, and gives each of others its share", () => {
  const gateways = full(...many("flood", MAX_GATEWAY_READERS, "flood"));
  expect(gateways.name(many("more", 1_024, "flood")).taken).toBe(0);
  let taken = 0;
  for (let at = 0; at < 9; at += 1) taken += gateways.name(many(`gateway ${at}`, 1_024, "home")).taken;
  expect(taken).toBe(MAX_GATEWAY_READERS / 2);
});

it("leaves a reader in its network where who asks for its mail names none", () => {
  const flood = many("flood", MAX_GATEWAY_READERS - 1, "flood");
  const gateways = full({ box: "person", party: "home", idleMs: 9_000 }, ...flood);
  expect(gateways.name(flood.map(({ box }) => ({ box }))).taken).toBe(flood.length);
  expect(gateways.name(many("more", 8, "flood")).taken).toBe(0);
  expect(gateways.name(many("late", 8, "other")).taken).toBe(8);
  expect(gateways.has("person")).toBe(true);
});
