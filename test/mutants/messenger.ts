import { mutantsOf } from "./mutant.ts";

const MODEL = ["renderer/messenger/model"];
const EXCHANGE = ["renderer/messenger/exchanging.test.ts", "renderer/messenger/messaging.test.ts"];
const GROUPS = ["renderer/messenger/commands/groups.test.ts"];

/** The messenger: order, groups, changes, expiry. */
export const MESSENGER = [
  ...mutantsOf("renderer/messenger/receiving/apply-group.ts", GROUPS, [
    ["known.keeper === account.masterPub && known.entries[from] !== undefined", "known.keeper === account.masterPub"],
    ["|| !mayWrite(known, me, { at, nowMs })", ""],
  ]),
  ...mutantsOf(
    "renderer/messenger/sending/expiry-scheduler.ts",
    ["renderer/messenger/exchanging.test.ts"],
    [["Math.min(MAX_DELAY_MS, Math.max(0, next - clock.nowMs()))", "Math.max(0, next - clock.nowMs())"]],
  ),
  ...mutantsOf("renderer/messenger/model/stream-gaps.ts", MODEL, [
    ["position <= record.upTo ||", "position < record.upTo ||"],
    ["ahead.length > MAX_AHEAD", "ahead.length > 10 * MAX_AHEAD"],
    ["upTo === record.upTo && record.gap !== null", "record.gap !== null"],
    ["last - record.upTo - record.ahead.length", "last - record.upTo"],
  ]),
  ...mutantsOf("renderer/messenger/model/group-state.ts", MODEL, [
    ["(isOwn || author === state.keeper)", "(isOwn || author !== me)"],
    ["if (!isOwn && !isByAdmin(known, state, author)) return undefined;", ""],
    ["name.text > known.name.text", "name.text < known.name.text && false"],
    ["compareEntries(known, entry) >= 0", "compareEntries(known, entry) > 1"],
    ["at <= entry.at && nowMs <=", "nowMs <="],
    ["if (a.since !== b.since) return a.since - b.since;", ""],
  ]),
  ...mutantsOf(
    "renderer/messenger/model/amend-message.ts",
    [...MODEL, ...EXCHANGE],
    [
      ["from !== author || at - record.at > CHANGE_MS", "at - record.at > CHANGE_MS"],
      ["reaction.at > known.at ||", "reaction.at >= known.at ||"],
      ["body.revision > known ||", "body.revision >= known ||"],
    ],
  ),
  ...mutantsOf("renderer/messenger/model/outgoing-state.ts", MODEL, [
    ["STATE_ORDER.indexOf(state) <= STATE_ORDER.indexOf(known)", "STATE_ORDER.indexOf(state) < 0"],
    ['state === "failed" ? ("queued" as const) : state', "state"],
  ]),
  ...mutantsOf(
    "renderer/messenger/receiving/apply-message.ts",
    ["renderer/messenger/receiving.test.ts", ...EXCHANGE],
    [
      ["if (await change.batch.hasSeen(key)) return false;", ""],
      ["claimedMs <= 0 || claimedMs > nowMs + SKEW_MS", "claimedMs <= 0"],
    ],
  ),
];
