import { mutantsOf } from "../mutant.ts";

const GUARD = ["node/engine/log/sign-guard.test.ts"];
const ENGINE = ["node/engine/consensus-engine.test.ts", "node/engine/following.test.ts"];

/** The engine: what is signed, logged, replayed and admitted. */
export const ENGINE_MUTANTS = [
  ...mutantsOf(
    "node/signer/memory/signer-memory.ts",
    ["node/signer/signer-memory.test.ts"],
    [
      ["if (last !== undefined && order <= 0)", "if (last !== undefined && order < 0)"],
      ["order === 0 && equalBytes(last.signBytes, signBytes)", "order === 0"],
      ["last.holder !== holder", "last.holder === holder"],
      ["    this.#store({ position, signBytes, signature, holder });\n", ""],
      ["known.blockHash !== blockHash)", "false)"],
      ["chainId === ownChainId && publicKey === ownKey", "publicKey === ownKey"],
    ],
  ),
  ...mutantsOf(
    "node/signer/forget.ts",
    ["node/signer/forget.test.ts"],
    [
      ["if (above >= position.height)", "if (above > position.height)"],
      ["if (remembered !== position.height)", "if (remembered === undefined)"],
      ["writeFileAtomic(backup, bytes, { replaces: false });", ""],
      ["if (publicKey !== key.publicKey)", "if (false)"],
    ],
  ),
  ...mutantsOf(
    "node/signer/server/sign-desk.ts",
    ["node/signer/signer-server.test.ts"],
    [
      ['if (!isSame(request, content)) return { offence: "the request names another purpose or position than its bytes" };', ""],
      ["validator !== this.#options.publicKey || node !== nodeKey", "validator !== this.#options.publicKey"],
    ],
  ),
  ...mutantsOf(
    "node/signer/wire/signed-bytes.ts",
    ["node/signer/signed-bytes.test.ts"],
    [
      ["if (head.chainId !== chainId) return", "if (false) return"],
      ["(proposal) => proposal.validRound < proposal.round", "() => true"],
    ],
  ),
  ...mutantsOf(
    "node/signer/signer-folder.ts",
    ["node/signer/signer-folder.test.ts"],
    [
      ["comparePositions(known.position, signed.position) >= 0", "false"],
      ["    rmSync(paths.nodeKey);\n", ""],
      ["own !== undefined && own.publicKey !== key.publicKey", "own !== undefined"],
    ],
  ),
  ...mutantsOf(
    "node/signer/client/remote-signer.ts",
    ["node/signer/remote-signer.test.ts"],
    [
      ["if (publicKey !== this.publicKey) {", "if (publicKey === this.publicKey) {"],
      ["signBytes.length === 0 || this.#isOwn(position, signBytes, signature)", "true"],
    ],
  ),
  ...mutantsOf(
    "node/engine/log/guard-files.ts",
    ["node/engine/log/guard-files.test.ts"],
    [
      ["(present !== undefined && !isRelated(present))", "false"],
      ["if (present !== undefined) renameSync(path, put(present));", ""],
      ["if (existsSync(put(own))) renameSync(put(own), path);", ""],
    ],
  ),
  ...mutantsOf(
    "node/composition/changes/validator-key.ts",
    ["node/composition/changes/validator-key.test.ts"],
    [
      ["presentKey(state, signer?.publicKey ?? nodeKey) === nextSigner.publicKey", "true"],
      ["    stop();\n", ""],
      ['if (mode === "full") return;', ""],
      ["if (present === own) return;", ""],
    ],
  ),
  ...mutantsOf(
    "node/engine/consensus-engine.ts",
    ["node/engine/missing-version.test.ts"],
    [
      ["    if (this.#stopsForVersion()) return;\n    try {", "    try {"],
      ["        if (this.#stopsForVersion()) return;\n", ""],
    ],
  ),
  ...mutantsOf(
    "node/engine/execution/block-executor.ts",
    ["node/engine/execution/upgraded-chain.test.ts"],
    [
      ["if (!this.#knownVersions.includes(this.#paramsOn(parent, chain).version)) return undefined;", ""],
      ["return this.#knownVersions.includes(version) ? undefined : version;", "return undefined;"],
      ["chain === this.#chain ? this.#params : paramsAfter(chain.state, chain.first, parent.header)", "this.#params"],
    ],
  ),
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
    ['if (order > 0) return "new";', 'if (order >= 0) return "new";'],
    ["comparePositions(record.position, this.#last.position) <= 0", "comparePositions(record.position, this.#last.position) > 0"],
    ["chainId === ownChainId && publicKey === ownKey", "chainId === ownChainId"],
    ["    this.#last = record;\n    this.#isDurable = false;", "    this.#last = record;"],
    ["a.height - b.height || a.round - b.round ||", "a.round - b.round || a.height - b.height ||"],
  ]),
  ...mutantsOf("node/engine/voting/message-admission.ts", ENGINE, [
    ["votes.every((vote) => isSigned(vote, context)) ? { input", "votes.length > 0 ? { input"],
  ]),
  ...mutantsOf(
    "node/engine/voting/message-admission.ts",
    ["node/engine/voting/hostile-validators.test.ts"],
    [
      ['use === "surplus" && !context.mayCheckSurplus(vote.validatorIndex)', 'use === "surplus" && context.state.height < 0'],
      ["(sender.publicKey === null || sender.publicKey === validator.publicKey)", "sender.name !== validator.publicKey"],
    ],
  ),
  ...mutantsOf(
    "shared/util/sender-queues.ts",
    ["shared/util/sender-queues.test.ts"],
    [
      ["queue.turns = Math.max(queue.turns, this.#turns);", ""],
      ["next === undefined || queue.turns < next.turns", "next === undefined"],
      ["while (this.#bytes > totalBytes)", "while (this.#bytes > Number.MAX_SAFE_INTEGER)"],
      ["while (this.#size > totalMessages)", "while (this.#size < 0)"],
    ],
  ),
  ...mutantsOf(
    "node/engine/voting/last-decision.ts",
    ["node/engine/voting/hostile-validators.test.ts"],
    [
      ["|| this.#helped.has(vote.validatorIndex)", ""],
      ["if (this.#isSigned(vote)) this.#decided", "if (wrong >= 0) this.#decided"],
    ],
  ),
  ...mutantsOf(
    "node/engine/voting/pacemaker.ts",
    ["node/engine/voting/pacemaker.test.ts"],
    [
      ["Math.max(least, pace.heartbeatMs)", "pace.heartbeatMs"],
      ["Math.min(most, Math.max(least, pace.heartbeatMs))", "most"],
      ["isDue || pauseMs === most ? pauseMs : 0", "pauseMs"],
      ["isDue || pauseMs === most", "isDue"],
    ],
  ),
  ...mutantsOf(
    "node/engine/voting/lost-memory.ts",
    ["node/engine/voting/lost-memory.test.ts"],
    [
      ["startMs + MARGIN_MS &&", "startMs &&"],
      ["&& blockTimeMs <= nowMs + MARGIN_MS", ""],
      ["nowMs - (this.#clock.monotonicMs() - this.#startedMs)", "this.#startedMs"],
    ],
  ),
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
