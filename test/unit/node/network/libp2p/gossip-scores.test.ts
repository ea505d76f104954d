// gossipsub's scores of peers that come from one address, with its own arithmetic.
import { PeerScore } from "@libp2p/gossipsub/score";
import { describe, expect, it } from "vitest";
import { createGossipScores } from "#node/network/libp2p/gossip-scores.ts";

const quietLog = (): object => Object.assign(() => undefined, { trace: () => undefined, error: () => undefined });

/** Score of one of forty peers that have done nothing, all of one address. */
function scoreOfOne(address: string, limitsLocal = false): number {
  const params = createGossipScores({ topics: ["tx"], scoreOf: () => 0, limitsLocal });
  const logger = { forComponent: quietLog } as unknown as ConstructorParameters<typeof PeerScore>[2];
  const scores = new PeerScore(params, null, logger, { scoreCacheValidityMs: 0 });
  for (let n = 0; n < 40; n += 1) {
    scores.addPeer(`peer ${n}`);
    scores.addIP(`peer ${n}`, address);
  }
  return scores.score("peer 7");
}

describe("peers of one address", () => {
  it.each([["127.0.0.1"], ["127.9.9.9"], ["172.17.0.1"], ["10.0.0.1"], ["192.168.7.5"], ["fd00::1"], ["::1"], ["::ffff:172.17.0.1"]])(
    "cost each other nothing at %s: behind a proxy all peers have it",
    (address) => {
      expect(scoreOfOne(address)).toBe(0);
      expect(scoreOfOne(address, true), "unless the operator says that they count").toBeLessThan(-80);
    },
  );

  it.each([["8.8.8.8"], ["2600::1"]])("are one party at %s", (address) => {
    expect(scoreOfOne(address)).toBeLessThan(-80);
  });
});
