import { mutantsOf } from "../mutant.ts";

const RULES = ["shared/protocol/keepers"];
const CARDS = ["node/relay/public-cards.test.ts"];
const DIGESTS = ["node/relay/keepers/digest-exchange.test.ts"];
const LIES = ["node/duties/lie-reporter.test.ts"];
const VOTES = ["node/signer/relay-votes.test.ts"];
const QUEUE = ["node/storage/mail-queue.test.ts"];
const SERVICE = ["node/relay/keepers/keeper-service.test.ts"];
const DOUBTS = ["node/relay/keepers/keeper-doubts.test.ts"];
const MACHINES = ["node/relay/keepers"];

const DELETIONS = ["node/storage/mailbox/deletion-shares.test.ts"];

/** Who keeps mail, and which. */
export const KEEPERS = [
  ...mutantsOf("shared/protocol/keepers/keeper-standing.ts", RULES, [
    ["relay.withdrawnAtS >= relay.registeredAtS", "relay.withdrawnAtS > timeS"],
    ["  if (relay.suspendedUntilS > block.timeS) return undefined;\n", ""],
    ["relay.suspendedUntilS > block.timeS", "relay.suspendedUntilS >= block.timeS"],
    ["relay.bondUt < keeperBond) return false", "relay.bondUt <= keeperBond) return false"],
    ["block.timeS - standing.leftS > rules.saltS", "block.timeS < standing.leftS"],
    ["relay.heartbeats - count.before >= rules.entryHeartbeats", "relay.heartbeats >= rules.entryHeartbeats"],
    ['  return { is: "waiting", count: { sinceS: block.timeS, before: relay.heartbeats } };\n', '  return { is: "waiting", count };\n'],
    ["relay.heartbeats - back.before >= rules.returnHeartbeats", "true"],
    ["timeS - lastHeartbeatS >= absenceS", "timeS - lastHeartbeatS > 2 * absenceS"],
    ["Math.ceil(validatorBondUt", "Math.floor(validatorBondUt"],
  ]),
  ...mutantsOf("node/storage/messages/queue-room.ts", QUEUE, [
    ["sources.bytesOf(largest) > sources.bytesOf(comer.party) + comer.bytes", "sources.bytesOf(largest) > 0"],
    ["this.#open.bytes + bytes > this.#maxBytes * OPEN_PART", "this.#open.bytes > this.#maxBytes"],
    ["source.party === OWN_PARTY ? ROOMS.own :", "source.party === OWN_PARTY ? ROOMS.open :"],
  ]),
  ...mutantsOf("node/storage/messages/mail-queue.ts", QUEUE, [["if (ledger >= 0) return", "if (ledger > 5) return"]]),
  ...mutantsOf(
    "node/relay/keepers/serving/box-watchers.ts",
    ["node/relay/keepers/keeper-ranks.test.ts"],
    [
      ["watcher.sum.fingerprint !== fingerprint", "false"],
      ["      this.#putBack(watcher, boxes);\n", ""],
      ["    this.#noteLost(watcher, boxes);\n", ""],
    ],
  ),
  ...mutantsOf(
    "node/relay/keepers/carry/carried-watches.ts",
    ["node/relay/keepers/carry/carried-watches.test.ts"],
    [["    this.#shares.set(carrier, this.#rows.countOf(carrier));\n", ""]],
  ),
  ...mutantsOf(
    "node/relay/keepers/serving/watch-plan.ts",
    ["node/relay/keepers/keeper-ranks.test.ts"],
    [
      ["Math.min(missing, losing.most,", "Math.min(losing.most,"],
      ["kinds.every((kind) => boxes[kind].every((box) => this.#makeRoomAtBox(box, { coming, kind }, draft))) &&\n", ""],
      ["(own.unproven + own.proven > 0 ? 0 : limits.watcherCost)", "0"],
      ["    draft.takeBack();\n", ""],
    ],
  ),
  ...mutantsOf(
    "node/network/flow/paced-work.ts",
    ["node/network/flow/paced-work.test.ts"],
    [
      ["this.#usedBy(sender) < this.#usedBy(chosen)", "false"],
      ["Math.max(this.#usedMs.get(sender) ?? 0, this.#reachedMs)", "this.#usedMs.get(sender) ?? 0"],
      [" + tookMs / (this.#waiting.size + 2)", ""],
    ],
  ),
  ...mutantsOf(
    "node/relay/keepers/serving/watch-room.ts",
    ["node/relay/keepers/serving/watch-room.test.ts", "node/relay/keepers/keeper-ranks.test.ts"],
    [
      ["    if (spare > 0 && (spare >= this.missing(added) || most >= 1)) return this.#largest(other, spare);\n", ""],
      ["if (spare > 0 &&", "if (isProven && this.#used[other] > 0 &&"],
      [" && (spare >= this.missing(added) || most >= 1)", ""],
      ["this.#largest(other, spare)", "this.#largest(other, this.#used[other])"],
      ["this.#countOf(own, party) - added", "this.#countOf(own, party)"],
      ["this.#used[kind] += change;", ""],
    ],
  ),
  ...mutantsOf(
    "node/relay/keepers/serving/ranking.ts",
    ["node/relay/keepers/serving/watch-room.test.ts"],
    [
      ["this.#firsts.set(entry.count, entry.after);", ""],
      ["if (entry.after === entry) this.#firsts.delete(entry.count);", "if (entry.after === entry) return;"],
    ],
  ),
  ...mutantsOf(
    "node/relay/keepers/serving/row-lists.ts",
    ["node/relay/keepers/serving/watch-room.test.ts"],
    [
      ["    if (this.#isIn[row] === 1) return;\n", ""],
      ["    if (this.#isIn[row] !== 1) return;\n", ""],
    ],
  ),
  ...mutantsOf(
    "node/relay/keepers/serving/watch-shares.ts",
    ["node/relay/keepers/keeper-ranks.test.ts"],
    [
      ["largest === undefined || most < 1", "largest === undefined"],
      ["if (isProven && unproven !== undefined)", "if (unproven !== undefined)"],
    ],
  ),
  ...mutantsOf("node/relay/keepers/serving/keeper-service.ts", SERVICE, [
    ['    if (!this.#mayCheck("deletions", bringer, own.length)) return { type: "busy" };\n', ""],
    ["await this.#paced(from, () => this.#hear(mailbox, ids))", "this.#hear(mailbox, ids)"],
    ["KEEPER_LIMITS.memberDayBytes * member.weight", "KEEPER_LIMITS.memberDayBytes"],
    ["own.filter((item) => signaturesOf([item]) > 0 && !this.#holds(item))", "own"],
  ]),
  ...mutantsOf(
    "node/relay/keepers/delivery/delivery.ts",
    ["node/relay/keepers/delivery.test.ts"],
    [
      ["refusals > 0 ? [firstRefusedMs", "refusals > 99 ? [firstRefusedMs"],
      ["...(isHeldBack ? [nowMs + limits.budgetMs] : []),", ""],
      ["if (refusing.length > 1 ||", "if (refusing.length > 0 ||"],
      ["wasSent || attempts.has(keeper)", "attempts.has(keeper)"],
      ["    !isAnswerDue && delivery.ranks", "    delivery.ranks"],
      ["isDue(attempts.get(keeper), context) && !isKeeperHeldBack(delivery, keeper, context)", "isDue(attempts.get(keeper), context)"],
    ],
  ),
  ...mutantsOf("node/relay/keepers/repair/own-digests.ts", DIGESTS, [
    ["version !== this.#now() || ", ""],
    ["!this.#isSettled(version) || ", ""],
    ["    if (Math.abs(aheadMs - this.#aheadMs) > LEAP_MS) this.#begun = this.#start();\n", ""],
    ["    this.#aheadMs = aheadMs;\n", ""],
    ["if (version <= mark.latest) return false;", ""],
    ["    mark.latest = version;\n", ""],
    ["if (known !== undefined) return known;", ""],
    ["    this.#signed.clear();\n", ""],
  ]),
  ...mutantsOf("node/relay/keepers/repair/seen-digests.ts", DIGESTS, [
    ["if (!(await isSignedDigest(chainId, digest, verify))) return false;", ""],
    ["if (evidence !== undefined) onContradiction(evidence);", ""],
    ["if (other === undefined) this.#seen.set(name, digest);", ""],
  ]),
  ...mutantsOf("node/relay/keepers/repair/digest-exchange.ts", DIGESTS, [
    ["keepers.has(keeper) || ", ""],
    ["        this.#dependencies.onLie(keeper);\n", ""],
    ["for (const digest of seen) if", "for (const digest of []) if"],
    ["if (shared.size === 0) return", "if (shared.size < 0) return"],
    ["shared.has(slot) ? this.#sign(slot, version)", "slot >= 0 ? this.#sign(slot, version)"],
    ["shared.has(digest.slot) && ", ""],
    [" && ranks.isKeeperOfSlot(digest.keeper, digest.slot)", ""],
    ["keeper === asked ? undefined :", ""],
    ["rest.slice(0, count)", "rest"],
    ["(this.#isClosed ? [] : some.map(work))", "some.map(work)"],
  ]),
  ...mutantsOf("node/duties/lie-reporter.ts", LIES, [
    ["if (isValidator) lies.addAll(open, clock.nowMs());\n    else ", ""],
    ["chainNow().version >= SUSPENSION_VERSION", "chainNow().version > 0"],
    ["ageMs < this.#delayMs", "ageMs < 0"],
    ["ageMs >= 0 && ", ""],
    ["const fee = canPayFee(this.#options) ? leastFeeOf(this.#options) : 0;", "const fee = leastFeeOf(this.#options);"],
    ["voter?.canVote === true ? await voter.vote(evidence) : this.#ownReport(evidence)", "this.#ownReport(evidence)"],
    ["if (this.#underWay.has(relay)) return;", ""],
    [" || signedMs > clock.nowMs()", ""],
    [" + SHOWN_VERSIONS", " + 100_000"],
    [" || clock.monotonicMs() < known.againAtMs", ""],
    ["if (failure !== undefined) return true;", ""],
    ["signedMs <= timeMs - LIE_LIFETIME_S * 1_000 || ", ""],
  ]),
  ...mutantsOf("node/signer/server/sign-desk.ts", VOTES, [
    ["if (ballot.salt.every((byte) => byte === 0)) return", "if (ballot.salt.length === 0) return"],
    ["if (!this.#ballots.take(1, clock.monotonicMs()))", "if (clock.monotonicMs() < 0)"],
    ["verify(signature, message, relay)", "signature !== message && relay !== undefined"],
  ]),
  ...mutantsOf("node/signer/client/remote-signer.ts", VOTES, [
    ["this.#version = isEarlier ? 1 : 2;", ""],
    ["this.#isReady && this.canVote ? this.#connection : undefined", "this.#isReady ? this.#connection : undefined"],
  ]),
  ...mutantsOf("node/duties/lie-pool.ts", LIES, [
    ["known.evidence.version >= version", "true"],
    ["this.#found.size >= MAX_LIARS", "false"],
    ["if (removed.length > 0) this.#save();", ""],
  ]),
  ...mutantsOf("shared/protocol/keepers/mail-mode.ts", RULES, [
    ["keepers >= rules.startKeepers ? mode.enough + 1 : 0", "keepers >= rules.startKeepers ? mode.enough + 1 : mode.enough"],
    ["keepers < rules.leastKeepers ? mode.tooFew + 1 : 0", "keepers < rules.leastKeepers ? mode.tooFew + 1 : mode.tooFew"],
    ["mode.left <= 1", "mode.left <= 0"],
  ]),
  ...mutantsOf("shared/protocol/keepers/daily-seeds.ts", RULES, [
    ["known.lastDay + 1", "lastDay"],
    ["seeds.length - 1 - (lastDay - day)", "seeds.length - (lastDay - day)"],
  ]),
  ...mutantsOf("shared/protocol/keepers/directory.ts", RULES, [
    ["if (taken.has(network) || taken.has(wallet)) continue;", "if (taken.has(network)) continue;"],
    ["independentKeepers(keepers).length", "keepers.length"],
    ["sinceS < rules.overlapS ?", "sinceS > rules.overlapS ?"],
    ["if (before.has(relay.key)) take(relay);", "take(relay);"],
  ]),
  ...mutantsOf("shared/protocol/keepers/directory-records.ts", RULES, [
    ["|| hashOf(parts) !== partsHash", ""],
    ['key > (keepers[at - 1]?.key ?? "")', 'key >= (keepers[at - 1]?.key ?? "")'],
    ["seeds.length <= lastDay + 1", "true"],
    ["parts.map((part) => sha256(part))", "parts"],
  ]),
  ...mutantsOf("shared/protocol/keepers/placement.ts", RULES, [
    ["(first << 6) | (second >> 2)", "(first << 6) | (second & 63)"],
    ["compareBytes(score, best) > 0", "compareBytes(score, best) < 0"],
    ["    bytes[bytes.length - 1] = i;\n", ""],
    ["start - KEEPER_RULES.periodDays", "start"],
  ]),
  ...mutantsOf("shared/protocol/keepers/relay-network.ts", RULES, [
    ['if (rest.includes("p2p-circuit")) return undefined;', ""],
    ["[[172, 16], 12]", "[[172, 16], 16]"],
    ["missing < 1", "missing < 0"],
  ]),
  ...mutantsOf("node/relay/keepers/repair/mail-entries.ts", MACHINES, [
    ["entries?.has(position) === true", "entries?.has(position) === undefined"],
    ["if (position.startsWith(range)) found", "found"],
  ]),
  ...mutantsOf("node/relay/keepers/repair/repair-session.ts", MACHINES, [
    ["this.#passes > 0 && !this.#hasMoved", "false"],
    ["for (const entry of came) asked.delete(positionOf(entry));", "for (const entry of stored) asked.delete(positionOf(entry));"],
    ["position.startsWith(range) && ", ""],
    ["total <= listedEntries ||", ""],
    ["if (asked.has(positionOf(entry)) && this.#own.add(entry))", "if (this.#own.add(entry))"],
    ["this.#passes >= this.#limits.sessionPasses", "false"],
    ["range.length >= RANGE_DIGITS ||", ""],
  ]),
  ...mutantsOf("node/relay/keepers/delivery/delivery.ts", MACHINES, [
    ["receipts.has(keeper) && counts(keeper));", "receipts.has(keeper));"],
    ["delivery.bytes > passedOnBytes && isFirstTime", "delivery.bytes > passedOnBytes"],
    ["context.nowMs - attempt.askedAtMs < context.limits.answerMs", "true"],
  ]),
  ...mutantsOf(
    "node/storage/mailbox/served-recipient-repository.ts",
    ["node/relay/relay-network.test.ts"],
    [["count(*) DESC, party LIMIT 1", "party DESC LIMIT 1"]],
  ),
  ...mutantsOf(
    "node/relay/keepers/reading/keeper-reading.ts",
    ["node/relay/keepers/mail-collector.test.ts"],
    [
      ["ids.length + deletions.length > 0 || hasMore", "true"],
      ["ids.length + deletions.length > 0 || hasMore", "hasMore"],
    ],
  ),
  ...mutantsOf("node/storage/mailbox/largest-first.ts", DELETIONS, [
    ["weight * others > left", "weight > left"],
    ["if (weight > share) this.#trimParty", "this.#trimParty"],
    ["if (left <= 0) break;", ""],
  ]),
  ...mutantsOf("node/relay/keepers/serving/keeper-service.ts", DOUBTS, [["if (held.every(isThere)) return held;", "return held;"]]),
  ...mutantsOf("node/storage/mailbox/mailbox-repository.ts", DELETIONS, [
    ["place && (this.#broughtBy.get(place.seq, place.seq) ?? undefined)", "undefined"],
  ]),
  ...mutantsOf("node/relay/keepers/doubts/doubted-keepers.ts", DOUBTS, [
    ["nowMs - doubt.atMs >= limits.doubtMs", "false"],
    ["  next.delete(keeper);\n", ""],
    ["nowMs - known.atMs >= doubtMs ? undefined : known", "false ? undefined : known"],
    ["!isCertain && before !== undefined", "false && before !== undefined"],
  ]),
  ...mutantsOf("node/relay/keepers/doubts/keeper-doubts.ts", DOUBTS, [
    ["found.slice(-most)", "found"],
    [" && keys.has(keeper)", ""],
    ["memory.doubts = [...doubts]", "const unused = [...doubts]"],
  ]),
  ...mutantsOf("node/relay/keepers/doubts/receipt-audit.ts", DOUBTS, [
    ['if ((await this.#look(keeper, { box, id, mark })) !== "lacks"', 'if ((await this.#look(keeper, { box, id, mark })) === "unknown"'],
    ["if (await this.#give(keeper, item, mark)) this.#wait", "await this.#give(keeper, item, mark); this.#wait"],
    ['if (response?.type !== "mail") return "unknown";', 'if (response?.type !== "mail") return "lacks";'],
    [' || (elsewhere === "lacks" && !isAdmitted)', ""],
    ['if (found === "deleted") return "deleted";', ""],
    ['isCertain: isAdmitted && elsewhere === "kept"', "isCertain: true"],
    ["if (known === undefined && this.#waiting.size >= limits.audits) return;", ""],
    ["known.hasSignedOn || this.#draw(known.seen) > 0", "known.hasSignedOn"],
    ["if (waiting.hasSignedOn) this.#find", "this.#find"],
    ["if (waiting.receipt.atMs > nowMs) this.#forget(waiting)", "if (waiting.receipt.atMs > nowMs) continue"],
    [" || envelopeBytes(item.envelope) > limits.auditBytes) return;", ") return;"],
  ]),
  ...mutantsOf("node/relay/keepers/placing/keeper-ranks.ts", MACHINES, [
    ["new Set([newest, ...this.#inForce()])", "new Set(this.#inForce())"],
  ]),
  ...mutantsOf("node/relay/keepers/placing/mail-way.ts", MACHINES, [
    ["sinceMs < BOTH_WAYS_MS", "true"],
    ["newest.beganS - alone.sinceS >= FORGET_AFTER_S", "true"],
    ["beganS - alone.seenS < SAME_TIME_S", "true"],
    ["ageS <= LATEST_S && ", ""],
  ]),
  ...mutantsOf("node/relay/keepers/repair/repair-plan.ts", MACHINES, [
    ["before.length < KEEPER_RULES.keeping", "true"],
    ["before.filter(isReached).length < LEAST_LIVE", "false"],
    ["if (!plan.has(keeper)) plan.set(keeper, [slot]);", "{}"],
  ]),
  ...mutantsOf("node/relay/keepers/repair/kept-fetcher.ts", MACHINES, [
    ["leftMs < limits.leastKeptMs || ", ""],
    ['if (store.deleted.has(box, id)) return "deleted";', ""],
    ["receivedAtSec: entry.receivedSec", "receivedAtSec: 1"],
    ["if (notices.length > 0) await ask", "if (notices.length > 99) await ask"],
  ]),
  ...mutantsOf("node/relay/keepers/repair/repair-slot.ts", MACHINES, [
    ["response.answers.every((answer) => isOfSlot(answer, slot)) ? response.answers : []", "response.answers"],
  ]),
  ...mutantsOf("node/relay/keepers/repair/slot-mail.ts", MACHINES, [["      this.#digests.delete(slot);\n", ""]]),
  ...mutantsOf("node/relay/keepers/sending/return-to-gossip.ts", MACHINES, [
    ["if (keeps(box)) yield*", "yield*"],
    ["    yield* this.#onTheWay();\n", ""],
  ]),
  ...mutantsOf("node/relay/keepers/sending/forget-mail.ts", MACHINES, [
    ["each.answered.length >= this.#limits.receiptsToForget", "each.answered.length >= this.#limits.receiptsToHandOver"],
    ["answered.every((keeper) => keepers.has(keeper))", "answered.some((keeper) => keepers.has(keeper))"],
    ["if (!this.#isForeign(box)) return;", ""],
    ["!isAuthenticEnvelope(stored.envelope)", "false"],
  ]),
  ...mutantsOf("node/relay/keepers/serving/keeper-typing.ts", MACHINES, [["isKeeper && this.#newsRate", "this.#newsRate"]]),
  ...mutantsOf("node/relay/keepers/sending/mail-sender.ts", MACHINES, [
    ["(await isSignedReceipt(chainId, receipt, verify)) ? receipt : undefined", "receipt"],
    ['if (outcome.is === "full") throw this.#full(noRoom);\n', ""],
    ["untilSec >= leastSec", "true"],
    ["this.#hasSetAside ||= count > 0;", ""],
  ]),
  ...mutantsOf(
    "node/relay/keepers/sending/mail-sender.ts",
    ["node/relay/keepers/mail-sender.test.ts"],
    [
      ["      if (this.#onTheWay.has(seq)) continue;\n", ""],
      ["(this.#aside.peek(seq)?.nextAtMs ?? 0) > nowMs", "false"],
      ["upToSeq: this.#readUpTo, wasSent: true", "upToSeq: this.#readUpTo, wasSent: false"],
      ['if (input?.is === "receipt") this.#noteAside', "if (input === null) this.#noteAside"],
    ],
  ),
  ...mutantsOf(
    "node/relay/keepers/sending/mail-sender.ts",
    ["node/relay/mail-floods.test.ts"],
    [
      ["if (isOpen && this.#refusing.has(writer))", "if (isOpen && box === source.party)"],
      ["if (receipts.size > 0) this.#refusing.delete(writer);", "if (receipts.size > 99) this.#refusing.delete(writer);"],
      ["else if (refusing >= this.#limits.receiptsToForget)", "else if (refusing > 99)"],
    ],
  ),
  ...mutantsOf("node/relay/keepers/deletion-search.ts", MACHINES, [
    ["    this.#left -= 1;\n", ""],
    ["this.#places.has(placeOf(box, id)) || ", ""],
    [" || !this.#store.deleted.has(box, id)", ""],
  ]),
  ...mutantsOf("node/relay/keepers/serving/keeper-service.ts", MACHINES, [
    ["isSameAdmitted({ ...held.envelope, sent_at }, envelope)", "true"],
    ["isSameAdmitted({ ...held.envelope, sent_at }, envelope)", "isSameAdmitted(held.envelope, envelope)"],
    ["ranks.isKeeperOfSlot(asking, slot) && ", ""],
    ['this.#isClosed ? { type: "busy" } : work()', "work()"],
  ]),
  ...mutantsOf("node/relay/keepers/serving/box-watchers.ts", MACHINES, [
    ["nowMs - watcher.seenAtMs >= this.#limits.leaseMs", "!isThere"],
    ["watcher.sum.count + added.length > this.#limits.watchedByNode", "false"],
  ]),
  ...mutantsOf("node/relay/keepers/reading/keeper-reading.ts", MACHINES, [
    ["if (!hasContent) await this.#fetchMissing(page);\n", ""],
    ["store.sizeOf(box, id) === undefined && !store.deleted.has(box, id)", "store.sizeOf(box, id) === undefined"],
    ["await this.#tellDeleted(page);\n", ""],
  ]),
  ...mutantsOf("node/relay/keepers/unproven/merged-list.ts", MACHINES, [["ids.length > this.#mostOfOne", "false"]]),
  ...mutantsOf("node/relay/keepers/unproven/unproven-mail.ts", MACHINES, [
    ["asked.delete(envelope.id) && isAuthenticEnvelope(envelope)", "asked.delete(envelope.id)"],
    ["list.leaveOut(id, !isUnreal);", "list.leaveOut(id, false);"],
  ]),
  ...mutantsOf("node/relay/keepers/unproven/keeper-lines.ts", MACHINES, [
    ["this.#dependencies.clock.monotonicMs() < (this.#failing.get(keeper)?.untilMs ?? 0)", "false"],
  ]),
  ...mutantsOf("node/relay/owners/public-cards.ts", CARDS, [
    ["!isTimely || ", ""],
    ["!isFreshPublicCard(card, newest.timeMs)", "false"],
    ["if (known !== undefined) return known;", ""],
    ['if (!(await this.#dependencies.isListed(card.masterPub, device))) return "unlisted";', ""],
    ["held.number < card.number", "held.number !== card.number"],
    ["card?.masterPub !== person || ", "card === undefined || "],
    [" && (best === undefined || card.number > best.card.number)", ""],
    ["if (isBetter && (await this.#dependencies.isListed(card.masterPub, device)))", "if (isBetter)"],
  ]),
  ...mutantsOf("node/relay/keepers/card-exchange.ts", CARDS, [
    ["numberOf(found.card) >= numberOf(card)", "true"],
    ["if (taken < Math.min(2, copies))", "if (taken < 1)"],
    ['if (outcome === "false") return undefined;', ""],
    ["if (decodePublicCard(card)?.masterPub !== person) return undefined;", ""],
    ['return { type: "busy" };\n    }', "throw error;\n    }"],
    [
      "    this.#writing += 1;\n    try {\n      const outcome = await cards.take(device, card);",
      "    const outcome = await cards.take(device, card);\n    this.#writing += 1;\n    try {",
    ],
  ]),
  ...mutantsOf(
    "node/composition/node-start.ts",
    ["node/composition/node-start.test.ts"],
    [["linked === undefined ? readIdentity", "linked?.masterPub !== person ? readIdentity"]],
  ),
  ...mutantsOf("node/storage/messages/public-card-store.ts", CARDS, [
    ["!isOne && ", ""],
    ["PRIMARY KEY (device, person)", "PRIMARY KEY (device)"],
    ["number <= ?", "number < ?"],
  ]),
  ...mutantsOf("node/relay/keepers/sending/put-batches.ts", MACHINES, [["if (outbox.waiting.delete(seq)) ", "if (seq < 0) "]]),
];
