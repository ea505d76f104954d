import { QueryClient, QueryObserver } from "@tanstack/react-query";
import { describe, expect, it } from "vitest";
import { followChain } from "#renderer/lib/node/live-updates.ts";
import { queryKeys } from "#renderer/lib/node/query-keys.ts";
import type { PushFrame } from "#shared/api/socket/frames.ts";
import type { LiveState } from "#shared/api/socket/websocket-client.ts";
import { pollUntil } from "../../../support/host/poll-until.ts";

class FakeLive {
  readonly topics = new Map<string, (frame: PushFrame) => void>();
  readonly states = new Set<(state: LiveState) => void>();

  subscribe(topic: string, listener: (frame: never) => void): () => void {
    this.topics.set(topic, listener as (frame: PushFrame) => void);
    return (): boolean => this.topics.delete(topic);
  }

  onState(listener: (state: LiveState) => void): () => void {
    this.states.add(listener);
    return (): boolean => this.states.delete(listener);
  }
}

const block = (index: number): PushFrame<"block"> => ({
  type: "block",
  topic: "blocks",
  index,
  hash: `hash-${index}`,
  time: "2026-01-01T00:00:00Z",
  validator: "pl1",
  tx_count: 1,
  total_fees_ut: 1000,
});

const payment: PushFrame<"tx"> = {
  type: "tx",
  topic: "txs",
  id: "tx1",
  tx_type: "TRANSFER",
  from: "aa",
  to: "bb",
  amount_ut: 1,
  fee_ut: 1000,
  gas_fee_ut: 0,
  block: 8,
  block_hash: "hash-8",
  time: "2026-01-01T00:00:00Z",
  status: "ok",
};

/** A query that counts how often it is asked. */
function watch(queries: QueryClient, queryKey: readonly unknown[]): { asked: number } {
  const count = { asked: 0 };
  new QueryObserver(queries, {
    queryKey,
    queryFn: () => {
      count.asked += 1;
      return count.asked;
    },
    staleTime: Number.POSITIVE_INFINITY,
  }).subscribe(() => undefined);
  return count;
}

function world(): { live: FakeLive; queries: QueryClient; stop: () => void } {
  const live = new FakeLive();
  const queries = new QueryClient();
  return { live, queries, stop: followChain(live, queries) };
}

describe("followChain", () => {
  it("moves the height at once and never back", () => {
    const { live, queries, stop } = world();
    queries.setQueryData(queryKeys.status, { sync: { height: 7, target_height: 7, tip_time: "", state: "live" } });
    live.topics.get("blocks")?.(block(9));
    live.topics.get("blocks")?.(block(8));
    expect(queries.getQueryData(queryKeys.status)).toMatchObject({ sync: { height: 9, target_height: 9 } });
    stop();
  });

  it("puts a new block in front of the list, once", () => {
    const { live, queries, stop } = world();
    queries.setQueryData(queryKeys.blockList, [{ index: 7 }]);
    for (const index of [8, 9, 8]) live.topics.get("blocks")?.(block(index));
    expect(queries.getQueryData<{ index: number }[]>(queryKeys.blockList)?.map(({ index }) => index)).toEqual([9, 8, 7]);
    stop();
  });

  it("asks again when a push overtakes a response that is on its way", async () => {
    const { live, queries, stop } = world();
    const answers: (() => void)[] = [];
    new QueryObserver(queries, {
      queryKey: queryKeys.blockList,
      queryFn: () => new Promise((resolve) => answers.push(() => resolve([{ index: answers.length + 6 }]))),
    }).subscribe(() => undefined);
    await pollUntil(() => answers.length === 1);
    live.topics.get("blocks")?.(block(8));
    await pollUntil(() => answers.length === 2);
    for (const answer of answers) answer();
    await pollUntil(() => queries.getQueryData<{ index: number }[]>(queryKeys.blockList)?.[0]?.index === 8);
    stop();
    queries.clear();
  });

  it("asks again for both accounts of a transaction and for no other", async () => {
    const { live, queries, stop } = world();
    const [sender, recipient, stranger] = ["aa", "bb", "cc"].map((key) => watch(queries, queryKeys.accountBalance(key)));
    await pollUntil(() => sender?.asked === 1 && recipient?.asked === 1 && stranger?.asked === 1);
    live.topics.get("txs")?.(payment);
    await pollUntil(() => sender?.asked === 2 && recipient?.asked === 2);
    expect(stranger?.asked).toBe(1);
    stop();
    queries.clear();
  });

  it("asks again for the lists of names that contain a person who publishes keys, and for no other", async () => {
    const { live, queries, stop } = world();
    const asked = [0, 0];
    [`aa Anna\nbb `, "bb Ben"].forEach((text, index) => {
      new QueryObserver(queries, {
        queryKey: queryKeys.names([String(index)]),
        queryFn: () => {
          asked[index] = (asked[index] ?? 0) + 1;
          return text;
        },
        staleTime: Number.POSITIVE_INFINITY,
      }).subscribe(() => undefined);
    });
    await pollUntil(() => asked.every((count) => count === 1));
    live.topics.get("txs")?.(payment);
    live.topics.get("txs")?.({ ...payment, tx_type: "REGISTER_KEY", to: "" });
    await pollUntil(() => asked[0] === 2);
    expect(asked).toEqual([2, 1]);
    stop();
    queries.clear();
  });

  it("asks again for everything after the connection was away, not after the first one", async () => {
    const { live, queries, stop } = world();
    const status = watch(queries, queryKeys.status);
    await pollUntil(() => status.asked === 1);
    const validators = watch(queries, queryKeys.validators);
    await pollUntil(() => validators.asked === 1);
    for (const listener of live.states) listener("open");
    expect(status.asked).toBe(1);
    // While it is away one request looks whether the node is, however often the connection fails.
    for (const state of ["connecting", "connecting"] as const) for (const listener of live.states) listener(state);
    await pollUntil(() => status.asked === 2);
    expect(validators.asked).toBe(1);
    for (const listener of live.states) listener("open");
    await pollUntil(() => status.asked === 3 && validators.asked === 2);
    stop();
    queries.clear();
  });

  it("leaves no subscription behind", () => {
    const { live, stop } = world();
    stop();
    expect([live.topics.size, live.states.size]).toEqual([0, 0]);
  });
});
