// What a page of the feed says of changes: all of them, or that the state has to be copied again.
import { expect, it } from "vitest";
import { CHANGED_BYTES, FedChanges } from "#node/storage/chain/feed/state-feed.ts";

/** A chain in which block n changed the records below n, each of which is so long by now. */
function chainOf(valueBytes: number): ConstructorParameters<typeof FedChanges>[0] {
  const value = new Uint8Array(valueBytes);
  return {
    undo: {
      changesBack: (height: number) =>
        Array.from({ length: height }, (_, n) => ({ namespace: "contract_state", key: Uint8Array.of(n), value: undefined })),
    },
    state: { get: () => value },
  } as unknown as ConstructorParameters<typeof FedChanges>[0];
}

it("lists each changed record once, as it is now", () => {
  const changes = new FedChanges(chainOf(10));
  expect([changes.add(2), changes.add(3)]).toEqual([22, 11]);
  expect(changes.all).toHaveLength(3);
});

it("gives up where later blocks made what an early one touched too long for a page", () => {
  const changes = new FedChanges(chainOf(CHANGED_BYTES / 4));
  changes.add(3);
  expect(changes.all).toHaveLength(3);
  changes.add(4);
  expect(changes.all).toBeNull();
  // What comes later changes nothing of that, and reads nothing.
  expect(changes.add(1)).toBe(0);
  expect(changes.all).toBeNull();
});
