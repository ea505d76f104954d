// What was sent, with its words from the store: they are not kept twice.

import { withoutSdp } from "#shared/content/chat/call-content.ts";
import { writtenText } from "#shared/content/chat/link-preview.ts";
import type { PublicKeyHex } from "#shared/protocol/primitives/address.ts";
import type { MessageContent, SendTask, SentRecord } from "../../model/records.ts";
import type { EngineContext } from "../../state/engine-context.ts";
import type { Change } from "../change.ts";

/** What is remembered of a task that is sent to a person, without words that are in the store. */
export function wordless(peer: PublicKeyHex, task: SendTask): SentRecord {
  if (task.kind === "message") return { peer, task: { ...task, body: { kind: "text", text: "" } }, isReference: true };
  if (task.kind !== "amendment") return { peer, task };
  if (task.body.kind !== "edit") return { peer, task: { ...task, body: withoutSdp(task.body) } };
  const { mentions: _mentions, preview: _preview, ...body } = task.body;
  return { peer, task: { ...task, body: { ...body, text: "" } }, isReference: true };
}

/** What was sent, whole; a deletion where the message was deleted, and undefined where it is gone. */
export async function wholeOf(
  { account, store }: Pick<EngineContext, "account" | "store">,
  change: Change,
  sent: SentRecord | undefined,
): Promise<SentRecord | undefined> {
  const { peer, task } = sent ?? {};
  if (sent?.isReference !== true || peer === undefined || (task?.kind !== "message" && task?.kind !== "amendment")) return sent;
  const id = task.kind === "amendment" && "id" in task.body ? task.body.id : task.id;
  const record = await change.batch.message(await store.messageKey(account.masterPub, id));
  if (record === undefined) return undefined;
  const { body } = record;
  if (body.kind === "deleted") {
    const group = task.group === undefined ? {} : { group: task.group };
    return { peer, task: { kind: "amendment", id: task.id, at: task.at, body: { kind: "delete", id }, ...group } };
  }
  if (task.kind === "message") return { peer, task: { ...task, body: body as MessageContent } };
  if (task.body.kind !== "edit" || !("text" in body)) return undefined;
  const worded = writtenText(body);
  return { peer, task: { ...task, body: { ...task.body, ...worded, revision: record.revision ?? task.body.revision } } };
}

/** The content of a task that was taken back: a device that lacks it gets that instead; undefined where nothing is to be taken back. */
export function withheld(peer: PublicKeyHex, task: SendTask, nowMs: number): SentRecord | undefined {
  if (task.kind !== "message" && task.kind !== "chunk" && task.kind !== "amendment") return undefined;
  const body = { kind: "delete", id: task.id } as const;
  const group = task.group === undefined ? {} : { group: task.group };
  return { peer, task: { kind: "amendment", id: task.id, at: nowMs, body, ...group } };
}
