import { randomBytes } from "node:crypto";
import { describe, expect, it } from "vitest";
import { maintainRelayRegistration, type RelayRegistrationOptions } from "#node/duties/relay-registration.ts";
import { writeRelay } from "#node/ledger/records/node-records.ts";
import type { Log } from "#node/observability/log.ts";
import type { OverlayStateView } from "#node/state/overlay-state-view.ts";
import { CodedError } from "#shared/errors/coded-error.ts";
import { decodePayload } from "#shared/protocol/transactions/payload.ts";
import type { Transaction } from "#shared/protocol/transactions/transaction.ts";
import { type Actor, actor, alice, CHAIN_ID, deviceKey, genesisState, START_MS } from "#test/support/worlds/ledger-world.ts";

const RELAY_PUB = deviceKey(40);

class World {
  readonly state: OverlayStateView = genesisState();
  readonly submitted: Transaction[] = [];
  readonly pending = new Set<string>();
  readonly warnings: string[] = [];
  readonly #listeners = new Set<() => void>();
  refusal: CodedError | undefined;

  start(node: Actor = alice, change: Partial<RelayRegistrationOptions> = {}): () => void {
    const log: Log = {
      debug: () => undefined,
      info: () => undefined,
      warn: (_fields, message) => void this.warnings.push(message),
      error: () => undefined,
      child: () => log,
    };
    return maintainRelayRegistration({
      chainId: CHAIN_ID,
      key: { kind: "ed25519", publicKey: node.pub, secret: node.seed },
      relayPub: RELAY_PUB,
      feePerMessageUt: 500,
      state: this.state,
      submit: async (tx) => {
        this.submitted.push(tx);
        if (this.refusal !== undefined) throw this.refusal;
        this.pending.add(tx.id);
      },
      isPending: (id) => this.pending.has(id),
      onCommit: (listener) => {
        this.#listeners.add(listener);
        return (): void => void this.#listeners.delete(listener);
      },
      clock: { nowMs: () => START_MS, monotonicMs: () => 0 },
      random: (length): Uint8Array => new Uint8Array(randomBytes(length)),
      log,
      ...change,
    });
  }

  get isListening(): boolean {
    return this.#listeners.size > 0;
  }

  async commit(): Promise<void> {
    for (const listener of [...this.#listeners]) listener();
    await Promise.resolve();
  }

  register(node: Actor, feePerMessageUt: number, multiaddr = ""): void {
    writeRelay(this.state, { publicKey: node.pub, x25519Pub: RELAY_PUB, feePerMessageUt, multiaddr });
  }
}

describe("a relay with a fee", () => {
  it("is announced once, and no more once the chain says so", async () => {
    const world = new World();
    world.start();
    await world.commit();
    expect(world.submitted).toHaveLength(1);
    expect(world.submitted[0]).toMatchObject({ type: "REGISTER_RELAY", from: alice.pub, fee: 1_000 });
    expect(decodePayload(world.submitted[0]?.payload ?? "")).toEqual({ x25519_pub_key: RELAY_PUB, fee_per_msg_ut: 500 });
    world.register(alice, 500);
    world.pending.clear();
    await world.commit();
    expect({ count: world.submitted.length, isListening: world.isListening }).toEqual({ count: 1, isListening: false });
  });

  it("is not announced again after a restart, but with another fee it is, at the same address", () => {
    const world = new World();
    world.register(alice, 500, "/ip4/192.0.2.7/tcp/4001");
    world.start();
    expect({ count: world.submitted.length, isListening: world.isListening }).toEqual({ count: 0, isListening: false });
    world.start(alice, { feePerMessageUt: 0 });
    expect(decodePayload(world.submitted[0]?.payload ?? "")).toEqual({
      x25519_pub_key: RELAY_PUB,
      fee_per_msg_ut: 0,
      multiaddr: "/ip4/192.0.2.7/tcp/4001",
    });
  });

  it("waits for the account of the node to be paid, and says so once", async () => {
    const world = new World();
    const poor = actor(77);
    world.start(poor);
    await world.commit();
    await world.commit();
    expect(world.warnings).toEqual([
      expect.stringMatching(/^The relay is not announced yet: pay at least 0\.001 T to pl1\w+, the account of this node$/),
    ]);
    expect(world.submitted).toEqual([]);
    world.state.set("account", Buffer.from(poor.pub, "hex"), world.state.get("account", Buffer.from(alice.pub, "hex")) ?? new Uint8Array());
    await world.commit();
    expect(world.submitted).toHaveLength(1);
  });

  it("is tried again after the next block when it was refused or lost", async () => {
    const world = new World();
    world.refusal = new CodedError("MEMPOOL_FULL", "full");
    world.start();
    await Promise.resolve();
    await world.commit();
    await world.commit();
    expect(world.submitted).toHaveLength(3);
    expect(world.warnings).toEqual([expect.stringContaining("tried again after the next block")]);
    world.refusal = undefined;
    await world.commit();
    await world.commit();
    expect(world.submitted).toHaveLength(4);
  });

  it("is left alone once the node stops", async () => {
    const world = new World();
    world.refusal = new CodedError("MEMPOOL_FULL", "full");
    const stop = world.start();
    stop();
    await world.commit();
    expect(world.submitted).toHaveLength(1);
  });
});
