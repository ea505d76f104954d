import { mutantsOf } from "./mutant.ts";

const GUARD = ["node/engine/log/sign-guard.test.ts"];
const ENGINE = ["node/engine/consensus-engine.test.ts", "node/engine/following.test.ts"];

/** The engine: what is signed, logged, replayed and admitted. */
export const ENGINE_MUTANTS = [
  ...mutantsOf(
    "node/engine/log/replay.ts",
    ["node/engine/log/replay.test.ts"],
    [
      ['input.type === "blockValidated" && input.blockHash === effect.blockHash', 'input.type === "blockValidated"'],
      ["roundOfMessage(effect) !== state.round", "roundOfMessage(effect) === state.round"],
    ],
  ),
  ...mutantsOf(
    "node/engine/log/write-ahead-log.ts",
    ["node/engine/log/write-ahead-log.test.ts"],
    [
      ["  file.sync();\n  return { log: new", "  return { log: new"],
      ["frame.durableLength > damagedOffset", "frame.durableLength >= view.length"],
      ["this.#format = beginFile(this.#file, this.#createSalt);", "beginFile(this.#file, this.#createSalt);"],
      ["this.#needsSync ||= isSync", "this.#needsSync = isSync"],
      ["if (validLength < bytes.length) file.truncate(validLength);", ""],
    ],
  ),
  ...mutantsOf(
    "node/engine/log/engine-storage.ts",
    ["node/engine/log/engine-storage.test.ts", "node/engine/log/write-ahead-log.test.ts"],
    [
      ["      syncFolder(dirname(path));\n      known", "      known"],
      ["        fsyncSync(file);\n      } finally", "      } finally"],
      ["if (fstatSync(file).size !== length) throw locked(path);", ""],
    ],
  ),
  ...mutantsOf("node/engine/log/sign-guard.ts", GUARD, [
    ["if (order <= 0) return undefined;", "if (order < 0) return undefined;"],
    ["comparePositions(record.position, this.#last.position) <= 0", "comparePositions(record.position, this.#last.position) > 0"],
    ["chainId === ownChainId && publicKey === ownKey", "chainId === ownChainId"],
    [
      "    this.#last = { position, signBytes, signature };\n    this.#isDurable = false;",
      "    this.#last = { position, signBytes, signature };",
    ],
    ["a.height - b.height || a.round - b.round ||", "a.round - b.round || a.height - b.height ||"],
  ]),
  ...mutantsOf("node/engine/voting/message-admission.ts", ENGINE, [
    ["vote.height === context.state.height && isValidVote(vote, context)", "vote.height === context.state.height"],
  ]),
  ...mutantsOf("node/engine/execution/final-block.ts", ENGINE, [["transactionsRoot(transactions, hash) === header.txRoot &&", ""]]),
  ...mutantsOf(
    "node/engine/voting/fork-watch.ts",
    ["node/engine/voting/fork-watch.test.ts"],
    [
      ["if (own.round !== other.round) return [];", ""],
      ["|| other.height === this.#lastHeight", ""],
    ],
  ),
];
