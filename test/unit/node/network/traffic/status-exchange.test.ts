import { describe, expect, it } from "vitest";
import { StatusExchange } from "#node/network/traffic/status-exchange.ts";

type Dependencies = ConstructorParameters<typeof StatusExchange>[0];

/** An exchange whose chain counts how often it is read. */
function countingExchange(): { readonly exchange: StatusExchange; readonly reads: () => number } {
  let reads = 0;
  const dependencies = {
    chainId: "test-chain",
    genesisHash: "00".repeat(32),
    ownStatus: () => {
      reads += 1;
      return { firstHeight: 0, height: 1, tipHash: "00".repeat(32), fingerprint: "00".repeat(32) };
    },
    clock: { monotonicMs: () => 1e9, nowMs: () => 1e9 },
    connectionTo: () => undefined,
  } as unknown as Dependencies;
  return { exchange: new StatusExchange(dependencies), reads: () => reads };
}

describe("a node's status", () => {
  it("is read when it is published, and no more once the exchange has ended", () => {
    const { exchange, reads } = countingExchange();
    try {
      exchange.publish();
    } catch {
      // The encoding of a made-up status is not what is tested.
    }
    expect(reads()).toBe(1);
    exchange.close();
    exchange.publish();
    exchange.greet("peer" as Parameters<StatusExchange["greet"]>[0]);
    exchange.maintain();
    expect(reads()).toBe(1);
  });
});
