// Requests of people who ask by an invite link to be let into a group that this person may change, and invite links that another own
// device has made. Loaded with the first of them.
import type { BodyOf } from "#shared/content/content.ts";
import type { GroupId } from "#shared/content/group-content.ts";
import { linkKey, readGroupLink } from "#shared/protocol/groups/group-link.ts";
import type { PublicKeyHex } from "#shared/protocol/primitives/address.ts";
import type { Change } from "../../changes/change.ts";
import { withLinkTexts } from "../../changes/group-links.ts";
import { openLog } from "../../changes/group-log/log-record.ts";
import { JOIN_WAIT_MS, judgeRequest, MAX_JOIN_REQUESTS, withRequest } from "../../changes/join-requests.ts";
import { groupConversation } from "../../model/conversation-id.ts";
import { type GroupRecord, isUnconfirmed, mayChange } from "../../model/group-state.ts";
import { newId } from "../../model/records.ts";
import type { EngineContext } from "../../state/engine-context.ts";
import { sendLog } from "../apply-log.ts";

type JoinContext = Pick<EngineContext, "account" | "store" | "clock" | "random" | "node" | "registry">;

interface Asked {
  readonly from: PublicKeyHex;
  readonly request: BodyOf<"join">;
}

/** Stores a request that is to be answered, or answers it where no one is to be let in. */
export async function applyJoin(context: JoinContext, change: Change, { from, request }: Asked): Promise<void> {
  const { account, clock, node, registry } = context;
  const conversation = groupConversation(request.group);
  const { group } = change.conversation(conversation);
  const me = account.masterPub;
  if (group?.log === undefined || group.entries[me]?.standing !== "in" || !mayChange(group, me)) return;
  const { key, at, asked, signature } = request;
  const nowMs = clock.nowMs();
  const known = { log: openLog(group.log), record: group, chainId: node.chainId, nowMs, isBlocked: registry.isBlocked(from) };
  const verdict = judgeRequest({ group: request.group, key, person: from, at }, signature, known);
  if (verdict.kind === "dropped") return;
  if (verdict.kind === "wanted" || isUnconfirmed(group, me)) {
    // A group that came from a backup may have changed since: whom it refuses is looked at then.
    const waiting = withRequest(group.waiting ?? [], { person: from, key, at, cameAt: nowMs, asked });
    change.updateConversation(conversation, { group: { ...group, waiting } });
    return;
  }
  if (verdict.kind !== "refused") return sendLog(context, change, { group: { id: request.group }, from }, { ...group, log: group.log });
  if (!takeRefusal(change, { group, person: from, conversation, nowMs })) return;
  const body = { kind: "group.refused", group: request.group, key, reason: verdict.reason } as const;
  change.queue(from, { kind: "join", id: newId(context.random), at: nowMs, body });
}

/** Takes a link with its secret from another own device. */
export function takeLink(
  { node }: Pick<EngineContext, "node">,
  change: Change,
  { group: id, text }: { readonly group: GroupId; readonly text: string },
): void {
  const conversation = groupConversation(id);
  const { group } = change.conversation(conversation);
  const read = readGroupLink(text, node.chainId);
  if (group?.log === undefined || read.kind !== "link" || read.link.group !== id) return;
  const texts = { [linkKey(read.link, node.chainId)]: text };
  change.updateConversation(conversation, { group: withLinkTexts(group, openLog(group.log), texts) });
}

interface Refusal {
  readonly group: GroupRecord;
  readonly person: PublicKeyHex;
  readonly conversation: string;
  readonly nowMs: number;
}

/** Counts a refusal: one a day to each, and no more a day than requests may wait. */
function takeRefusal(change: Change, { group, person, conversation, nowMs }: Refusal): boolean {
  const recent = Object.entries(group.refused ?? {}).filter(([, at]) => Math.abs(nowMs - at) < JOIN_WAIT_MS);
  if (recent.length >= MAX_JOIN_REQUESTS || recent.some(([other]) => other === person)) return false;
  change.updateConversation(conversation, { group: { ...group, refused: { ...Object.fromEntries(recent), [person]: nowMs } } });
  return true;
}
