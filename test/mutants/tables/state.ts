import { mutantsOf } from "../mutant.ts";

const VIEW = ["node/state/overlay-state-view.test.ts", "node/state/next-key.test.ts", "node/state/next-unchanged.test.ts"];
const SEEN = ["node/storage/chain/seen-id-repository.test.ts"];
const MAILBOX = ["node/storage/mailbox/mailbox-repository.test.ts"];
const BORDER = ["node/storage/history/retention-border.test.ts"];
const VERSION_1 = ["node/storage/chain/migration/chain-version-1.test.ts"];
const DROPPED = [
  "node/storage/history/drop-segments.test.ts",
  "node/storage/chain/retention.test.ts",
  "node/storage/chain/kept-entries.test.ts",
];

/** State and storage. */
export const STATE = [
  ...mutantsOf(
    "node/state/generation-cache.ts",
    ["node/state/generation-cache.test.ts"],
    [
      ["    this.#old.delete(name);\n", ""],
      ["if (old !== undefined) this.set(name, old);", ""],
      ["this.#youngBytes += bytes - freed;", "this.#youngBytes += bytes;"],
    ],
  ),
  ...mutantsOf(
    "node/state/state-cache.ts",
    ["node/state/state-cache.test.ts"],
    [
      ["known === ABSENT ? undefined : known", "known.length === 0 ? undefined : known"],
      [
        "for (const { namespace, key, value } of changes) this.#records",
        "for (const { namespace, key, value } of changes.slice(1)) this.#records",
      ],
    ],
  ),
  ...mutantsOf("node/state/overlay-state-view.ts", VIEW, [
    ["else keys.splice(at, 1);", "else return;"],
    ["    this.#record = undefined;\n", ""],
    ["this.#waiting.encode(this.#record);\n    this.#waiting = undefined;", "this.#waiting.encode(this.#record);"],
    ["if (value !== before) writeNamed", "if (value !== undefined) writeNamed"],
    ["before !== value && !equalBytes(before, value)", "before !== value"],
  ]),
  ...mutantsOf(
    "node/state/state-tree.ts",
    ["node/state/state-tree.test.ts"],
    [
      ["slot !== undefined && !changes.some((change) => equalBytes(change.path, slot.path))", "slot !== undefined"],
      ['subtree?.kind === "node" || (prefix === "" && subtree !== undefined)', 'subtree?.kind === "node"'],
      ["const isRight = nibble >= from + size;", "const isRight = nibble > from + size;"],
    ],
  ),
  ...mutantsOf(
    "node/state/page-edit.ts",
    ["node/state/state-tree.test.ts"],
    [
      ["known === undefined ? ALL_SLOTS : this.#changed", "this.#changed"],
      ["this.#changed |= bit;", "this.#changed = bit;"],
      ["(rememberedJoins.has(page) ? JOIN_BYTES : 0)", "0"],
    ],
  ),
  ...mutantsOf(
    "node/storage/sqlite-database.ts",
    ["node/storage/sqlite-database.test.ts"],
    [
      ["if (version > current)", "if (version > current + 1)"],
      ['database.pragma("synchronous = FULL");', ""],
      [">= version) return;", "> version) return;"],
    ],
  ),
  ...mutantsOf(
    "node/storage/light-database.ts",
    ["node/storage/light-database.test.ts"],
    [
      ["&& validatorsHash(block.validators, nativeSha256) === block.header.validatorsHash", ""],
      ["; UPDATE forks SET is_settled = 1", ""],
    ],
  ),
  ...mutantsOf("node/storage/chain/seen-ids/seen-id-repository.ts", SEEN, [
    ["&& timeMs >= this.#filterTimeMs", ""],
    ["<= timeMs - SEEN_WINDOW_MS;", "< timeMs - SEEN_WINDOW_MS;"],
    ["    this.#filter = undefined;\n    this.#notLoaded = null;", ""],
  ]),
  ...mutantsOf(
    "node/storage/history/records/id-repository.ts",
    ["node/storage/history/records/id-repository.test.ts"],
    [
      ["this.#places.all(part, key).reverse()", "this.#places.all(part, key)"],
      ["this.#partBefore.get(height + 2) ?? 0", "this.#newestPart.get() ?? 0"],
      [">= this.#idsPerPart ? height : newest", ">= this.#idsPerPart ? newest : height"],
    ],
  ),
  ...mutantsOf(
    "node/storage/chain/migration/rewrite-database.ts",
    ["node/storage/chain/migration/chain-version-0.test.ts"],
    [
      ["statSync(file).size * share) + extraBytes", "0)"],
      ["  removeUnfinished(file);\n  requireRoom", "  requireRoom"],
      ["if (isStopped?.() === true)", "if (isStopped === undefined)"],
    ],
  ),
  ...mutantsOf("node/storage/chain/migration/chain-version-1.ts", VERSION_1, [
    ["Math.min(from + BLOCKS_AT_ONCE, last + 1)", "from + BLOCKS_AT_ONCE"],
    ["unhex(contract_id)", "CAST(contract_id AS BLOB)"],
  ]),
  ...mutantsOf("node/storage/chain/migration/migrate-file.ts", VERSION_1, [
    ["  if (version >= SCHEMA_VERSION) return;\n", ""],
    ["isRefusedRow(error) ? damaged(file, error) : error", "error"],
  ]),
  ...mutantsOf("node/storage/chain/migration/migration-worker.ts", VERSION_1, [["done < reported + REPORT_BLOCKS && ", ""]]),
  ...mutantsOf(
    "node/storage/explorer/contract-log-repository.ts",
    ["node/storage/explorer/contract-log-repository.test.ts"],
    [
      ["isFull || transactions.bytes > MAX_READ_BYTES", "isFull"],
      ["JSON.stringify(keys.filter((other) => other !== key))", '"[]"'],
      ["      if (transactions.bytes > MAX_READ_BYTES) return { logs, next: positionOf(row) };\n", ""],
    ],
  ),
  ...mutantsOf(
    "node/explorer/reindex/recorded-blocks.ts",
    ["node/explorer/reindex.test.ts"],
    [
      ["header.parentHash === parent &&", ""],
      ["header.txRoot === transactionsRoot(transactions, nativeSha256) &&", ""],
      [" || receipts[position]?.isOk !== true", ""],
    ],
  ),
  ...mutantsOf(
    "node/explorer/reindex/block-rewards.ts",
    ["node/explorer/block-rewards.test.ts"],
    [
      ["if (receipts[position]?.isOk === true) this", "this"],
      ["this.#mostUt > MAX_SUPPLY_UT", "this.#mostUt < 0"],
    ],
  ),
  ...mutantsOf(
    "node/engine/recovery/replay-folder.ts",
    ["node/engine/recovery/rollback-folder.test.ts"],
    [
      ["  rmSync(target, { recursive: true, force: true });\n  requireRoom", "  requireRoom"],
      ["    fresh.own.add(database.own.all().map(({ publicKey }) => publicKey));\n", ""],
      [" ?? 0) > height)", " ?? 0) >= height)"],
    ],
  ),
  ...mutantsOf(
    "node/engine/recovery/snapshot-base.ts",
    ["node/engine/recovery/rollback-to-snapshot.test.ts"],
    [
      [" || header.txCount === 0 || !isRecent(header, at)", ""],
      ["header.height >= lowest || header.txCount === 0", "true"],
      ["timeMs > at.timeMs - SEEN_WINDOW_MS", "timeMs > at.timeMs"],
      ["return { ...beginning, headers };", "return beginning;"],
    ],
  ),
  ...mutantsOf(
    "node/storage/snapshots/proven-snapshot.ts",
    ["node/engine/recovery/rollback-to-snapshot.test.ts"],
    [['if (typeof leaves === "string") throw damaged(place, leaves);', 'if (typeof leaves === "string") return [];']],
  ),
  ...mutantsOf(
    "node/storage/snapshots/proven-snapshot.ts",
    ["node/storage/snapshots/proven-snapshot.test.ts"],
    [[" || isOfSystem(known)", ""]],
  ),
  ...mutantsOf("node/storage/mailbox/mailbox-repository.ts", MAILBOX, [
    ["this.#usage.add(recipientPub, { count: -1, bytes: -place.bytes });", ""],
    ["    this.#mark.run(this.#lastSeq);\n    if (!this.open", "    if (!this.open"],
    ["(isAuthenticEnvelope(stored) || !isAuthenticEnvelope(envelope))", "isAuthenticEnvelope(stored)"],
    ["      this.#usage.forget();\n", ""],
  ]),
  ...mutantsOf(
    "node/storage/history/sealing/sealed-runs.ts",
    ["node/storage/history/sealed-runs.test.ts"],
    [
      ["partOf(open(now), stored)", "open(now)"],
      ["const now = run === undefined ? this.#now(stored) : source;", "const now = source;"],
    ],
  ),
  ...mutantsOf(
    "node/storage/history/files/disk-files.ts",
    ["node/storage/history/disk-files.test.ts"],
    [
      ["entry.isDirectory() ? [] : [entry.name]", "[entry.name]"],
      ["calls.write(file, bytes, written)", "calls.write(file, bytes, 0)"],
      ["written += more;", "written = bytes.length;"],
    ],
  ),
  ...mutantsOf(
    "node/storage/history/sealing/unnamed-files.ts",
    ["node/storage/history/unnamed-files.test.ts", "node/storage/history/drop-segments.test.ts"],
    [
      ["  if (!blocks.holds(first, last)) return false;\n", ""],
      ["[undefined, hash].includes(blocks.hashOf(first + index))", "true"],
      ["  if (last <= (blocks.droppedTo() ?? -1)) return true;\n", ""],
    ],
  ),
  ...mutantsOf(
    "node/storage/history/sealing/seal-segment.ts",
    ["node/storage/history/seal-segment.test.ts"],
    [["    if (isCodedError(error)) files.unlink(segmentName(segment));\n", ""]],
  ),
  ...mutantsOf(
    "node/storage/snapshots/backfill/segment-fill.ts",
    ["node/sync/backfill/power-loss.test.ts"],
    [
      ["    setAside(this.#files, this.#filled(), this.#range);\n", ""],
      ["...this.#renamed])\n", "...this.#names])\n"],
    ],
  ),
  ...mutantsOf(
    "node/storage/chain/sealing/history-sealer.ts",
    ["node/storage/chain/retention.test.ts"],
    [["(border?.bodiesFrom ?? 0) === 0", "border === undefined"]],
  ),
  ...mutantsOf(
    "node/sync/own-history/own-history.ts",
    ["node/sync/own-history/own-history.test.ts"],
    [
      ["if (!isKnown) validatorSets", "if (isKnown) validatorSets"],
      ["if (receivedBytes() >= endBytes) break;", ""],
      ["      await this.#stepDown(height, account);\n", ""],
      ["database.inTransaction(() => database.blocks.insertSingleHeader(header, commit));", ""],
      ["const last = isStep ? provenTo - idsAtOnce : next;", "const last = next;"],
      ["      total = count;\n", ""],
    ],
  ),
  ...mutantsOf(
    "node/light/peers/peer-responses.ts",
    ["node/sync/own-history/own-history.test.ts"],
    [
      [" || heightTooFar(error) !== undefined", ""],
      ["height > heightNow ? before : now", "height < heightNow ? before : now"],
    ],
  ),
  ...mutantsOf(
    "node/storage/explorer/account-history-repository.ts",
    ["node/storage/chain/kept-entries.test.ts"],
    [
      ["this.keptFromPlace(publicKey) ?? this.#firstPlace()", "this.#firstPlace()"],
      ["Math.ceil(place / SEQ_PER_BLOCK)", "Math.floor(place / SEQ_PER_BLOCK) + 2"],
    ],
  ),
  ...mutantsOf(
    "node/composition/history/block-holders.ts",
    ["node/composition/history/block-holders.test.ts"],
    [
      [" && height >= last", ""],
      ["Math.max(firstHeight, keepsFrom) <= Math.max(1, first)", "true"],
      ["Math.max(firstHeight, keepsFrom)", "firstHeight"],
      ["!this.#isSaid && ", ""],
    ],
  ),
  ...mutantsOf(
    "node/composition/history/holder-proofs.ts",
    ["node/composition/history/holder-proofs.test.ts"],
    [
      ['if ("reason" in checkBodyOfHash(hash, response, nativeSha256))', "if (hash === height.toString())"],
      ['hash === undefined || response.kind !== "body"', "hash === undefined"],
      ["first + begin + ", "first + "],
      [" && isEnough(to)", ""],
      ["first <= range.first && ", ""],
      ["nowMs < atMs + HOLDER_LIMITS.provenMs && ", ""],
      ["forgetOthers(this.#proofs, names);", ""],
    ],
  ),
  ...mutantsOf(
    "node/engine/recovery/take-up-blocks.ts",
    ["node/engine/recovery/take-up-blocks.test.ts"],
    [
      ["first <= height && height <= last", "height <= last"],
      ["lastCommit(file, height + 1)) : commitElsewhere", "lastCommit(file, height)) : commitElsewhere"],
      ["if (length > 0) await executor.apply(batch.slice(0, length))", "await executor.apply(batch)"],
      ["if (areTakenBack(work)) return 0;", ""],
      ["await nextTurn();", ""],
      ['isCodedError(error, "INVARIANT")', "isCodedError(error)"],
    ],
  ),
  ...mutantsOf(
    "node/engine/recovery/check/check-later-index.ts",
    ["node/storage/snapshots/begin-chain.test.ts"],
    [
      ["Number(number) + below(String(publicKey))", "Number(number)"],
      ["< total)", "< 0)"],
    ],
  ),
  ...mutantsOf("node/storage/history/sealing/retention-border.ts", BORDER, [
    ["tip - retention.blocks + 1", "tip - retention.blocks + 2"],
    ["(chain.timeMsAt(height) ?? 0) - SEEN_WINDOW_MS", "chain.timeMsAt(height) ?? 0"],
    ["Math.min(kept, tip - LEAST_BLOCKS + 1, ...windows)", "Math.min(kept, ...windows)"],
    ["const orders = [deep, ...snapshots]", "const orders = [...snapshots]"],
    ["Math.min(bodiesFrom - HEADER_MARGIN, recent,", "Math.min(bodiesFrom - HEADER_MARGIN,"],
    ["(timeMsAt(middle) ?? 0) <= timeMs", "(timeMsAt(middle) ?? 0) < timeMs"],
  ]),
  ...mutantsOf("node/storage/history/sealing/drop-segments.ts", DROPPED, [
    ["tables.all().slice(0, -1)", "tables.all()"],
    ["if (segment.last > to) break;", "if (segment.first > to) break;"],
    ["border.bodiesFrom - 1, tables.droppableTo()", "border.bodiesFrom - 1"],
    [".filter(({ last }) => last <= segment.last)", ".filter(({ first }) => first <= segment.last)"],
    ["height >= headersFrom || height % KEPT_HEADERS === 0", "height >= headersFrom"],
  ]),
  ...mutantsOf("node/storage/history/sealing/dropped-rows.ts", DROPPED, [
    ["this.#note.run(DROPPED_TO, String(last));", ""],
    ["this.#promiseHeaders(Math.min(headersFrom, last + 1));", ""],
    ["if (!this.#reads.kept.hasKept(segment)) return false;", ""],
  ]),
  ...mutantsOf(
    "node/storage/history/sealing/rebuild-runs.ts",
    ["node/storage/chain/run-rebuild.test.ts"],
    [
      [" || !isWhole(files, run)", ""],
      ["({ first }) => first > run.last", "({ first }) => first < run.last"],
    ],
  ),
  ...mutantsOf("node/storage/history/sealing/kept-rows.ts", DROPPED, [
    ["return this.#done?.first === first && this.#done.accounts === this.#reads.own().join();", "return this.#done?.first === first;"],
    ["THEN @number ELSE first END", "THEN first ELSE first END"],
    ["batch.length >= KEPT_AT_ONCE || ", ""],
    ["    flush();\n    this.#done", "    this.#done"],
  ]),
  ...mutantsOf("node/storage/chain/sealing/kept-source.ts", DROPPED, [
    ["keptTo(publicKey, slice.first, slice.last) + 1;", "slice.first;"],
    ["if (!cursor.advance()) cursors.delete(cursor);", "cursors.delete(cursor);"],
  ]),
  ...mutantsOf(
    "node/composition/history/own-accounts.ts",
    ["node/composition/history/own-accounts.test.ts"],
    [
      ["this.#isKnown = accounts.length > 0;", "this.#isKnown = true;"],
      ["accounts = isGood ? ", "accounts = true ? "],
      ["    this.#isKnown = false;\n    try {", "    try {"],
      ["this.#cancelRetry = timers.setTimer(NAMING_RETRY_MS, () => this.#store());", ""],
    ],
  ),
];
