// What a key did as a node, as the view of validators shows it.
import { renderToStaticMarkup } from "react-dom/server";
import { expect, it } from "vitest";
import { NodeFiguresList } from "#renderer/features/node/validator/node-figures-list.tsx";
import { en } from "#renderer/lib/messages/en.ts";
import { MessagesProvider } from "#renderer/lib/messages/messages-context.tsx";
import type { NodeStats } from "#shared/api/schemas/nodes.ts";

const STATS: NodeStats = {
  pub_key: "0a".repeat(32),
  address: "pl1a",
  node_balance_ut: 0,
  node_balance: "0 T",
  wallet_binding_address: "",
  wallet_binding_balance_ut: 0,
  reputation_score: 45_000,
  reputation_rank: "Validator",
  blocks_produced: 9_000,
  relay_proofs: 0,
  slash_count: 0,
  heartbeats: 0,
  recent_window_blocks: 200,
  recent_blocks_produced: 3,
  recent_rewards_ut: 0,
  recent_rewards: "0 T",
};

function textOf(stats: NodeStats): string {
  const list = (
    <MessagesProvider locale="en" catalogue={en}>
      <NodeFiguresList stats={stats} />
    </MessagesProvider>
  );
  return renderToStaticMarkup(list).replaceAll(/<[^>]+>/g, " ");
}

it("shows since when blocks are proven, where the state does not count all of them", () => {
  expect(textOf({ ...STATS, counted_blocks: { blocks: 6_000, since_height: 40_000 } })).toContain("6,000 since block 40,000");
  for (const stats of [STATS, { ...STATS, counted_blocks: { blocks: 9_000, since_height: 1 } }]) {
    expect(textOf(stats)).toContain("9,000");
    expect(textOf(stats)).not.toContain("since block");
  }
  expect(textOf({ ...STATS, from_height: 30_000 })).toContain("9,000 since block 30,000");
});

it("names rank and score in words", () => {
  expect(textOf(STATS)).toContain("Validator, 45,000 points");
  expect(textOf({ ...STATS, reputation_rank: "Observer", reputation_score: 1 })).toContain("Observer, 1 point ");
});
