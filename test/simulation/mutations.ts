// Bugs to be planted, as replacements in source text: the simulation must find each. A text that no longer stands in its file, or
// stands there twice, fails the test, so that no mutation goes stale.

import type { Mutation } from "#test/support/host/mutation.ts";

/** One bug. */
export interface SimulatedMutation extends Mutation {
  /** Words of the violation that finds it. */
  readonly foundBy: RegExp;
  /** Options of the run in which it shows. */
  readonly options?: readonly string[];
}

const CHECKED_MAIL = ["--mail", "--part", "check"];

/** Bugs by name. */
export const MUTATIONS: Readonly<Record<string, SimulatedMutation>> = {
  "no lock on a new value": {
    file: "node/consensus/rules.ts",
    from: "isValid && isTimely && (state.lockedRound === -1 || state.lockedHash === proposal.blockHash)",
    to: "isValid && isTimely",
    foundBy: /fork|two blocks at height|more than two thirds|double signing|is rejected by node/iu,
    options: ["--validators", "4", "--seed", "1060"],
  },
  "no sign guard": {
    file: "node/engine/log/sign-guard.ts",
    from: "this.#last = bytes === undefined ? undefined : decodeGuard(bytes, chainId, signer.publicKey);",
    to: "this.#last = bytes === undefined ? undefined : void decodeGuard(bytes, chainId, signer.publicKey);",
    foundBy: /double signing|its sign guard does not know/u,
  },
  "sign guard not on disk before messages leave": {
    file: "node/engine/voting/consensus-driver.ts",
    from: "this.#dependencies.voting?.guard.flush();",
    to: "",
    foundBy: /double signing|its sign guard does not know/u,
  },
  "log not read after a crash": {
    file: "node/engine/consensus-engine.ts",
    from: "this.#driver.start(records);",
    to: "this.#driver.start([]);",
    foundBy: /double signing|not settled|two blocks|more than two thirds/iu,
  },
  "quorum off by one": {
    file: "shared/protocol/chain/validators.ts",
    from: "return 3 * count > 2 * size;",
    to: "return 3 * (count + 1) > 2 * size;",
    foundBy: /fork|two blocks at height|more than two thirds/iu,
    options: ["--validators", "4"],
  },
  "seen texts outside the transaction of a block": {
    file: "test/simulation/simulated-node.ts",
    from: "      this.chain.storeBlocks(batch);\n",
    to: '      this.chain.storeBlocks(batch);\n    }, "block commit");\n    this.disk.operation(() => {\n',
    foundBy: /committed twice|committed text is pending/u,
    options: ["--seed", "80"],
  },
  "commits of others believed": {
    file: "node/engine/voting/message-admission.ts",
    from: "!isRound(commit.round) || !verifyCommit(chainId, validators, commit, verify)",
    to: "!isRound(commit.round)",
    foundBy: /fork|bad commit|two blocks|unknown text|more than two thirds|not proven/iu,
    options: ["--validators", "4"],
  },
  "votes of others believed": {
    file: "node/engine/voting/message-admission.ts",
    from: "return validator !== undefined && verify(vote.signature, voteSignBytes(chainId, vote), fromHex(validator.publicKey));",
    to: "return validator !== undefined;",
    foundBy: /fork|bad commit|evidence against honest|two blocks|does not verify|more than two thirds|not proven/iu,
    options: ["--validators", "4"],
  },
  "certificates may name a signer twice": {
    file: "node/consensus/votes.ts",
    from: "return isUniform && signers.size === votes.length && isQuorum(votes.length, size);",
    to: "return isUniform && isQuorum(votes.length, size);",
    foundBy: /fork|bad commit|two blocks|more than two thirds|invariant|not proven/iu,
    options: ["--validators", "4"],
  },
  "votes not sent again": {
    file: "node/consensus/timeouts.ts",
    from: '      if (vote != null) emit(transition, { type: "broadcast", message: { type: "vote", vote } });',
    to: "",
    foundBy: /not settled/u,
  },
  "any time believed": {
    file: "node/engine/voting/proposal-time.ts",
    from: "blockTimeMs <= nowMs + CLOCK_PRECISION_MS",
    to: "blockTimeMs <= nowMs + 86_400_000",
    foundBy: /from the future/u,
    options: ["--validators", "4"],
  },
  "blocks reported before they are durable": {
    file: "node/engine/voting/consensus-driver.ts",
    from: "    this.#isStoring = true;\n",
    to: "    this.#isStoring = true;\n    for (const decided of batch) this.#dependencies.onCommitted(decided);\n",
    foundBy: /reported before it was durable/u,
  },
  "mailbox held for ever after a batch": {
    file: "node/engine/consensus-engine.ts",
    from: "if (this.#driver?.isStoring !== true) this.#mailbox.release();",
    to: "",
    foundBy: /not settled/u,
  },
  "mailbox open while blocks are stored": {
    file: "node/engine/consensus-engine.ts",
    from: "    this.#mailbox.hold();",
    to: "",
    foundBy: /not proven|reported before|two blocks|more than two thirds|not settled/iu,
  },
  "more of a batch committed than is proven": {
    file: "node/engine/consensus-engine.ts",
    from: "const proven = fresh.slice(0, sets.length);",
    to: "const proven = fresh.length > sets.length ? fresh.slice(0, sets.length + 1) : fresh;",
    foundBy: /not proven/u,
  },
  "a lost memory does not matter": {
    file: "node/engine/voting/lost-memory.ts",
    from: "return blockTimeMs > startMs + MARGIN_MS && blockTimeMs <= nowMs + MARGIN_MS;",
    to: "return blockTimeMs <= nowMs + MARGIN_MS + startMs;",
    foundBy: /double signing|evidence against honest/u,
  },
  "votes held back for ever": {
    file: "node/engine/voting/consensus-driver.ts",
    from: 'if (!isObsolete({ type: "sign", message }, this.#state)) this.#sign(message);',
    to: "if (this.#state.height < 0) this.#sign(message);",
    foundBy: /not settled/u,
  },
  "two keepers of one network": {
    file: "shared/protocol/keepers/directory.ts",
    from: "if (taken.has(network) || taken.has(wallet)) continue;",
    to: "",
    foundBy: /Ranks share networks or wallets/u,
    options: CHECKED_MAIL,
  },
  "keepers that stay in without heartbeats": {
    file: "shared/protocol/keepers/keeper-standing.ts",
    from: "return timeS - lastHeartbeatS >= absenceS;",
    to: "return timeS < lastHeartbeatS + 0 * absenceS;",
    foundBy: /A keeper has been silent for/u,
    options: CHECKED_MAIL,
  },
  "mail that no next rank gets": {
    file: "node/relay/keepers/delivery/delivery.ts",
    from: "...free.slice(0, Math.max(0, missing))",
    to: "...free.filter((keeper) => ranks.indexOf(keeper) < delivery.keeping).slice(0, Math.max(0, missing))",
    foundBy: /have the mail, and/u,
    options: CHECKED_MAIL,
  },
  "droppers whose receipts count on": {
    file: "node/relay/keepers/doubts/doubted-keepers.ts",
    from: "nowMs - doubt.atMs >= limits.doubtMs",
    to: "nowMs - doubt.atMs >= 0 * limits.doubtMs",
    foundBy: /Owners who test keepers lose/u,
    options: CHECKED_MAIL,
  },
  "keepers that do not repair": {
    file: "node/relay/keepers/repair/repair-plan.ts",
    from: "if (before.length < KEEPER_RULES.keeping) return true;",
    to: "if (before.length < KEEPER_RULES.keeping) return false;",
    foundBy: /ranks have mail after repair/u,
    options: CHECKED_MAIL,
  },
  "next ranks that do not step in": {
    file: "node/relay/keepers/repair/repair-plan.ts",
    from: "return before.filter(isReached).length < LEAST_LIVE;",
    to: "return before.filter(isReached).length < LEAST_LIVE - 1;",
    foundBy: /ranks have mail after repair/u,
    options: CHECKED_MAIL,
  },
  "floods that displace others": {
    file: "node/relay/mailbox-room.ts",
    from: "sources.bytesOf(largest) <= sources.bytesOf(party) + bytes",
    to: "sources.bytesOf(largest) >= sources.bytesOf(party) + bytes",
    foundBy: /A flood takes/u,
    options: CHECKED_MAIL,
  },
};
