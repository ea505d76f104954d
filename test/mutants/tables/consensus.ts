import { mutantsOf } from "../mutant.ts";

const CORE = ["node/consensus"];

/** Consensus: votes, rounds, rules. */
export const CONSENSUS = [
  ...mutantsOf("node/consensus/rules.ts", CORE, [
    ['current.hasHandledPolka || state.step === "propose" ||', "current.hasHandledPolka ||"],
    ["state.lockedRound <= proposal.validRound ||", ""],
    ["if (polka?.blockHash !== proposal.blockHash) return false;", ""],
    ["precommits.quorum !== null && precommits.quorum.blockHash !== null", "precommits.quorum !== null"],
    ["if (isValid !== true) return false;", "if (isValid === null) return false;"],
    ["validRound: state.round });", "validRound: state.lockedRound });"],
  ]),
  ...mutantsOf("node/consensus/rounds.ts", CORE, [
    ["(known.round > vote.round ||", "(known.round >= vote.round ||"],
    ["highest[Math.floor(state.validatorCount / 3)]", "highest[Math.ceil(state.validatorCount / 3)]"],
    ["highest.sort((a, b) => b - a)", "highest.sort((a, b) => a - b)"],
    ["return movesWith(known, vote) <= MAX_FUTURE_MOVES;", "return true;"],
    ["entry.round <= round + 1", "entry.round === round + 1"],
  ]),
  ...mutantsOf(
    "shared/protocol/chain/proposers.ts",
    ["shared/protocol/chain/proposers.test.ts"],
    [
      ["if (height % PROPOSER_EPOCH_BLOCKS === 0) this.#demotions.clear();", ""],
      ["    this.#demotions.delete(proposer);\n", ""],
      ["demotion.until <= height", "demotion.until < height"],
      ["Math.min(misses - 1, MOST_DOUBLINGS)", "misses - 1"],
      ["slice(0, mostBehind(validators.length))", "slice()"],
      ["b.misses - a.misses || ", ""],
      ["schedule.decided(block, validators);", ""],
    ],
  ),
  ...mutantsOf(
    "node/engine/inbound/proposal-use.ts",
    ["node/engine/inbound"],
    [
      ["proposersAfter(proposerOf(state.proposers, state.round))", "proposersAfter(proposerOf(state.proposers, 0))"],
      ["validatorIndex === next[0]", "next.includes(validatorIndex)"],
    ],
  ),
  ...mutantsOf(
    "node/engine/voting/message-reception.ts",
    ["node/engine/voting"],
    [["proposersAfter(proposerOf(state.proposers, state.round))", "proposersAfter(proposerOf(state.proposers, 0))"]],
  ),
  ...mutantsOf(
    "node/engine/voting/consensus-driver.ts",
    ["node/engine/voting/hostile-validators.test.ts"],
    [['timeout.kind === "propose" || timeout.kind === "precommit"', 'timeout.kind === "propose"']],
  ),
  ...mutantsOf("node/consensus/votes.ts", CORE, [
    ["vote.validatorIndex < size,", "true,"],
    ["if (conflictsWith !== null) emit", "if (conflictsWith === null) emit"],
    ['if (state.step === "idle") startRound(transition, 0);\n  if (isOwn) emit', "if (isOwn) emit"],
    ["isSync: isOwn });", "isSync: false });"],
  ]),
  ...mutantsOf("node/consensus/vote-set.ts", CORE, [
    ["&& conflicts[index] === null", ""],
    ["if (set.quorum !== null) return set;", ""],
  ]),
  ...mutantsOf("node/consensus/proposals.ts", CORE, [
    ["|| validRound >= round)", "|| validRound > round)"],
    ["if (proposal.round <= transition.state.round) requestValidation", "requestValidation"],
    ["!state.isBuilding ||", ""],
    ["isSync: isOwn });", "isSync: false });"],
  ]),
  ...mutantsOf("node/consensus/timeouts.ts", CORE, [
    ['kind === "prevote" && state.step !== "prevote"', 'kind === "prevote" && state.step === "propose"'],
    ["startRound(transition, round + 1)", "startRound(transition, round)"],
  ]),
];
