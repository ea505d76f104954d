import { mutantsOf } from "../mutant.ts";

const SERVED = ["node/api/served-defaults.test.ts"];
const DECLARED = ["shared/api/defaults.test.ts"];
const READINGS = ["node/api/spec-readings.test.ts"];
const CLI = ["node/cli/program.test.ts"];
const TOPICS = ["node/network/protocol-names.test.ts"];
const SERVICE = ["node/cli/service.test.ts"];
const UPGRADE = ["node/cli/upgrade-command.test.ts"];
const SUBMITTED = ["node/cli/submitted-transactions.test.ts"];
const CARRIED = ["node/config/files/carried-state.test.ts"];
const ATTEMPTS = ["renderer/lib/transactions/intent-attempts.test.ts"];
const START = ["node/composition/node-start.test.ts"];

const MARKS = ["renderer/features/inbox/text"];

/** What programs rely on that name no number: defaults, features, names; and what the interface and the command line do once. */
export const INTERFACE = [
  ...mutantsOf(
    "renderer/features/inbox/messages/scroll/row-window.ts",
    ["renderer/features/inbox/messages"],
    [
      ["if (isCut || Math.abs", "if (Math.abs"],
      ["layout?.isWhole === true && ", "layout !== undefined && "],
      ["layout.positions.keys === next.keys) return place;", "next.indexOf(place.key) !== undefined) return place;"],
      ["this.#look();\n    this.#layout = { ...layout", "this.#layout = { ...layout"],
      ["if (isApart) return needed;", "if (!isApart) return needed;"],
      ["positions.total < this.#room || !isNow", "positions.total !== this.#room"],
    ],
  ),
  ...mutantsOf(
    "renderer/features/inbox/messages/scroll/scroll-rest.ts",
    ["renderer/features/inbox/messages/scroll-rest.test.ts"],
    [["if (row.has(target)) row.rest(true)", "row.rest(true)"]],
  ),
  ...mutantsOf(
    "renderer/lib/messenger/chat-receipt.ts",
    ["renderer/lib/messenger/chat-receipt.test.ts"],
    [
      ["if (!hasChat(transaction)) return;", ""],
      ["if (!isReleased) sendSignedNow();", ""],
      ["isUncertain(error) || held.isUnclear", "isUncertain(error)"],
      ["from !== to && ", ""],
      ['{ kind: "handed" }', '{ kind: "unsent" }'],
      ["await messenger.discardPayment(key);", ""],
    ],
  ),
  ...mutantsOf(
    "renderer/features/inbox/composer/marks/mark-selection.ts",
    ["renderer/features/inbox/composer/marks/mark-selection.test.ts"],
    [
      ["if (!isPair(open, close)) return undefined;", ""],
      ['text.slice(start, end).split("\\n")', "[text.slice(start, end)]"],
      ["if (isBoth || !isPair(before, close)) start += 1;", "start += 1;"],
      ["if (open === sign) return depth;", "if (open === sign && depth === 0) return depth;"],
    ],
  ),
  ...mutantsOf("node/api/routes/chain/blocks.ts", SERVED, [["limit = 20, before", "limit = 21, before"]]),
  ...mutantsOf("node/api/routes/chain/transactions.ts", SERVED, [["limit = 20 }", "limit = 21 }"]]),
  ...mutantsOf("node/api/routes/chain/accounts.ts", SERVED, [["limit = 50, offset", "limit = 51, offset"]]),
  ...mutantsOf("node/api/routes/chain/feed.ts", SERVED, [["limit = 100, order", "limit = 101, order"]]),
  ...mutantsOf("node/api/routes/people/inbox.ts", SERVED, [["limit = 50 }", "limit = 51 }"]]),
  ...mutantsOf("node/api/routes/contracts/log-query.ts", SERVED, [["DEFAULT_LIMIT = 50;", "DEFAULT_LIMIT = 51;"]]),
  ...mutantsOf("shared/api/endpoints/chain.ts", DECLARED, [["limitQuery(50, 1000), offset", "limitQuery(51, 1000), offset"]]),
  ...mutantsOf("shared/api/version.ts", DECLARED, [
    ['  "media_scrub",\n', ""],
    ['  "onboarding_api",\n', ""],
  ]),
  ...mutantsOf("node/cli/commands/messages/inbox.ts", CLI, [["countValue, 50)", "countValue, 51)"]]),
  ...mutantsOf("node/network/protocol-names.ts", TOPICS, [
    ["/relay/v1`", "/relay/v2`"],
    ["/deletions/v1`", "/deletions/v2`"],
    ["/version/v1`", "/version/v2`"],
    ["/tx/v1`", "/tx/v2`"],
    ["/blocks/v1`", "/blocks/v2`"],
  ]),
  ...mutantsOf("node/mempool/check-submitted.ts", READINGS, [["isIncluded ? {} : { warning: MEMO_WARNING }", "{}"]]),
  ...mutantsOf("shared/api/schemas/chain.ts", READINGS, [["; at least 1 for a TRANSFER", ""]]),
  ...mutantsOf("node/composition/node-start.ts", START, [["api.servesInterface ? interfaceDir : undefined", "interfaceDir"]]),
  ...mutantsOf("node/cli/commands/network/upgrade.ts", UPGRADE, [
    ["atHeight === undefined ? proposedAlready(parameters, { set, version, next }) : undefined", "undefined"],
    ["if (same === undefined || isFromNext(same))", "if (same === undefined || same.id !== undefined)"],
    ["isSame(pending) && isFromNext(pending)", "isSame(pending)"],
    ["if (version !== undefined && version <= present)", "if (version !== undefined && version < present)"],
    ["if (validator?.in_set !== true)", "if (validator?.in_set === false)"],
    ["entries.length === Object.keys(other).length && ", ""],
  ]),
  ...mutantsOf("node/cli/commands/network/relay.ts", SUBMITTED, [["bondUt === 0 && availableAt * 1_000 > ", "bondUt === 0 && 0 > "]]),
  ...mutantsOf("node/cli/commands/network/bond-warning.ts", SUBMITTED, [
    ["if (bondUt < least)", "if (bondUt < 0)"],
    ["if (bondUt < lockedUt)", "if (bondUt < 0)"],
    ["bondUt - lockedUt + feeUt", "bondUt - lockedUt"],
  ]),
  ...mutantsOf("node/config/files/data-folder.ts", CARRIED, [["mailbox|mail-queue|held-mail", "mailbox"]]),
  ...mutantsOf("node/cli/commands/node/service/service.ts", SERVICE, [
    ['found === "other" && options.start === true', 'found === "other" && options.start !== true'],
    ['if (found === "other" && options.start === true) await runEach(place.stop, host.run);', ""],
    ['if (found !== "same") writeService(place, found === "other");', 'if (found === "none") writeService(place, found === "other");'],
    ['found === "other" && replace !== true', 'found === "other" && replace === undefined && false'],
    ["isStarted = options.start === true && failed === undefined", "isStarted = options.start === true"],
    ['status: found === "same" ? "unchanged" : "written"', 'status: "written"'],
  ]),
  ...mutantsOf("node/cli/commands/node/service/service-control.ts", SERVICE, [
    ['if (found.equals(content)) return "same";', ""],
    ['start.includes(MARK) || start.includes(Buffer.from(MARK, "utf16le"))', "start.includes(MARK)"],
    ['? "other" : "foreign"', '? "other" : "other"'],
  ]),
  ...mutantsOf("renderer/lib/transactions/sending/intent-attempts.ts", ATTEMPTS, [
    ["if (known !== undefined) return known;", ""],
    [".finally(() => running.delete(key))", ""],
    ["known?.signed ?? (await sign(intent))", "await sign(intent)"],
    [" && known?.isUnclear !== true", ""],
    ["open?.key === key ?", "open !== undefined ?"],
    ["{ ...intent, gasLimit: undefined }", "intent"],
    ["uncertain.set(error, signed);", "return signed;"],
    ["onSubmitted(signed, true);", ""],
    ["open = undefined;\n        throw error;", "throw error;"],
    [' && error.code !== "RATE_LIMITED"', ""],
  ]),
  ...mutantsOf(
    "renderer/features/inbox/text/around-cards.ts",
    ["renderer/features/inbox/text/around-cards.test.ts"],
    [
      ["isCard(spans[index - 1]) ? ", "false ? "],
      [" && !hasLineEnd) hasLineEnd", ") hasLineEnd"],
    ],
  ),
  ...mutantsOf("renderer/features/inbox/text/marked-spans.ts", MARKS, [
    ["if (closing === undefined || this.#budget.left === 0) continue;", "if (closing === undefined) continue;"],
    ["if (end > to || this.#budget.left === 0) break;", "if (end > to) break;"],
    ["!SPACE.test(after) && !WORD.test(before)", "!SPACE.test(after)"],
    ["if (!isCode && WORD.test(text.charAt(start - 1))) continue;", ""],
    ["found >= lastSign || ", ""],
    ['if (kind === "quotation") budget.left -= 1;', ""],
    ["spans: joined(lines", "spans: (lines"],
    [" + line.length - own.length, length", ", length"],
  ]),
  ...mutantsOf(
    "renderer/features/inbox/composer/mentions/mention-text.ts",
    ["renderer/features/inbox/composer"],
    [
      [" && !WORD.test(typed.charAt(at + label.length))", ""],
      ["named.publicName}", "named.label}"],
      ["if (mentions.length < MAX_MENTIONS) mentions", "mentions"],
    ],
  ),
  ...mutantsOf(
    "renderer/features/inbox/viewer/shown-pictures.ts",
    ["renderer/features/inbox/viewer"],
    [
      ["key === viewed || message.direction", "message.direction"],
      [" || isKnown(message) ?", " || true ?"],
      ["|| !isWhole(message)) return [];", ") return [];"],
    ],
  ),
  ...mutantsOf(
    "renderer/features/inbox/forward/forward-message.ts",
    ["renderer/features/inbox/forward"],
    [
      ["bytes: isPicture ? scrubImage(bytes).bytes : bytes", "bytes"],
      ["isForwardable(message.body) && ", ""],
    ],
  ),
  ...mutantsOf(
    "renderer/lib/node/account-pages.ts",
    ["renderer/lib/account-pages.test.ts"],
    [[" || first.missing_below !== newest.missing_below", ""]],
  ),
  ...mutantsOf(
    "renderer/features/inbox/viewer/viewer-keys.ts",
    ["renderer/features/inbox/viewer/viewer-keys.test.ts"],
    [
      ["if (isEnlarged) return { scroll: arrow };", ""],
      [" !== isMirrored", ""],
    ],
  ),
  ...mutantsOf(
    "renderer/features/inbox/chat/aloud/arrivals.ts",
    ["renderer/features/inbox/chat/arrivals.test.ts"],
    [
      ["isLater && ", ""],
      [" && !this.#seen.has(newest.key)", ""],
    ],
  ),
  ...mutantsOf(
    "renderer/features/inbox/composer/files/send-files.ts",
    ["renderer/features/inbox/composer/files/send-files.test.ts"],
    [
      ['caption.trim() === ""', "false"],
      ["isFirst && answer === undefined ? caption", "isFirst ? caption"],
    ],
  ),
  ...mutantsOf(
    "renderer/features/inbox/chat/aloud/own-message-fate.ts",
    ["renderer/features/inbox/chat/own-message-fate.test.ts"],
    [
      ["waiting?.key !== newest.key || ", ""],
      [' || newest.state === "failed"', ""],
    ],
  ),
  ...mutantsOf(
    "renderer/features/inbox/messages/parts/quick/one-at-a-time.ts",
    ["renderer/features/inbox/messages/one-at-a-time.test.ts"],
    [
      [" && shown !== next", ""],
      ["if (shown === one) shown", "shown"],
    ],
  ),
  ...mutantsOf(
    "renderer/lib/transactions/sending/left-behind.ts",
    ["renderer/lib/transactions/left-behind.test.ts"],
    [["  followPending(signed.transaction.id);\n", ""]],
  ),
  ...mutantsOf(
    "renderer/lib/transactions/find-pending.ts",
    ["renderer/lib/transactions/find-pending.test.ts"],
    [[" && page.missing_below === undefined", ""]],
  ),
  ...mutantsOf(
    "renderer/lib/profile/lock-face.ts",
    ["renderer/lib/profile/lock-face.test.ts"],
    [
      ["theirs !== account || ", ""],
      [" && PICTURE.test(picture)", ""],
      ["  } catch {\n    removeFace();\n", "  } catch {\n"],
    ],
  ),
  ...mutantsOf(
    "renderer/features/wallet/activity/activity-days.ts",
    ["renderer/features/wallet/activity/activity-days.test.ts"],
    [[' && item.state.kind === "inBlock"', ""]],
  ),
  ...mutantsOf(
    "renderer/features/wallet/activity/memos/read-memos.ts",
    ["renderer/features/wallet/activity/read-memos.test.ts"],
    [["let before = aboveAll(payments);", "let before: number | undefined;"]],
  ),
  ...mutantsOf(
    "renderer/lib/people/contacts/waiting-requests.ts",
    ["renderer/features/contacts/list/list-items.test.ts"],
    [
      [" && !isArchived", ""],
      [" && chat.group?.isMember === true", ""],
      [' && entryOf(directory, chat.group.admin).relation !== "blocked"', ""],
      [', "refused"', ""],
    ],
  ),
  ...mutantsOf(
    "electron/main/files/save-pdf.ts",
    ["electron/main/save-pdf.test.ts"],
    [
      [" || this.#isBusy", ""],
      ["    await rm(part, { force: true });\n", ""],
    ],
  ),
  ...mutantsOf(
    "renderer/features/wallet/send/recent-people.ts",
    ["renderer/features/wallet/recent-people.test.ts"],
    [["!isBlocked && ", ""]],
  ),
];
