import { mutantsOf } from "../mutant.ts";

const POOL = ["node/mempool"];
const SYNC = ["node/sync"];
const OPENED = ["node/relay/opened-boxes.test.ts"];
const BACKFILL = ["node/sync/backfill/segment-size.test.ts"];
const CALL_RELAY = ["node/network/calls"];
const RELAY_FOLDER = ["node/relay"];
const RELAY = ["node/relay"];

/** Mempool, synchronisation, relay and lookups of peers. */
export const NETWORK = [
  ...mutantsOf(
    "node/network/libp2p/paced-lookups.ts",
    ["node/network/libp2p/paced-lookups.test.ts"],
    [["while (!bucket.take(1,", "if (!bucket.take(1,"]],
  ),
  ...mutantsOf(
    "node/light/chain/light-follower.ts",
    ["node/light/chain/light-follower.test.ts"],
    [
      ["if (leftMs <= 0) void this.#follow(peer);", "if (leftMs <= 1_000_000) void this.#follow(peer);"],
      ["Math.max(1, this.#asking.size)", "1"],
      ['new Set(["advanced", "known"])', 'new Set(["advanced"])'],
      ["{ hash: header.validatorsHash, validators }", "undefined"],
      ["    this.#askNext();\n  }", "  }"],
      ["    this.#cancelPatience?.();\n  }\n\n  #wait", "  }\n\n  #wait"],
    ],
  ),
  ...mutantsOf(
    "node/light/chain/witnesses.ts",
    ["node/light/forks.test.ts"],
    [
      ["other !== undefined && headerHash(other.header, hash) !== block.hash", "other !== undefined"],
      ['peers.report(name, other === undefined ? "unresponsive" : "lie");', ""],
      ["other === null || signal.aborted", "other === null"],
    ],
  ),
  ...mutantsOf(
    "node/light/peers/network-light-peers.ts",
    ["node/light/peers/network-light-peers.test.ts"],
    [
      ["header.validatorsHash === known?.hash", "known !== undefined"],
      ["header.height !== height || ", ""],
      ["response.header.height === height ?", "response.header.height > 0 ?"],
    ],
  ),
  ...mutantsOf(
    "shared/protocol/chain/vote.ts",
    ["shared/protocol/chain/light-block.test.ts"],
    [
      ["isQuorum(position + 1, size)) + 1", "isQuorum(position + 1, size)) + 2"],
      ["count === 0 || count === signers.length", "count === signers.length"],
    ],
  ),
  ...mutantsOf("node/mempool/mempool.ts", POOL, [
    ["other.worth >= worth", "other.worth > worth"],
    ["queue.size >= perSender ||", "queue.size > perSender ||"],
    ["    this.#order.remove(entry);\n    this.#bytes -= entry.sizeBytes;", "    this.#order.remove(entry);"],
    ["    for (const queue of queues) this.#order.update(queue.entries);\n", ""],
    ["victims.entries.size + 1 > transactions", "victims.entries.size + 1 >= transactions"],
    ["worth / this.#limits.largeRaise", "worth"],
    ["isWaiting ||= !withLarge && entry.largeBytes > 0;", "isWaiting = !withLarge && entry.largeBytes > 0;"],
  ]),
  ...mutantsOf("node/mempool/eviction-order.ts", POOL, [
    ["least = Math.min(least, entry.rank);", "least = entry.rank;"],
    ["worth = Math.min(worth, rank);", "worth = entry.rank;"],
    ["a.entry.arrival > b.entry.arrival", "a.entry.arrival < b.entry.arrival"],
    ["worth: entry.rank === URGENT_RANK ? URGENT_RANK : least", "worth: least"],
  ]),
  ...mutantsOf("node/mempool/sender-queue.ts", POOL, [
    ["foreseeTransaction(this.#state, tx, context, spentUt)", "foreseeTransaction(this.#state, tx, context)"],
    ["this.#spentUt = this.#spent() + spentBy(entry);", "this.#spentUt = spentBy(entry);"],
    [".balanceUt < this.#spent()) return false;", ".balanceUt < 0) return false;"],
  ]),
  ...mutantsOf("node/sync/block-sync.ts", SYNC, [
    ["this.#abstention.isFarBehind || ", ""],
    ["this.#peers.target((peer) => this.#credit.has(peer)) > height", "true"],
    ["contradict(peer) >= CONTRADICTIONS_OF_A_LIE", "contradict(peer) > 1_000"],
    ["blocks.length < owed && fresh.length < USEFUL_BLOCKS", "blocks.length === 0"],
    ["        abort.abort();\n      }),", "      }),"],
    ["header.height === from + index", "header.height >= from"],
  ]),
  ...mutantsOf("node/sync/waiting-proof.ts", SYNC, [
    ['proof === "proven" ? window.read(waiting) : undefined', "window.read(waiting)"],
    [" || !chain.isWhole({ block, commit })", ""],
  ]),
  ...mutantsOf("node/sync/gossiped-blocks.ts", SYNC, [
    ["height <= chain.height() - RECENT_BLOCKS", "height < chain.height() - RECENT_BLOCKS"],
    ['(proof === "unknown" && height === tip + 1)', "false"],
    ['if (proof === "proven") onProven(height);', "onProven(height);"],
    ['if (block === undefined) return "reject";', 'if (block === undefined) return "ignore";'],
    ["height === chain.height() + 1 || window.isWanted(height, chain.height())", "true"],
  ]),
  ...mutantsOf("node/sync/claim-credit.ts", SYNC, [
    ["if (through > height) continue;", ""],
    ["!this.#isSettled && ", ""],
  ]),
  ...mutantsOf("node/sync/abstention.ts", SYNC, [
    ["this.#isUnsure || this.isBehind", "this.#isUnsure"],
    ["this.#provenHeight > tip &&", "this.#provenHeight >= tip &&"],
    [" && tip !== this.#doubtedTip", ""],
    ["if (this.#cancel === null) this.#await();", "this.#await();"],
  ]),
  ...mutantsOf("node/sync/block-window.ts", SYNC, [
    [" && !waiting.isProven) this.remove", ") this.remove"],
    ["(this.#blocks.has(height) && !isProven)", "this.#blocks.has(height)"],
    ["this.#blocks.get(height)?.isProven !== true", "!this.#blocks.has(height)"],
  ]),
  ...mutantsOf("node/sync/sync-peers.ts", SYNC, [
    ["peer.ceiling = height - 1;", "peer.ceiling = height;"],
    ["peer.status.firstHeight <= height &&", ""],
    ["peer.requests < MAX_REQUESTS_PER_PEER", "peer.requests <= MAX_REQUESTS_PER_PEER"],
    ["if (isUseful) peer.failures = 0;", "if (isUseful) peer.failures -= 0;"],
    ["if (firsts.length === 0 || lowest <= height) return undefined;", "if (height >= 0) return undefined;"],
  ]),
  ...mutantsOf("node/sync/backfill/backfill-work.ts", BACKFILL, [["if (fitting < blocks.length)", "if (fitting < 0)"]]),
  ...mutantsOf("node/sync/backfill/backfill-pace.ts", BACKFILL, [["this.#workedMs * restShare", "(nowMs - this.#sinceMs) * restShare"]]),
  ...mutantsOf("node/relay/intake/client-mail.ts", RELAY, [["if (!isSigned) throw", "if (isSigned === undefined) throw"]]),
  ...mutantsOf("node/relay/intake/mail-intake.ts", RELAY, [["if (isFirstHand) this.claim(", "this.claim("]]),
  ...mutantsOf("node/relay/relay.ts", RELAY, [["    this.#changed(recipientPub);\n    return isDeleted;", "    return isDeleted;"]]),
  ...mutantsOf(
    "node/relay/mailbox-room.ts",
    ["node/relay/mailbox-room.test.ts"],
    [
      ["used.count + added.count > recipientEnvelopes", "used.count + added.count >= recipientEnvelopes"],
      ["sources.bytesOf(largest) <= sources.bytesOf(party) + bytes", "sources.bytesOf(largest) <= bytes"],
      ["weight + (key === comer.party ? added : 0)", "weight"],
      ["feeUt + this.#store.postageOf(recipientPub, sender)", "feeUt"],
    ],
  ),
  ...mutantsOf("node/relay/mail-source.ts", ["node/relay/opened-boxes.test.ts"], [["isOpen ? `open $", "isOpen ? `$"]]),
  ...mutantsOf(
    "node/relay/mailbox-room.ts",
    ["node/relay/opened-boxes.test.ts"],
    [
      ["open.sources.bytesOf(largest) <= mine + bytes", "open.sources.bytesOf(largest) <= bytes"],
      ["used = this.#store.open.usageOf(recipientPub);", "used = this.#store.usage(recipientPub);"],
      ["(isForeign ? foreignPercent : 100)", "100"],
      ["if (this.#evictOpenBeyondPart()) continue;", ""],
    ],
  ),
  ...mutantsOf("node/relay/owners/opened-boxes.ts", OPENED, [
    ["!store.boxes.isHeld(opening.mailbox, nowSec) && this", "store.boxes.find(opening.mailbox) === undefined && this"],
    ['if (known !== undefined && isLaterOpening(known, opening)) return "stale";', ""],
    ['if (!(await this.isProven(opening))) return "reject";', ""],
    ["      if (!isProven) break;\n", ""],
    ["if (admission !== undefined && !this.isOfPresent(envelope)) return undefined;", ""],
    ["    if (!this.isOfPresent(envelope))\n", "    if (this.isOfPresent === undefined)\n"],
    [" && sentAtSec <= nowSec + MAX_AHEAD_S", ""],
    ["height > (known() ?? Number.NEGATIVE_INFINITY) + PROOF_HEIGHTS", "height > (known() ?? Number.POSITIVE_INFINITY) + PROOF_HEIGHTS"],
    ["    this.#requireHeight();\n", ""],
    ['if (this.#commits.size >= this.#dependencies.limits.waitingEnvelopes) return "busy";', ""],
    ["if (admission.writeKey === writeKey) return admission;", "return admission;"],
    ["untilSec <= nowSec + MAX_OPEN_S + CLOCK_SKEW_S && ", ""],
    ["if (party === OWN_PARTY) return ofParty >= sourceBoxes;", ""],
  ]),
  ...mutantsOf("node/relay/intake/mail-intake.ts", OPENED, [
    ["if (isFirstHand && box === undefined) this.#restore", "if (isFirstHand) this.#restore"],
    ["box?.isOpen === true ? room", "box !== undefined ? room"],
    ["admission?.writeKey === undefined ? undefined : arrival.replaces", "undefined"],
  ]),
  ...mutantsOf("node/relay/relay.ts", OPENED, [
    ["admission && (await this.#notAdmitted(envelope, admission))", "undefined"],
    ["if (isKnown && (await this.boxes.isAdmitted(held.envelope, { ...admission, admit: known }))) return", "if (isKnown) return"],
    ["(admitted === undefined || isSameAdmitted(held.envelope, envelope))", "true"],
  ]),
  ...mutantsOf("node/relay/owners/mail-deletions.ts", RELAY_FOLDER, [
    ['if (!(await isSignedDeletion(chainId, deletion, verify))) return "reject";', ""],
    ['if (!isTimely(deletion.height, this.#dependencies)) return "ignore";', ""],
    ["if (!(await isSignedDeletion(chainId, deletion, verify))) return false;", ""],
    ["isServed ? ids : there", "ids"],
    ["isServed || there.length > 0", "true"],
    ["ids.filter((id) => !store.deleted.has(mailbox, id))", "[]"],
  ]),
  ...mutantsOf("node/relay/owners/signed-by-owners.ts", RELAY_FOLDER, [
    ["Math.abs(signedHeight - own) <= PROOF_HEIGHTS", "signedHeight - own <= PROOF_HEIGHTS"],
  ]),
  ...mutantsOf(
    "node/sync/snapshots/snapshot-server.ts",
    ["node/sync/snapshots"],
    [
      [" || underWay >= partyRequestsUnderWay", ""],
      ["this.#count(party, costOf(request, read.length));", "this.#count(party, read.length);"],
      ["      party.underWay -= 1;\n", ""],
      ['if (request.kind === "chunk" && isCodedError(error, "STORAGE_CORRUPT"))', "if (false)"],
    ],
  ),
  ...mutantsOf(
    "node/sync/snapshots/snapshot-reads.ts",
    ["node/sync/snapshots/snapshot-server.test.ts"],
    [
      ["if (known === undefined || !equalBytes(known, hash)) found.prove();", ""],
      ["if (known === undefined || !equalBytes(known, hash))", "if (known === undefined)"],
      ["if (this.#fileOf(at) !== file) this.#close(at);", "if (this.#fileOf(at) === undefined) this.#close(at);"],
    ],
  ),
  ...mutantsOf(
    "node/sync/snapshots/snapshot-keeper.ts",
    ["node/sync/snapshots/snapshot-keeper.test.ts"],
    [
      ["isNameOfSnapshot(name) && !names.has(name)", "!names.has(name)"],
      ["this.#damaged !== height && ", ""],
      [" && this.#tip - height < UNDO_HEIGHTS;", ";"],
    ],
  ),
  ...mutantsOf("node/network/calls/call-relay.ts", CALL_RELAY, [
    [", ...(this.#day && { day: this.#day })", ""],
    ["    if (this.#isStopped) return;\n", ""],
    ["{ ...settings, port }, dependencies", "settings, dependencies"],
    ["      if (!this.#isStopped) this.#startLater();\n", ""],
  ]),
  ...mutantsOf("node/network/calls/rules/peer-rules.ts", CALL_RELAY, [
    ["if (ip === undefined || ip.bytes.length !== 4) return false;", "if (ip === undefined) return false;"],
    ['if (range === "reserved" || LINK_LOCAL_RANGES.includes(range)) return false;', ""],
    ["if (isOwn) return this.#allowsPrivate;", ""],
    ['return range === "public" || this.#allowsPrivate;', "return true;"],
    ["port >= CALL_RELAY_LIMITS.leastPort", "port >= 0"],
  ]),
  ...mutantsOf("node/network/calls/rules/credentials.ts", CALL_RELAY, [
    ["expiresSec <= nowSec || ", ""],
    [" || expiresSec > nowSec + CREDENTIAL_S", ""],
    ["Number.parseInt(expires, 16) <= nowSec", "Number.parseInt(expires, 16) < 0"],
  ]),
  ...mutantsOf("node/network/calls/serving/traffic.ts", CALL_RELAY, [
    ["allocation.permits(peer.address, nowMs) && rules.isPort(peer.port)", "rules.isPort(peer.port)"],
    ["(neighbour === undefined && !rules.isAllowed(peer.address, nowMs))", "false"],
    ["if (!isCheck(bytes) || ", "if ("],
    [" && allocation.checks.take(1, nowMs)", ""],
    ["!allocation.bytes.has(count, nowMs) || ", ""],
    ["Math.max(length, CALL_RELAY_LIMITS.leastBytes)", "length"],
  ]),
  ...mutantsOf("node/network/calls/serving/requests.ts", CALL_RELAY, [
    ["if (key !== undefined && hasIntegrity(message, key))", "if (key !== undefined)"],
    ["if (allocation !== undefined && allocation.username !== username) return failure(441, key);", ""],
    [" || this.#strangers.take(1, nowMs))", " || true)"],
    ["known === undefined ? this.#rates.take(client.party, nowMs) : known.requests.take(1, nowMs)", "true"],
    ["known !== undefined || this.#strangers", "this.#strangers"],
  ]),
  ...mutantsOf("node/network/calls/serving/allocation-table.ts", CALL_RELAY, [
    ["ofCredential >= CALL_RELAY_LIMITS.allocationsPerCredential || ", ""],
    [" || ofParty >= CALL_RELAY_LIMITS.allocationsPerAddress", ""],
    ["if (all.length >= CALL_RELAY_LIMITS.allocations)", "if (false)"],
  ]),
];
