import { mutantsOf } from "../mutant.ts";

const CHAIN = ["node/light/chain", "node/light/forks.test.ts", "node/light/checkpoint-start.test.ts"];

/** Light nodes: what is trusted, and from where. */
export const LIGHT = [
  ...mutantsOf("node/light/chain/trusted-chain.ts", CHAIN, [
    ["checkpoint.height >= Math.max(fork", "checkpoint.height >= Math.min(fork"],
    ["|| formatCheckpoint(checkpoint) === fork.checkpoint", ""],
    ["if (fork !== undefined) this.#tip = genesis;", ""],
    ["if (block.hash === checkpoint.hash) return;", "if (block.hash !== checkpoint.hash) return;"],
    ["    this.#witnesses.stop();\n    log.error", "    log.error"],
  ]),
  ...mutantsOf("node/light/chain/verify-light-block.ts", CHAIN, [
    ["header.timeMs + trustingPeriodMs <= nowMs", "header.timeMs + trustingPeriodMs < nowMs"],
    ["header.timeMs <= trusted.header.timeMs", "header.timeMs < trusted.header.timeMs"],
    ['if (!verifyCommit(rules.chainId, validators, commit, rules.verify)) return invalid("the commit does not verify");', ""],
    ["before.publicKey < publicKey", "before.publicKey <= publicKey"],
    ['if (header.chainId !== chainId) return { reason: "it belongs to another chain" };', ""],
    ["isNext && header.validatorsHash === trusted.header.nextValidatorsHash", "isNext"],
  ]),
  ...mutantsOf("node/light/chain/verify-skipping.ts", CHAIN, [
    ["steps > MOST_STEPS", "steps > 10 * MOST_STEPS"],
    ["if (between.header.height !== height)", "if (between.header.height > next.header.height)"],
  ]),
  ...mutantsOf("node/light/chain/height-claims.ts", CHAIN, [
    ["nowMs - claim.sinceMs < STALL_MS &&", ""],
    ["known.height <= tip ?", "known.height < height ?"],
  ]),
  ...mutantsOf("node/light/chain/witnesses.ts", CHAIN, [
    ["peer.name !== source &&", ""],
    ["this.#turn % able.length", "0"],
    ["&& source !== peer,", ","],
  ]),
  ...mutantsOf(
    "node/light/peers/check-responses.ts",
    ["node/light/peers", "node/light/proofs"],
    [
      ["if (records.length !== keys.length) return", "if (records.length < keys.length) return"],
      ["if (count !== txCount) return", "if (false) return"],
    ],
  ),
];
