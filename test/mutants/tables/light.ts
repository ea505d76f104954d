import { mutantsOf } from "../mutant.ts";

const CHAIN = ["node/light/chain", "shared/protocol/light", "node/light/forks.test.ts", "node/light/checkpoint-start.test.ts"];

const LIGHT_QUERIES = ["node/light/queries/light-queries.test.ts"];
const LIGHT_CONTRACTS = ["node/composition/reads/light-contracts.test.ts"];
const CONTRACT_PROCESS = ["node/composition/reads/contract-process.test.ts"];

/** Light nodes: what is trusted, and from where. */
export const LIGHT = [
  ...mutantsOf("node/light/chain/trusted-chain.ts", CHAIN, [
    ["checkpoint.height >= Math.max(fork", "checkpoint.height >= Math.min(fork"],
    ["|| formatCheckpoint(checkpoint) === fork.checkpoint", ""],
    ["if (fork !== undefined) this.#tip = genesis;", ""],
    ["if (block.hash === checkpoint.hash) return;", "if (block.hash !== checkpoint.hash) return;"],
    ["    this.#witnesses.stop();\n    log.error", "    log.error"],
  ]),
  ...mutantsOf(
    "shared/protocol/light/verify-payment-proof.ts",
    ["shared/protocol/light/payment-proof.test.ts"],
    [
      ['trust.kind === "checkpoint" ? null : proof.genesisHash', "proof.genesisHash"],
      ["transactionProof.size !== header.txCount || ", ""],
      ["genesisHash(genesis) === trust.hash ?", "true ?"],
      ["headerHash(block.header, rules.hash) !== hash", "false"],
    ],
  ),
  ...mutantsOf("shared/protocol/light/verify-light-block.ts", CHAIN, [
    ["header.timeMs + trustingPeriodMs <= nowMs", "header.timeMs + trustingPeriodMs < nowMs"],
    ["header.timeMs <= trusted.header.timeMs", "header.timeMs < trusted.header.timeMs"],
    ['if (!verifyCommit(rules.chainId, validators, commit, rules.verify)) return invalid("the commit does not verify");', ""],
    ["before.publicKey < publicKey", "before.publicKey <= publicKey"],
    ['if (header.chainId !== chainId) return { reason: "it belongs to another chain" };', ""],
    ["if (isNewer(header, rules)) return { outcome", "if (false) return { outcome"],
    ["if (isNewer(block.header, rules)) return { reason: unknownVersion(block.header) };", ""],
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
  ...mutantsOf(
    "node/explorer/node-explorer.ts",
    ["node/light/queries/proposed-blocks.test.ts"],
    [
      ["if (versionOf(chain) < PROPOSED_VERSION) return undefined;", ""],
      ["if (counted === undefined) return indexed;", "if (counted !== undefined) return indexed;"],
      ["if (proven.from <= 1 || proven.blocks > indexed.blocks) return proven;", "if (proven.blocks > 0) return proven;"],
    ],
  ),
  ...mutantsOf(
    "node/explorer/node-explorer.ts",
    ["node/light/queries/relay-bonds.test.ts"],
    [
      ["versionOf(this.#database) < KEEPERS_VERSION ? undefined : ", ""],
      ["keeper.bondUt + keeper.withdrawnUt === 0", "keeper.bondUt === 0"],
      ["versionOf(this.#database) >= SUSPENSION_VERSION", "true"],
      ["const suspension = hasRule ?", "const suspension = !hasRule ?"],
    ],
  ),
  ...mutantsOf("node/light/reads/proven-reads.ts", LIGHT_QUERIES, [
    ["bill.add(handingGas(known));", ""],
    ["outcome.gasUsed + provenRecordGas * missing.length", "outcome.gasUsed"],
    ["outcome.gasUsed + provenRecordGas * missing.length", "provenRecordGas * missing.length"],
    ["bill.add(await this.#fetchRecords(memory, missing));", "await this.#fetchRecords(memory, missing);"],
    ["if (this.#gas > LIGHT_LIMITS.searchGas) throw tooMuch();", ""],
    ["if (bytesHanded(records) > knownBytes) throw tooMuch();", ""],
    ["if (response.at.hash === memory.records.at.hash) {", "if (memory.records !== undefined) {"],
  ]),
  ...mutantsOf("node/light/reads/known-state.ts", LIGHT_QUERIES, [
    ["!this.#values.has(name) &&", "this.#values.get(name) === undefined &&"],
    ["key: key.slice() }", "key: key.slice(1) }"],
  ]),
  ...mutantsOf("node/light/queries/call-passes.ts", LIGHT_CONTRACTS, [
    ["if (state.hasWalked)", "if (false)"],
    ["Math.max(nowMs, tip.timeMs)", "0"],
  ]),
  ...mutantsOf("node/composition/reads/light-contracts.ts", LIGHT_CONTRACTS, [
    ["ofOne?.check();", ""],
    ["process.runPass(call, ofOne)", "process.runPass(call, caller)"],
    ["isRefused: (txId) => process.isRefused(txId)", "isRefused: () => false"],
  ]),
  ...mutantsOf("node/composition/reads/contract-process.ts", CONTRACT_PROCESS, [
    ["keep(this.#marked, mark.moduleHash);", ""],
    [
      "return takeProcessMark(directory);\n    } catch (error) {",
      "return takeProcessMark(directory);\n    } catch (error) {\n      throw error;",
    ],
  ]),
  ...mutantsOf("node/composition/reads/reader.ts", CONTRACT_PROCESS, [["if (child.connected) child.send(", "child.send("]]),
  ...mutantsOf(
    "node/composition/reads/read-thread.ts",
    ["node/composition/reads/read-thread.test.ts"],
    [
      ["if (caller === undefined) this.#refuseTrialWithout();", ""],
      ["    } catch (error) {\n      this.#failed(error);", "    } catch (error) {\n      throw error;"],
    ],
  ),
  ...mutantsOf(
    "node/light/archive/open-archive.ts",
    ["node/light/archive.test.ts"],
    [
      ["address.underWay >= readsPerAddress || ", ""],
      ["hasRoom && ", ""],
      ["isOwn ? readsAtOnce : readsAtOnce - readsPerAddress", "readsAtOnce"],
      ["if (found === undefined) this.#misses.set(read.name, clock.monotonicMs() + ARCHIVE_LIMITS.missMs);", ""],
      ["this.#bytes.has(0, nowMs) && ", ""],
      ["return this.#time.getStore()?.isPassed === true;", "return false;"],
    ],
  ),
  ...mutantsOf(
    "node/api/reads/archive-reads.ts",
    ["node/api/reads/archive-reads.test.ts"],
    [
      ["older === undefined || older.transactions.length !== limit", "older === undefined"],
      ["limit <= 0 || limit > MOST_FETCHED", "limit <= 0"],
      ['if (!isCodedError(error) || own.code === "HISTORY_PRUNED") throw error;', ""],
    ],
  ),
  ...mutantsOf(
    "node/api/reads/cached-reads.ts",
    ["node/api/reads/cached-reads.test.ts"],
    [
      [" || isCut(operation, input, response)", ""],
      [" && blocks.at(-1)?.index !== 0", ""],
    ],
  ),
  ...mutantsOf("node/api/reads/archive-read.ts", ["node/api/reads/archive-reads.test.ts"], [["context !== OTHER_NODE && ", ""]]),
  ...mutantsOf(
    "node/api/reads/archive-lists.ts",
    ["node/api/reads/archive-reads.test.ts"],
    [
      ["older?.length === page.limit ? [...older] : []", "[...(older ?? [])].slice(1)"],
      ["  if (context === OTHER_NODE) return response;\n", ""],
    ],
  ),
  ...mutantsOf(
    "node/api/reads/archive-feed.ts",
    ["node/api/reads/archive-reads.test.ts"],
    [
      ["bounds.beforeBlock !== undefined || older.length === limit", "older.length === limit"],
      ["own === undefined || isBound(bounds)", "own === undefined"],
      ["Math.min(limit, count) > MOST_FETCHED || ", ""],
      ["Math.min(limit, count) > MOST_FETCHED", "limit > MOST_FETCHED"],
    ],
  ),
];
