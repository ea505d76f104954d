import { describe, expect, it } from "vitest";
import { StatusExchange } from "#node/network/traffic/status-exchange.ts";

type Dependencies = ConstructorParameters<typeof StatusExchange>[0];

/** An exchange whose chain counts how often it is read. */
function countingExchange(): { readonly exchange: StatusExchange; readonly reads: () => number } {
  let reads = 0;
  let nowMs = 0;
  const dependencies = {
    chainId: "test-chain",
    genesisHash: "00".repeat(32),
    ownStatus: () => {
      reads += 1;
      return { height: 1, tipHash: "00".repeat(32), firstHeight: 0 };
    },
    // Every look at it is a minute later: nothing waits to be published.
    clock: {
      monotonicMs: () => {
        nowMs += 60_000;
        return nowMs;
      },
    },
    connectionTo: () => undefined,
  } as unknown as Dependencies;
  return { exchange: new StatusExchange(dependencies), reads: () => reads };
}

describe("a node's status", () => {
  it("is read when it is published, and no more once the exchange has ended", () => {
    const { exchange, reads } = countingExchange();
    exchange.publish();
    expect(reads()).toBe(1);
    exchange.close();
    exchange.publish();
    exchange.greet("peer" as Parameters<StatusExchange["greet"]>[0]);
    exchange.maintain();
    expect(reads()).toBe(1);
  });
});
