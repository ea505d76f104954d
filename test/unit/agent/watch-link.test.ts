// When a linked agent hears that it was unlinked, over a connection and a node that the test plays.
import { describe, expect, it, vi } from "vitest";
import { watchLink } from "#agent/network/watch-link.ts";
import type { LiveState } from "#shared/api/socket/websocket-client.ts";

const account = { masterPub: "aa".repeat(32), devicePub: "bb".repeat(32), address: "" };
const device = { x25519_pub_key: account.devicePub };

type Source = Parameters<typeof watchLink>[0];

/** A node that lists what the test says, and a connection that reports when the test says so. */
class PlayedNode {
  lists: readonly object[] | Error;
  readonly states = new Set<(state: LiveState) => void>();
  readonly frames = new Set<(frame: { readonly tx_type: string }) => void>();
  readonly listDevices = vi.fn((_query: object) =>
    this.lists instanceof Error ? Promise.reject(this.lists) : Promise.resolve({ devices: this.lists }),
  );
  readonly source: Source;

  constructor(state: LiveState, lists: readonly object[] | Error) {
    this.lists = lists;
    const add =
      <Item>(all: Set<Item>) =>
      (item: Item): (() => void) => {
        all.add(item);
        return (): void => void all.delete(item);
      };
    const subscribe = (_topic: string, listener: (frame: { readonly tx_type: string }) => void): (() => void) => add(this.frames)(listener);
    this.source = { client: { listDevices: this.listDevices }, live: { state, onState: add(this.states), subscribe } } as unknown as Source;
  }

  connect(): void {
    for (const listener of [...this.states]) listener("open");
  }

  commit(type: string): void {
    for (const listener of [...this.frames]) listener({ tx_type: type });
  }
}

describe("a linked agent", () => {
  it("goes on while it is listed, and looks again when the devices change", async () => {
    const world = new PlayedNode("open", [device]);
    const onUnlinked = vi.fn();
    watchLink(world.source, account, onUnlinked);
    await vi.waitFor(() => expect(world.listDevices).toHaveBeenCalledTimes(1));
    world.commit("TRANSFER");
    world.commit("UNLINK_DEVICE");
    await vi.waitFor(() => expect(world.listDevices).toHaveBeenCalledTimes(2));
    expect(onUnlinked).not.toHaveBeenCalled();
    world.lists = [{ x25519_pub_key: "cc".repeat(32) }];
    world.commit("UNLINK_DEVICE");
    await vi.waitFor(() => expect(onUnlinked).toHaveBeenCalledTimes(1));
    expect(world.states.size + world.frames.size).toBe(0);
  });

  it("hears of it at the next connection, and ends once", async () => {
    const world = new PlayedNode("connecting", []);
    const onUnlinked = vi.fn();
    watchLink(world.source, account, onUnlinked);
    expect(world.listDevices).not.toHaveBeenCalled();
    world.connect();
    world.connect();
    await vi.waitFor(() => expect(onUnlinked).toHaveBeenCalled());
    await Promise.all(world.listDevices.mock.results.map(({ value }) => value));
    expect(onUnlinked).toHaveBeenCalledTimes(1);
  });

  it("does not end because the node does not answer", async () => {
    const world = new PlayedNode("open", new Error("away"));
    const onUnlinked = vi.fn();
    watchLink(world.source, account, onUnlinked);
    await vi.waitFor(() => expect(world.listDevices).toHaveBeenCalledTimes(1));
    world.lists = [device];
    world.connect();
    await vi.waitFor(() => expect(world.listDevices).toHaveBeenCalledTimes(2));
    expect(onUnlinked).not.toHaveBeenCalled();
  });
});
