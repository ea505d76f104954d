import { mutantsOf } from "../mutant.ts";

const MODEL = ["shared/messenger/model"];
const EXCHANGE = ["shared/messenger/exchanging.test.ts", "shared/messenger/messaging.test.ts"];
const REPORTS = ["shared/messenger/block-reports.test.ts"];
const GROUPS = ["shared/messenger/commands/groups.test.ts"];

const DEVICES = [
  "shared/messenger/state",
  "shared/messenger/attacks.test.ts",
  "shared/messenger/find-publication.test.ts",
  "shared/messenger/first-look.test.ts",
];
const COPIED = ["shared/messenger/copied-devices.test.ts"];

const PAIRS = ["shared/messenger/pairs"];
const SCHEDULES = ["../simulation/messages/message-simulation.test.ts"];
const VERSION_2 = ["shared/messenger/changes/pairs/version-2.test.ts"];
const BACKUP = ["shared/messenger/transfer/backup.test.ts"];
const PUBLIC_RECORD = ["shared/messenger/changes/pairs/public-record.test.ts"];
const PUBLIC_RETRIES = ["shared/messenger/changes/pairs/public-retries.test.ts"];
const PUBLIC_CARDS = ["shared/messenger/changes/pairs/public-cards.test.ts"];
const SET_ASIDE = ["shared/messenger/receiving/set-aside.test.ts", "shared/messenger/receiving/old-form.test.ts"];
const AHEAD = ["shared/messenger/sending/sealed-ahead.test.ts"];
const TRANSFER = ["shared/messenger/transfer/device-transfer.test.ts"];
const UNDER_WAY = ["shared/messenger/transfer/parts-under-way.test.ts"];
const LARGE = ["shared/messenger/transfer/large-files.test.ts", ...TRANSFER];
const STICKERS = [
  "shared/messenger/commands/own-stickers.test.ts",
  "shared/messenger/changes/stored-stickers.test.ts",
  "shared/content/chat/sticker-content.test.ts",
];
const STORED = ["shared/messenger/commands/stored-files.test.ts"];
const DAY_KEYS = ["shared/messenger/store/day-keys/day-keys.test.ts"];
const COVER = ["shared/messenger/state/outbox/waits.test.ts"];

/** The messenger: order, groups, changes, expiry. */
export const MESSENGER = [
  ...mutantsOf("shared/messenger/state/outbox/later-devices.ts", COVER, [
    ["Math.max(drawWait(cover.further, random), waits.get(device) ?? outbox.longestWaitFor(device))", "drawWait(cover.further, random)"],
    ["compare(b.atHandAt, a.atHandAt) || compare(b.at, a.at)", "compare(b.at, a.at)"],
    ["later: withoutUnlisted(record, parts)", "later: undefined"],
    ['task.body.kind.startsWith("call.")', "false"],
    [' || task.body.kind === "pay.receipt"', ""],
    ["if (peer === me && isOfGroup && COPIED.has(task.kind)) return new Set();", ""],
  ]),
  ...mutantsOf(
    "shared/messenger/changes/chats/answers.ts",
    ["shared/messenger/attacks.test.ts"],
    [
      ['return withoutQuote(record, "gone");', ""],
      ["if (others.length >= MAX_TIED_ANSWERS)", "if (others.length > MAX_TIED_ANSWERS)"],
      ["outlives(record.expiry?.seconds ?? 0, original)", "false"],
      ['change.updateMessage(key, withoutQuote(answer, "gone"));', ""],
      ["requeue(outbox, change, key, bodyWithoutQuote);", ""],
    ],
  ),
  ...mutantsOf(
    "shared/messenger/changes/chats/answers.ts",
    ["shared/messenger/commands/removing/removals.test.ts"],
    [
      ["keepAnswer(undoable.get(answered)?.answers, { key, record });", ""],
      ["await tied(context, change, { key, record: whole })", "whole"],
      ["gone.record = whole", "gone.record = current"],
    ],
  ),
  ...mutantsOf(
    "shared/messenger/commands/removing/bring-back.ts",
    ["shared/messenger/commands/removing/removals.test.ts"],
    [
      ["isOverByBoth(expiry, now)", "(expiry.startedAt ?? now.ownMs) + expiry.seconds * 1_000 <= now.ownMs"],
      ["for (const { answers } of back) await tieAgain(context, change, answers);", ""],
    ],
  ),
  ...mutantsOf(
    "shared/messenger/views/pair-typing.ts",
    ["shared/messenger/boxes.test.ts", "shared/messenger/views/pair-typing.test.ts"],
    [
      ["if (pair === undefined || pair.peer !== peer || !isBound(pair)) return", "if (true) return"],
      ["[slot - 1, slot, slot + 1].map((at) => typingName(one, at))", "[typingName(one, slot)]"],
      ["[psk, ...(known?.psks ?? [])].slice(0, CARDS_KNOWN)", "[psk]"],
      ["if (person === peer && shown !== null", "if (shown !== null"],
    ],
  ),
  ...mutantsOf("shared/messenger/changes/chats/queue-receipt.ts", COVER, [
    ["notUnderWay(leastMs)", "notUnderWay(0)"],
    ["isSame(waiting.task, task) && waiting.task.ids.length <= room", "isSame(waiting.task, task)"],
    [
      "if (isDelivered(waiting.task)) without(change, waiting, task.ids)",
      "if (isDelivered(waiting.task)) change.deleteOutbox(waiting.seq)",
    ],
  ]),
  ...mutantsOf("shared/messenger/state/outbox/outbox-queue.ts", COVER, [
    ["Math.min(Math.max(0, atMs - this.#clock.nowMs()), longestMs)", "Math.max(0, atMs - this.#clock.nowMs())"],
    ["Math.max(leavesMs, Math.min(...later))", "leavesMs"],
    ["attempts > 0 || later.length === 0 ? leavesMs", "later.length === 0 ? leavesMs"],
  ]),
  ...mutantsOf(
    "shared/messenger/changes/pairs/pair-plaintext.ts",
    ["shared/messenger/changes/pairs/pair-plaintext.test.ts"],
    [
      ["Math.max(length - own, FRAME_BYTES)", "length - own"],
      ["Math.max(own, bodyLength(twin))", "own"],
    ],
  ),
  ...mutantsOf(
    "shared/messenger/views/chat-window.ts",
    ["shared/messenger/views"],
    [
      ["isReceipt(message) || message.isUnread", "message.isUnread"],
      ["return joined({ ...window, ...end, messages, apart });", "return { ...window, ...end, messages, apart };"],
      ["isReceipt(message) === areReceipts", "areReceipts"],
      ["known.get(message.key) ?? message", "message"],
      ["(!hasNewer || (newest !== undefined && comparePositions(message, newest) < 0))", "true"],
      [".slice(0, MAX_APART)", ""],
      ["if (next.messages.length === 0) return atNewest(next, held);", ""],
    ],
  ),
  ...mutantsOf(
    "shared/messenger/views/chat-view.ts",
    ["shared/messenger/views"],
    [
      ["is not drawn.\n      if (this.#waysBack === 0) this", "is not drawn.\n      this"],
      ["if (isBeyond) this.#window = atNewest(this.#window, this.#held);", ""],
    ],
  ),
  ...mutantsOf(
    "shared/messenger/receiving/inbox.ts",
    ["shared/messenger/messaging.test.ts"],
    [["removals.push(this.#remove(stored))", "removals.push(this.#remove(entries))"]],
  ),
  ...mutantsOf(
    "shared/messenger/receiving/inbox.ts",
    ["shared/messenger/receiving/shown-ahead.test.ts"],
    [
      ["this.#context.publish({ messages, deleted: [] }, false)", "void messages"],
      ["deleted: messages.map(({ key }) => key) }", "deleted: [] }"],
    ],
  ),
  ...mutantsOf("shared/messenger/sending/outbox.ts", AHEAD, [
    ["const { leaving } = change;", "const { leaving } = change;\n    if (send !== undefined) void this.#run({ records: leaving, send });"],
    ["undefined;\n    this.#isRunning = true;", "undefined;"],
  ]),
  ...mutantsOf("shared/messenger/sending/delivery.ts", AHEAD, [
    ["const { assigned } = await assignIn(context, change,", "const { assigned } = await assignIn(context, new Change(context),"],
    ['if (leaving.some(({ task }) => task.kind !== "message")) return undefined;', ""],
  ]),
  ...mutantsOf(
    "shared/messenger/node/signed-deletions.ts",
    ["shared/messenger/node/signed-deletions.test.ts"],
    [
      ["await inTurn(() => options.removeHere(mailbox, id))", "await options.removeHere(mailbox, id)"],
      ["const REQUESTS = 8;", "const REQUESTS = 80;"],
    ],
  ),
  ...mutantsOf("shared/messenger/receiving/block-reports.ts", REPORTS, [
    ["this.#isStopped || !registry.isContact(person)", "this.#isStopped"],
    ["if (known === undefined || !isContradiction(known)) this.#put(report);", "this.#put(report);"],
    ["(isSame || height < known.height)", "isSame"],
    ["clock.nowMs() - report.at < PATIENCE_MS", "true"],
    ["hasNewContradiction || isDue", "false"],
  ]),
  ...mutantsOf(
    "shared/messenger/node/their-public-cards.ts",
    [...PUBLIC_CARDS, "shared/messenger/node/their-public-cards.test.ts"],
    [
      ["card.masterPub === person && ", ""],
      [
        "const { person, device } = owner;\n    const name = ownerName(owner);",
        "const { person, device } = owner;\n    const name = device;",
      ],
      ["one !== undefined && isPresentPublicCard(one, blockMs)", "one !== undefined"],
      [" && (await isGenuinePublicCard(node.chainId, device, card))", ""],
    ],
  ),
  ...mutantsOf("shared/messenger/sending/sealing.ts", PUBLIC_CARDS, [
    ["hidesSender: true,", "hidesSender: false,"],
    ["underCard !== undefined && ", "context.epochs.keyFor(device, 0).kind === 'lasting' && underCard !== undefined && "],
    ['entry.record.task.kind === "again"', "false"],
  ]),
  ...mutantsOf("shared/messenger/sending/pair-sender.ts", PUBLIC_CARDS, [
    ["if (publicCard !== undefined)", "if (account === undefined && publicCard !== undefined)"],
  ]),
  ...mutantsOf("shared/messenger/receiving/boxes/aside-record.ts", SET_ASIDE, [
    ["items.filter(({ isVouched }) => isVouched === item.isVouched)", "[...items]"],
    ["(same.isVouched || !item.isVouched)", "true"],
    ["fits(ofDevice, item, MAX_CLAIMED_OF_DEVICE, MAX_CLAIMED_BYTES_OF_DEVICE) &&", "ofDevice.length >= 0 &&"],
    ["blockMs - blockAt < RETENTION_MS", "blockMs - at < RETENTION_MS"],
    ["return nowMs < at || nowMs - at", "return nowMs - at"],
  ]),
  ...mutantsOf("shared/messenger/receiving/boxes/waiting-mail.ts", SET_ASIDE, [
    [" && ofPerson.length < MAX_WAITING_OF_PERSON", ""],
    ["if (nowMs - seenMs >= UNSEEN_MS) this", "if (nowMs < 0) this"],
    ["sinceMs, seenMs: nowMs", "sinceMs, seenMs: sinceMs"],
  ]),
  ...mutantsOf("shared/messenger/state/key-directory.ts", SET_ASIDE, [
    ["if (known !== undefined) return known;\n    const keys", "const keys"],
  ]),
  ...mutantsOf("shared/messenger/receiving/inbox.ts", SET_ASIDE, [
    ["from !== masterPub && this.#isKnown(from)", "from !== masterPub"],
    ["[aside.asItCame(mail, received)]", "[received]"],
  ]),
  ...mutantsOf("shared/messenger/receiving/boxes/aside-mail.ts", SET_ASIDE, [
    ["return card !== undefined && isCertified(", "return card !== undefined || isCertified("],
    ["isOver: isOver(item, clocks),", "isOver: false,"],
    ["if (this.#next === this.#items) return;", "return;"],
  ]),
  ...mutantsOf(
    "shared/messenger/receiving/boxes/newer-mail.ts",
    ["shared/messenger/receiving/newer-mail.test.ts"],
    [
      ["other.box === box", "true"],
      [".filter((other) => other.isKnown === isKnown)", ""],
      ["if (!this.#kept.has(id) && !this.#hasRoom(entry)) return false;", ""],
      ["if (reading < this.#reading) ", ""],
    ],
  ),
  ...mutantsOf("shared/messenger/changes/pairs/apply-pair.ts", PUBLIC_RETRIES, [
    ["...(cardId !== null && { isProven: true }),", "isProven: true,"],
    ["takesFiles: files, opensForm: 0 }", "takesFiles: files }"],
    ["return isUnacknowledged(context, change, event.from) ? undefined : pairWith(", "return pairWith("],
    ["if (context.registry.isBlocked(event.from)) return change.pair(event.device);", ""],
    [" || isUnacknowledged(context, change, record.peer)) return;", ") return;"],
  ]),
  ...mutantsOf("shared/messenger/changes/pairs/leave-contents.ts", PUBLIC_RETRIES, [
    ["publicCard !== undefined && mayGetPublic(record)", "publicCard"],
  ]),
  ...mutantsOf("shared/messenger/changes/pairs/public-record.ts", PUBLIC_RECORD, [
    ["day < card.day + PUBLIC_CARD_DAYS", "true"],
    ["number > newest.number && ", ""],
    ["cards.length >= MAX_PUBLIC_CARDS", "false"],
    [" || unpublished === REFUSED", ""],
  ]),
  ...mutantsOf(
    "shared/messenger/changes/files/file-box-record.ts",
    ["shared/messenger/changes/file-box-record.test.ts"],
    [
      [" && [...signed, ...first].every(isServed)", ""],
      ["device === account.devicePub || ", ""],
    ],
  ),
  ...mutantsOf(
    "shared/messenger/sending/remove-messages.ts",
    ["shared/messenger/commands/stored-files.test.ts"],
    [
      ["...(isOver ? {} :", "...(isOver || message.expiry !== undefined ? {} :"],
      ["expiry === undefined ? {}", "expiry !== null ? {}"],
    ],
  ),
  ...mutantsOf(
    "shared/messenger/commands/removing/bring-back.ts",
    ["shared/messenger/commands/removing/removals.test.ts"],
    [
      ["&& !isOver(record)", ""],
      ['record.held?.fate.kind !== "unsent" && ', ""],
      ['if (record.held?.fate.kind === "unsent") await reopenRequest(', 'if (record.held?.fate.kind === "handed") await reopenRequest('],
      ["await amended(context, change, { key, record: received, author })", "received"],
      ["if (transfer.done >= transfer.total || isLarge(body)) return record;", "if (transfer.done < transfer.total) return record;"],
      ['draft: draft === "" ? record.draft : draft', "draft"],
    ],
  ),
  ...mutantsOf(
    "shared/messenger/commands/removing/removals.ts",
    ["shared/messenger/commands/removing/removals.test.ts"],
    [
      ["await clearFiles(change, held.files, held.files);", ""],
      ["for (const message of removed.messages) undoable.set(message.key, message);", ""],
      ["if (isUndoable) await this.#makeRoom(count);", "await this.#makeRoom(count);"],
      ["change.batch.putMeta(LEFT_FILES_KEY, [...(await leftFiles(change)), ...removed.files]);", ""],
    ],
  ),
  ...mutantsOf(
    "shared/messenger/receiving/apply-message.ts",
    ["shared/messenger/receiving.test.ts"],
    [["flags?.isArchived !== true || change.isStranger(record.conversation)", "flags?.isArchived !== true"]],
  ),
  ...mutantsOf(
    "shared/messenger/changes/change.ts",
    ["shared/messenger/commands/payments.test.ts"],
    [["const isOpen = isHere && isOpenRequest(record);", "const isOpen = isOpenRequest(record);"]],
  ),
  ...mutantsOf(
    "shared/messenger/changes/files/stored-files.ts",
    ["shared/messenger/changes/stored-files.test.ts"],
    [[" || (await hasEnough(change, wanted, record))", ""]],
  ),
  ...mutantsOf("shared/content/chat/sticker-content.ts", STICKERS, [
    ['voice !== undefined || caption !== "" || ', ""],
    ["size <= MAX_STICKER_BYTES && Math", "Math"],
    ["bytes.length <= MAX_STICKER_BYTES && Math", "Math"],
  ]),
  ...mutantsOf("shared/messenger/changes/chats/stored-stickers.ts", STICKERS, [
    ["batch.deleteMeta(bytesKey(id));", ""],
    ["stickerId(data) !== id || !isWholeSticker(whole) || ", "!isWholeSticker(whole) || "],
    ["!isWholeSticker(whole) || !(await", "!(await"],
    [" || !(await isNews(batch, { id, ...whole }))", ""],
    ["if (known !== undefined && changeOf(known) >= at) return;", ""],
    ["if (!isMoment(at)) return;", ""],
    ["after.slice(0, MAX_REMOVED_STICKERS)", "after"],
    ["  await makeRoom(context, change);\n", ""],
  ]),
  ...mutantsOf("shared/messenger/commands/files/own-stickers.ts", STICKERS, [["stickers.length >= MAX_STICKERS && ", "false && "]]),
  ...mutantsOf("shared/messenger/transfer/sticker-parts.ts", STICKERS, [
    ["at < all.length && chars < PART_CHARS;", "at < all.length && chars < PART_CHARS && at < 2;"],
    ["data === undefined || !isWholeSticker({ ...rest, data })", "data === undefined"],
    ["hasRoom && (await isNews(batch, { ...rest, id }))", "hasRoom"],
    ["if (ID.test(id)) await takeRemoval(batch, { id, at });", ""],
  ]),
  ...mutantsOf("shared/messenger/changes/files/box-cipher.ts", STORED, [
    ["new Uint8Array(PLAIN_BYTES);", "new Uint8Array(LENGTH_BYTES + data.length);"],
  ]),
  ...mutantsOf("shared/messenger/commands/files/file-boxes.ts", STORED, [
    ['(phase === "stored" && readers.length === 0)', '(phase === "stored")'],
    ["(untilMs !== undefined && this.#context.slower.nowMs() >= untilMs)", "false"],
    ["if (isCodedError(error) && REFUSALS.has(error.code)) return this.#sendToEach(record);", ""],
    ["const all = transfer.total + total * (left - 1);", "const all = transfer.total + total * (people.length - 1);"],
  ]),
  ...mutantsOf("shared/messenger/commands/files/stored-reads.ts", STORED, [
    ["const isGenuine = await isWhole(body, (index) => store.readChunk({ author, id, index }));", "const isGenuine = true;"],
    ["clock.monotonicMs() - reading.emptySinceMs >= STALLED_MS || ", ""],
  ]),
  ...mutantsOf("shared/messenger/changes/files/file-requests.ts", STORED, [
    ["if (stored && (await isBeingStored(change, id, clock.nowMs()))) return;", ""],
  ]),
  ...mutantsOf("shared/messenger/transfer/device-transfer.ts", TRANSFER, [
    ["for (const { chunk } of files) await checkFile(this.#context, chunk);", ""],
    ["if (!(await this.#hasRoom())) {", "if (Number.isNaN(this.#roomFromMs)) {"],
  ]),
  ...mutantsOf("shared/messenger/transfer/parts-under-way.ts", UNDER_WAY, [
    ["if (again || (after !== this.#from && arrived === -1)) this.forget(after);", "if (again) this.forget(after);"],
    ["this.#marks.splice(0, arrived + 1);", ""],
    ["this.#isOver = isLast;", ""],
    ["if (part.done < done) return;", ""],
    ["return isQuiet ? this.#ask(true, nowMs) : undefined;", "return this.#ask(true, nowMs);"],
    ["this.#isSteady ? this.#ahead / 4 : FIRST_AHEAD", "this.#ahead / 4"],
  ]),
  ...mutantsOf("shared/messenger/transfer/device-transfer-parts.ts", LARGE, [
    ["isLast: next === undefined && (wanted.areLarge || !hasLarge)", "isLast: next === undefined"],
    ['wanted.areLarge || (next === undefined && hasLarge) ? "l" : "f"', 'wanted.areLarge || next === undefined ? "l" : "f"'],
  ]),
  ...mutantsOf("shared/messenger/sending/pair-request.ts", REPORTS, [
    ["registry.isContact(part.to) ? newestBlock.known : undefined", "newestBlock.known"],
  ]),
  ...mutantsOf("shared/messenger/receiving/interpret-envelope.ts", REPORTS, [
    ["content.block && content.chainId === node.chainId", "content.block"],
  ]),
  ...mutantsOf(
    "shared/messenger/receiving/apply-group.ts",
    ["shared/messenger/commands/group-log.test.ts"],
    [["known.keeper === account.masterPub && known.entries[from] !== undefined", "known.keeper === account.masterPub"]],
  ),
  ...mutantsOf("shared/messenger/changes/group-log/shown-log.ts", GROUPS, [
    ["? { record: group, log: undefined } :", "? { record: group, log } :"],
  ]),
  ...mutantsOf("shared/messenger/receiving/apply-group.ts", GROUPS, [["|| !mayWrite(known, me, { at, nowMs })", ""]]),
  ...mutantsOf("shared/messenger/changes/chats/group-answers.ts", GROUPS, [["if (times.length >= MAX_ANSWERS) return false;", ""]]),
  ...mutantsOf(
    "shared/messenger/sending/expiry-scheduler.ts",
    ["shared/messenger/exchanging.test.ts"],
    [["Math.min(MAX_DELAY_MS, Math.max(0, delayMs))", "Math.max(0, delayMs)"]],
  ),
  ...mutantsOf("shared/messenger/changes/chats/begin-time.ts", EXCHANGE, [
    ["if (!isHandedIn(record) || (await waitsHere(context, change, key, record))) continue;", ""],
    ["(await waitsHere(context, change, key, record))", "false"],
  ]),
  ...mutantsOf(
    "shared/messenger/running/mail-first.ts",
    ["shared/messenger/group-attacks.test.ts"],
    [
      ["this.#sinceMs = this.#context.clock.monotonicMs();", ""],
      ["MAIL_FIRST_MS, () => this.#end()", "MAIL_FIRST_MS, () => undefined"],
    ],
  ),
  ...mutantsOf(
    "shared/messenger/state/clocks/slower-clock.ts",
    ["shared/messenger/state/clocks/slower-clock.test.ts"],
    [
      ["return Math.min(ownMs, chainMs);", "return ownMs;"],
      ["+ Math.max(0, monotonicMs - this.#sinceMs)", ""],
      ["(this.#isAssumed && blockMs > 0)", "false"],
    ],
  ),
  ...mutantsOf(
    "shared/messenger/model/progress/message-time.ts",
    ["shared/messenger/state/clocks/slower-clock.test.ts"],
    [
      ["return ownMs <= 0 && chainMs <= 0;", "return ownMs <= 0;"],
      ["startedAt === null || ownMs < startedAt ? left", "startedAt === null ? left"],
    ],
  ),
  ...mutantsOf(
    "shared/messenger/state/streams.ts",
    ["shared/messenger/state/streams.test.ts"],
    [
      ["!isKnown(peer) || isAged", "isAged"],
      ["count > 0 && seenAt < beforeMs", "seenAt < beforeMs"],
    ],
  ),
  ...mutantsOf("shared/messenger/model/stream-gaps.ts", MODEL, [
    ["position <= record.upTo ||", "position < record.upTo ||"],
    ["ahead.length > MAX_AHEAD", "ahead.length > 10 * MAX_AHEAD"],
    ["upTo === record.upTo && record.gap !== null", "record.gap !== null"],
    ["last - record.upTo - record.ahead.length", "last - record.upTo"],
    ["record.ahead[count] === upTo + 1", "(record.ahead[count] ?? 0) > upTo"],
  ]),
  ...mutantsOf("shared/messenger/model/group-state.ts", MODEL, [
    ["(isOwn || author === state.keeper)", "(isOwn || author !== me)"],
    ["if (!isOwn && !isByAdmin(known, state, author)) return undefined;", ""],
    ["name.text > known.name.text", "name.text < known.name.text && false"],
    ["compareEntries(known, entry) >= 0", "compareEntries(known, entry) > 1"],
    ["at <= entry.at && nowMs <=", "nowMs <="],
    ["if (a.since !== b.since) return a.since - b.since;", ""],
  ]),
  ...mutantsOf(
    "shared/messenger/model/amend-message.ts",
    [...MODEL, ...EXCHANGE],
    [
      ["from !== author || at - record.at > CHANGE_MS", "at - record.at > CHANGE_MS"],
      [" || cameTooLate(record, arrival)) return undefined;", ") return undefined;"],
      ["arrival.earliestMs - (arrivedAt ?? at) > CHANGE_MS", "arrival.earliestMs - at > CHANGE_MS"],
      ["    earlier: _earlier,\n", ""],
      ["reaction.at > known.at ||", "reaction.at >= known.at ||"],
      ["if (all.length <= MAX_WORDINGS) return all;", "return all;"],
      ["index !== 1", "index !== 0"],
      ["if (order < 0) return kept", "if (order < -1) return kept"],
    ],
  ),
  ...mutantsOf(
    "shared/messenger/receiving/apply-message.ts",
    ["shared/messenger/late-mail.test.ts"],
    [
      ["lateMs > MAX_LATE_MS ? { ...item, at: 0 } : item", "item"],
      ["lateMs > SKEW_MS ?", "lateMs > MAX_LATE_MS ?"],
      ["from === account.masterPub ? {} : { arrival", "from !== account.masterPub ? {} : { arrival"],
    ],
  ),
  ...mutantsOf(
    "shared/content/chat/link-preview.ts",
    ["shared/content/chat/link-preview.test.ts"],
    [
      ["firstLink(text) === preview.link", "text.includes(preview.link)"],
      ["|| WORD.test(text.charAt(index - 1))", ""],
      ["!PRIVATE_ENDS.includes(", "PRIVATE_ENDS.includes("],
    ],
  ),
  ...mutantsOf(
    "shared/content/chat/mention-content.ts",
    ["shared/content/content.test.ts"],
    [
      ["mention.start < end || ", ""],
      [" && end <= text.length", ""],
      [" && !CUTS_PAIR.test(text.slice(end - 1, end + 1))", ""],
    ],
  ),
  ...mutantsOf("shared/messenger/model/group-state.ts", MODEL, [["group?.entries[person] !== undefined", "person !== undefined"]]),
  ...mutantsOf("shared/messenger/model/progress/outgoing-state.ts", MODEL, [
    ["STATE_ORDER.indexOf(state) <= STATE_ORDER.indexOf(known)", "STATE_ORDER.indexOf(state) < 0"],
    ['state === "failed" ? ("queued" as const) : state', "state"],
  ]),
  ...mutantsOf(
    "shared/messenger/receiving/apply-message.ts",
    ["shared/messenger/receiving.test.ts", ...EXCHANGE],
    [
      ["if (await change.batch.hasSeen(key)) {\n    await noteGoneAgain(change, key, item);", "if (false) {"],
      ["claimedMs <= 0 || claimedMs > nowMs + SKEW_MS", "claimedMs <= 0"],
    ],
  ),
  ...mutantsOf("shared/messenger/state/devices/known-devices.ts", DEVICES, [
    ["signed.length === 0 && (known === undefined ||", "signed.length === 0 && (true ||"],
    ["signed.length === 0 && (known === undefined ||", "(known === undefined ||"],
    ["if (listed.length === 0) return { known: before, events: [] };", ""],
    ["changedAt: events.length === 0 ? before.changedAt : nowMs", "changedAt: before.changedAt"],
  ]),
  ...mutantsOf("shared/messenger/state/device-registry.ts", DEVICES, [
    ["devices: devices.filter(isVouched),", "devices,"],
    ["writtenAt <= gone.learnedAt && ", ""],
    ['isKeyPublication(found, { chainId: node.chainId, masterPub: person, key }) ? "signature" : "nothing"', '"signature"'],
  ]),
  ...mutantsOf("shared/messenger/state/devices/known-devices.ts", COPIED, [
    ["copied.includes(key) || !(signed.includes(key) || first.includes(key))", "copied.includes(key)"],
    ["copied.includes(key) || !(signed", "!(signed"],
    ["before.copied.filter((key) => accepted.includes(key))", "before.copied"],
  ]),
  ...mutantsOf("shared/messenger/changes/shown-prekeys.ts", COPIED, [
    ["return isGenuinePrekey(chainId, from, { devicePub: device, prekey });", "return true;"],
    ["Math.abs(known.notAfter - prekey.notAfter) >= PREKEY_APART_S", "known.notAfter !== prekey.notAfter"],
    ["Math.abs(known.notAfter - prekey.notAfter) >= PREKEY_APART_S", "false"],
  ]),
  ...mutantsOf("shared/keyring/devices/epoch-keys.ts", COPIED, [
    ["return Math.max(notAfter, ...before.map((other) => other + EPOCH_ROTATION_S));", "return notAfter;"],
  ]),
  ...mutantsOf("shared/messenger/state/key-publication.ts", DEVICES, [
    ["tx.from !== masterPub.toLowerCase() || ", ""],
    ["isIdAuthentic(chainId, tx) && verifyZip215(", "verifyZip215("],
    [" && verifyZip215(fromBase64(tx.signature), signedBytes(tx), fromHex(tx.from))", ""],
    ["published.toLowerCase() !== key.toLowerCase()", "false"],
  ]),
  ...mutantsOf(
    "shared/messenger/receiving/apply-group.ts",
    ["shared/messenger/group-attacks.test.ts"],
    [["if (!isBegun(inner, context.clock.nowMs())) return undefined;", ""]],
  ),
  ...mutantsOf(
    "shared/messenger/receiving/store-group.ts",
    ["shared/messenger/group-attacks.test.ts"],
    [
      ["at + CLOCKS_APART_MS >= restoredAt", "at >= restoredAt"],
      ["((owner === null || owner === me) && mayChange(group, from))", "mayChange(group, from)"],
    ],
  ),
  ...mutantsOf(
    "shared/messenger/changes/group-log/log-record.ts",
    ["shared/messenger/changes/group-log/log-record.test.ts"],
    [
      ["if (before?.id === group) return undefined;", "if (before !== undefined) return undefined;"],
      [".find((log) => withEntries(log, incoming).log.fold.isBegunByListed)", ".at(0)"],
      ["&& !isFormerKeeper(known, entry.author)", ""],
      ['standing === "in" || isUndated(key)', "isUndated(key)"],
      ['standing === "in" || isUndated(key)', 'standing === "in"'],
      ["replaced?.has(decided.hash) === false", "true"],
      ["past.has(before.root.hash) ?", "false ?"],
    ],
  ),
  ...mutantsOf(
    "shared/protocol/groups/signed-entry.ts",
    ["shared/protocol/groups/log-entry.test.ts"],
    [["[chainId, author, device, signingPub, certificate].join", "[chainId, author, device].join"]],
  ),
  ...mutantsOf(
    "shared/protocol/groups/group-log.ts",
    ["shared/protocol/groups/group-log.test.ts"],
    [
      ["if (namedWith.size > MAX_NAMED_PEOPLE) continue;", ""],
      ['status !== "in" && !log.fold.hasRight(author)', 'status !== "in"'],
    ],
  ),
  ...mutantsOf(
    "shared/protocol/groups/fold-log.ts",
    ["shared/protocol/groups/group-log.test.ts"],
    [
      ['status === "left" && !this.#isVainLeave(node)', 'status === "left"'],
      ["latest.filter(({ node }) => !this.#isVainLeave(node))", "latest"],
      ["others.length > 0 && others.every(({ isGrant }) => isGrant) ? latest : others", "others"],
    ],
  ),
  ...mutantsOf(
    "shared/protocol/groups/group-log.ts",
    ["shared/protocol/groups/log-base.test.ts"],
    [
      [
        "if (before.length < entry.prev.length || !follows(entry, before) || !isAfterRoot(entry.prev)) continue;",
        "if (before.length < entry.prev.length || !follows(entry, before)) continue;",
      ],
      ["people.has(entry.author) || isBuiltUpon.has(hash)", "people.has(entry.author)"],
      ["limit + rank * RANK_ENTRIES", "limit"],
    ],
  ),
  ...mutantsOf(
    "shared/protocol/groups/log-base.ts",
    ["shared/protocol/groups/log-base.test.ts"],
    [
      ["terms.stands(node) && terms.holds(node)", "terms.stands(node)"],
      ["terms.stands(node) && terms.holds(node)", "terms.holds(node)"],
      ["prev.every((hash) => hash === base || after.has(hash))", "prev.some((hash) => hash === base || after.has(hash))"],
      ["known.get(node.hash) ?? isTrue(log, node)", "known.get(node.hash) ?? true"],
      ["isSinceLast: fold.wasInSince(key, last)", "isSinceLast: true"],
      ["new LogFold(items, transfers, root, true)", "new LogFold(items, transfers, root, false)"],
      ["b.entry.n - a.entry.n ||", ""],
    ],
  ),
  ...mutantsOf(
    "shared/protocol/groups/invite-links.ts",
    ["shared/protocol/groups/invite-links.test.ts"],
    [
      ["isBefore(other, node) || isConcurrent(other, node)", "isBefore(other, node)"],
      ["change.at > until || used + this.#cameBy(frame, key) + change.people.length > uses", "change.at > until"],
      ["(settled & bit) === 0n", "true"],
      ["counted.get(person)?.some((other) => isConcurrent(other, node)) === true", "counted.has(person)"],
      ["isUsedUp(a) - isUsedUp(b) ||", ""],
      [
        "if (isBefore(loss, made) || isBefore(node, loss)) return false;",
        "if (isBefore(loss, made) || !isBefore(loss, node)) return false;",
      ],
      ["&& this.#context.isBuiltUpon(node)", "&& false"],
      ["before.author !== author", "false"],
    ],
  ),
  ...mutantsOf(
    "shared/protocol/groups/fold-log.ts",
    ["shared/protocol/groups/invite-links.test.ts"],
    [["if (this.#links.linkOf(node) === undefined) return true;", "return true;"]],
  ),
  ...mutantsOf(
    "shared/protocol/groups/fold-log.ts",
    ["shared/protocol/groups/log-base.test.ts"],
    [["base === undefined || this.#peopleAt(base).has(person)", "true"]],
  ),
  ...mutantsOf(
    "shared/messenger/changes/join-requests.ts",
    ["shared/messenger/changes/join-requests.test.ts"],
    [
      ["|| !isGenuineJoinRequest(request, signature, chainId)", ""],
      ["(known !== undefined && at <= known.at)", "false"],
      ["lasting.length < MAX_JOIN_REQUESTS", "true"],
      ['if (fold.group.people[person]?.status === "removed") return true;', ""],
      ["nowMs <= until && used < uses)", "nowMs <= until)"],
    ],
  ),
  ...mutantsOf(
    "shared/messenger/model/asked-links.ts",
    ["shared/messenger/model/asked-links.test.ts"],
    [
      ["&& link.admins.includes(from)", ""],
      ["others.length < MAX_ASKED_LINKS", "true"],
      ["|| nowMs - askedAt >= ASKING_MS) return undefined", ") return undefined"],
      ['{ ...link, secret: "", refusal: reason }', "{ ...link, refusal: reason }"],
    ],
  ),
  ...mutantsOf(
    "shared/messenger/receiving/joining/asked-groups.ts",
    ["shared/messenger/running/joining.test.ts"],
    [
      ["change.updateConversation(conversation, { hasSent: true });\n  change.putAskedLinks", "change.putAskedLinks"],
      ['if (link.name === "" || link.name === record.name.text) return;', "return;"],
      ["link.key === key && link.askedAt <= at", "link.key === key"],
    ],
  ),
  ...mutantsOf(
    "shared/messenger/changes/group-log/log-record.ts",
    ["shared/messenger/running/joining.test.ts"],
    [["record.log !== undefined && openLog(record.log).id === group", "true"]],
  ),
  ...mutantsOf(
    "shared/messenger/sending/delivery-parts.ts",
    ["shared/messenger/running/joining.test.ts", "shared/messenger/commands/own-stickers.test.ts"],
    [
      ['task.body.kind === "group.join" || peer === me', 'task.body.kind === "group.join"'],
      ['if (data === undefined && sticker.emoji !== "") return undefined;', ""],
    ],
  ),
  ...mutantsOf("shared/messenger/sending/delivery.ts", PUBLIC_CARDS, [
    ["isOpenToTheft: plan.requests.some(", "isOpenToTheft: plan.requests.length < 0 && plan.requests.some("],
  ]),
  ...mutantsOf(
    "shared/messenger/receiving/inbox.ts",
    ["shared/messenger/receiving.test.ts"],
    [
      ["return person !== undefined && this.#isKnown(person);", "return person !== undefined;"],
      ['if (pair?.kind === "newer" && pair.isKnown) return true;', 'if (pair?.kind === "newer") return true;'],
    ],
  ),
  ...mutantsOf(
    "shared/protocol/groups/join-base.ts",
    ["shared/protocol/groups/log-base.test.ts"],
    [
      ["isConfirmed(next, root.hash) && hasOwnersOf(next, log)", "hasOwnersOf(next, log)"],
      ["isConfirmed(next, root.hash) && hasOwnersOf(next, log)", "isConfirmed(next, root.hash)"],
      ["|| !kept.every(isKept)", ""],
    ],
  ),
  ...mutantsOf(
    "shared/protocol/groups/log-base.ts",
    ["shared/protocol/groups/hostile-bases.test.ts"],
    [
      ["return !isOfferLost && bases.some", "return bases.some"],
      ["if (within.terms.awaited.length > MAX_AWAITED_ENTRIES) return undefined;", ""],
    ],
  ),
  ...mutantsOf(
    "shared/protocol/groups/join-base.ts",
    ["shared/protocol/groups/hostile-bases.test.ts"],
    [
      ["if (other.term !== own.term) return other.term > own.term;", ""],
      ["if (entry === undefined) return n > 1 && n < end;", "if (entry === undefined) return true;"],
    ],
  ),
  ...mutantsOf(
    "shared/messenger/changes/group-log/log-lines.ts",
    ["shared/messenger/changes/group-log/log-record.test.ts"],
    [["seen === undefined ? isEarlier(log, event, me) : isKnownTo(seen, log, event)", "isEarlier(log, event, me)"]],
  ),
  ...mutantsOf(
    "shared/messenger/running/base-writer.ts",
    ["shared/messenger/commands/group-base.test.ts"],
    [["(await notReadingLogs(this.#context, membersOf(group), neededFor(group.log))) !== undefined", "false"]],
  ),
  ...mutantsOf(
    "shared/messenger/receiving/verify-log.ts",
    ["shared/messenger/group-attacks.test.ts"],
    [["entry !== undefined && isGenuineEntry(entry, chainIds, certified)", "entry !== undefined"]],
  ),
  ...mutantsOf(
    "shared/protocol/groups/fold-log.ts",
    ["shared/protocol/groups/fold-log.test.ts"],
    [
      ["this.hasRight(author, node.past) && !this.#isTaken(node)", "this.hasRight(author, node.past)"],
      ["if (this.terms.isSafeFrom(person, node)) return false;", ""],
      ["return !isNamedBeside && !this.hasRight(person, node.past);", "return !isNamedBeside;"],
      ["&& !(isBuiltUpon && other.entry.author === author)", ""],
    ],
  ),
  ...mutantsOf(
    "shared/protocol/groups/owner-terms.ts",
    ["shared/protocol/groups/owner-terms.test.ts"],
    [
      ["&& (end === undefined || node === end || isBefore(node, end))", ""],
      ["current.owner === owner ? nextOwner(node, current)", "true ? nextOwner(node, current)"],
      ["node.isListed || this.isTransfer(node)", "node.isListed"],
      ["isWithin && !leaves.some((leave) => isBefore(leave, node))", "isWithin"],
    ],
  ),
  ...mutantsOf(
    "shared/messenger/node/find-owner-transfer.ts",
    ["shared/messenger/node/find-owner-transfer.test.ts"],
    [
      ["from === owner && to === owner", "from === owner"],
      ["[seen, limit] = [last - 1, PAGE]", "[seen, limit] = [last, PAGE]"],
    ],
  ),
  ...mutantsOf(
    "shared/messenger/receiving/verify-log.ts",
    ["shared/messenger/commands/group-owner.test.ts"],
    [
      ["if (group !== undefined && !isMoved) return { unlisted, transfers: [] };", "return { unlisted, transfers: [] };"],
      ["if (mayWait()) throw error;", "throw error;"],
    ],
  ),
  ...mutantsOf("shared/messenger/pairs/own-cards.ts", PAIRS, [
    ["&& base.position <= theirs.chain.upTo", ""],
    ["base.instance === theirs.chain.instance &&", ""],
    ["day >= handedInDay + CARD_GRACE_DAYS", "day > handedInDay + CARD_GRACE_DAYS"],
    ["newest.isSealedTo || elapsedMs(newest.drawnAt, now)", "elapsedMs(newest.drawnAt, now)"],
    ["!held.some((id) => gone.has(id))", "true"],
    ["isRead(newest) ? [] : state.lost", "isRead(newest) ? state.lost : state.lost"],
    ["content.hasPlace && content.id !== undefined && withHeld", "content.hasPlace && withHeld"],
    ["(cardNumber(instance, id) ?? 0) > used", "used === 0"],
  ]),
  ...mutantsOf("shared/messenger/pairs/sent-chain.ts", PAIRS, [
    ["if (highest > chain.last) return", "if (highest < 0) return"],
    ["digest !== undefined && digest !== ack.digest", "false"],
    ["Math.max(chain.base, chain.under?.position ?? 0)", "chain.base"],
    ["entry.isAsked || isLate(entry, now)", "entry.isAsked"],
    ["? gapsOf(ack, chain.last) : []", "? [] : []"],
    ["chain.lackedDay !== null && day <= chain.lackedDay", "false"],
    ["tries < 2 ? 0 : ", "tries < 2_000 ? 0 : "],
    ["isStranger && tries >= MOST_FOR_STRANGERS", "isStranger && tries > MOST_FOR_STRANGERS"],
    ["cardId !== null && cardIds.includes(cardId)", "cardId !== null"],
  ]),
  ...mutantsOf("shared/messenger/pairs/send-content.ts", PAIRS, [
    ["entry.tries < TRIES_UNDER_PAIR", "entry.tries <= TRIES_UNDER_PAIR"],
    ["(entry.isAsked && entry.isNotTaken !== true) || ", ""],
    [" && entry.isNotTaken !== true", ""],
    ["return !isLater(shownAt(card, theirs.heardAt), entry.sealedAt);", "return true;"],
    ["return card.shownAt ?? heardAt;", "return heardAt;"],
    [">= OLD_CARD_MS) return true;", ">= OLD_CARD_MS) return false;"],
    ["(record.opensForm ?? 0) >= PUBLIC_PAIR_FORM", "(record.opensForm ?? 9) >= PUBLIC_PAIR_FORM"],
    ["(ofAll === undefined ? noteSealed : noteSealedPublic)", "noteSealed"],
    ["ofAll === undefined ? boxFor(left, place) : undefined", "boxFor(left, place)"],
    ["if (isUnopenedStill(state, now)) return true;", ""],
    [" && sinceMs < UNOPENED_MS", ""],
  ]),
  ...mutantsOf("shared/messenger/pairs/received-chain.ts", PAIRS, [
    ["next.position !== upTo + 1", "next.position <= upTo"],
    ["return position <= upTo || ahead.some(", "return position <= upTo || position > upTo + MAX_BEYOND_GAP || ahead.some("],
  ]),
  ...mutantsOf("shared/messenger/changes/group-log/log-heads.ts", SCHEDULES, [
    ["held.has(hash) && !past.has(hash)", "held.has(hash)"],
    ["asked.some(([person]) => person === from)", "false"],
    ["from !== me && group.entries[from]?.standing", "from === me && group.entries[from]?.standing"],
  ]),
  ...mutantsOf("shared/messenger/changes/group-log/shown-log.ts", SCHEDULES, [["past?.has(hash) === true", "true"]]),
  ...mutantsOf("shared/messenger/changes/pairs/public-record.ts", SCHEDULES, [
    ["PUBLIC_CARD_DAYS = 10", "PUBLIC_CARD_DAYS = 11"],
    ["PUBLIC_CARD_DAYS = 10", "PUBLIC_CARD_DAYS = 9"],
  ]),
  ...mutantsOf("shared/messenger/model/group-state.ts", SCHEDULES, [
    ['entry.standing === "in" || (at <= entry.at && ', 'entry.standing === "in" || ('],
    ["(at <= entry.at && nowMs <= (learned[author] ?? entry.at) + LATE_MS)", "at <= entry.at"],
  ]),
  ...mutantsOf(
    "shared/protocol/groups/join-base.ts",
    ["shared/protocol/groups/hostile-bases.test.ts"],
    [["fold.terms.holds(node) && node.entry.author === root?.state.owner", "true"]],
  ),
  ...mutantsOf("shared/messenger/pairs/received-chain.ts", SCHEDULES, [["return position <= upTo || ahead.some(", "return ahead.some("]]),
  ...mutantsOf("shared/messenger/pairs/take-content.ts", SCHEDULES, [
    ["!hasCome(before.chain, place) && ", ""],
    ["received.isNewCard && !context.isStranger", "received.isNewCard"],
    ["(place !== undefined || isFirst) && !context.isStranger", "(place !== undefined || isFirst)"],
  ]),
  ...mutantsOf("shared/messenger/pairs/pair-registry.ts", SCHEDULES, [
    ["...left.filter(({ peer }) => known.get(peer) !== true), ...left.filter(({ peer }) => known.get(peer) === true)", "...left"],
    ["count <= MAX_PAIRS_PER_PERSON", "true"],
    ["if (excess <= 0) return out", "return out"],
  ]),
  ...mutantsOf("shared/messenger/pairs/own-boxes.ts", SCHEDULES, [
    ["openedAt !== null && elapsedMs(openedAt, now) < OPEN_S", "openedAt === null || elapsedMs(openedAt, now) < OPEN_S"],
  ]),
  ...mutantsOf("shared/messenger/pairs/take-content.ts", PAIRS, [
    [">= sinceCard", ">= 0"],
    ["isLate && received.isNewCard", "false"],
    ["cardDigest(known) !== cardDigest(shown)", "false"],
    ["ack?.instance !== state.instance", "ack === undefined"],
    ['status !== "gone"', 'status === "never"'],
    ["content.isDeletion === true ? undefined : wordsOf", "wordsOf"],
  ]),
  ...mutantsOf(
    "shared/messenger/state/devices/set-back-evidence.ts",
    ["shared/messenger/state/devices"],
    [
      ["ENOUGH_PEOPLE = 2", "ENOUGH_PEOPLE = 1"],
      ["seenAtMs <= nowMs && ", ""],
      ["heardMs <= seenAtMs", "heardMs < seenAtMs"],
      ["(isOwn || !this.isFound)", "!this.isFound"],
    ],
  ),
  ...mutantsOf("shared/messenger/changes/pairs/renew-pair.ts", VERSION_2, [["!isUnacknowledged(context, change, record.peer)", "true"]]),
  ...mutantsOf("shared/messenger/changes/note-finding.ts", VERSION_2, [[" && !isHearsay) for", ") for"]]),
  ...mutantsOf("shared/messenger/transfer/history-backup.ts", TRANSFER, [
    ['from === "device" && record.direction === "in" ? { isRestored', "false ? { isRestored"],
  ]),
  ...mutantsOf("shared/messenger/transfer/history-backup.ts", BACKUP, [['from === "device" && record.direction', "record.direction"]]),
  ...mutantsOf("shared/messenger/receiving/apply-message.ts", TRANSFER, [
    ["const { isRestored: _, ...record } = known;", "const record = known;"],
    ['if (record.body.kind !== "deleted") change.batch.addArrival(', 'if (record.body.kind === "deleted") change.batch.addArrival('],
  ]),
  ...mutantsOf(
    "shared/messenger/commands/finder.ts",
    ["shared/messenger/receiving/shown-ahead.test.ts"],
    [["await this.#context.writer.settled();", ""]],
  ),
  ...mutantsOf("shared/messenger/store/day-keys/day-key-sweep.ts", DAY_KEYS, [
    [', outbox: "outbox"', ""],
    [', amendments: "amendment"', ""],
    ["ring.close(key.id);", ""],
  ]),
  ...mutantsOf("shared/messenger/store/day-keys/day-key-ring.ts", DAY_KEYS, [["await this.#host.keyring.dropDayKeys({ ids });", ""]]),
  ...mutantsOf("shared/messenger/store/day-keys/hide-changes.ts", DAY_KEYS, [["ring.all.length === 0", "ring.all.length >= 0"]]),
  ...mutantsOf(
    "shared/messenger/store/store-guard.ts",
    ["shared/messenger/running/two-windows.test.ts"],
    [["this.#database.write(all, expected)", "this.#database.write(all)"]],
  ),
  ...mutantsOf("shared/messenger/transfer/history-backup.ts", BACKUP, [
    ["Math.min(startedAt ?? ownMs, ownMs)", "startedAt ?? ownMs"],
    ["isOverByBoth(record.expiry, now)", "(record.expiry.startedAt ?? 0) + record.expiry.seconds * 1_000 <= now.ownMs"],
  ]),
  ...mutantsOf("shared/messenger/pairs/counted-days.ts", SCHEDULES, [
    ["own >= COUNTED_DAY_MS && block >= COUNTED_DAY_MS", "own >= COUNTED_DAY_MS"],
  ]),
  ...mutantsOf("shared/messenger/pairs/counted-days.ts", PAIRS, [
    ["own >= COUNTED_DAY_MS && block >= COUNTED_DAY_MS", "own >= COUNTED_DAY_MS || block >= COUNTED_DAY_MS"],
    ["if (own < 0 || block < 0)", "if (block < 0)"],
  ]),
];
