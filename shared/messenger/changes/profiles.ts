// Sends one's own name to contacts and receives theirs. A name alone causes no message: it goes with the next one.
import { isProfileName, MAX_PROFILE_NAME_CHARS } from "#shared/content/profile-name.ts";
import { CodedError } from "#shared/errors/coded-error.ts";
import type { PublicKeyHex } from "#shared/protocol/primitives/address.ts";
import { groupOf } from "../model/conversation-id.ts";
import type { ConversationId } from "../model/message.ts";
import { newId, type OutboxRecord } from "../model/records.ts";
import type { EngineContext } from "../state/engine-context.ts";
import { type ChosenName, needsOwnName, withName, withNameSent, withOwn, withoutNameSent } from "../state/profile-registry.ts";
import { Change } from "./change.ts";

/** Changes one's own name on all own devices; "" takes it back. @throws CodedError BAD_REQUEST. */
export async function setOwnName(context: EngineContext, text: string): Promise<void> {
  const name = text.trim();
  if (!isProfileName(name))
    throw new CodedError("BAD_REQUEST", `A name has at most ${MAX_PROFILE_NAME_CHARS} characters, none of them invisible`, {
      details: { field: "name" },
    });
  const { account, clock, random, writer } = context;
  await writer.run(async () => {
    const change = new Change(context);
    const before = change.profile;
    if (before.own.name === name) return;
    const own: ChosenName = { name, at: Math.max(clock.nowMs(), before.own.at + 1) };
    change.putProfile(withOwn(before, own));
    change.queue(account.masterPub, { kind: "profile", id: newId(random), ...own });
    await change.commit();
  });
}

/** With a message to a contact goes one's name, if they have not received it. */
export function queueOwnName(
  { registry, random }: Pick<EngineContext, "registry" | "random">,
  change: Change,
  conversation: ConversationId,
): void {
  const record = change.profile;
  const isContact = groupOf(conversation) === undefined && registry.isContact(conversation);
  if (!isContact || !needsOwnName(record, conversation)) return;
  change.queue(conversation, { kind: "profile", id: newId(random), ...record.own });
  change.putProfile(withNameSent(record, conversation, record.own.at));
}

/** The name of a person. */
export function storeName(change: Change, from: PublicKeyHex, chosen: ChosenName): void {
  change.putProfile(withName(change.profile, from, { chosen, isStranger: (person) => change.isStranger(person) }));
}

/** Another own device has changed the own name, or sent it to a contact. */
export function storeOwnName(
  change: Change,
  peer: PublicKeyHex,
  { me, chosen }: { readonly me: PublicKeyHex; readonly chosen: ChosenName },
): void {
  const record = withOwn(change.profile, chosen);
  change.putProfile(peer === me ? record : withNameSent(record, peer, chosen.at));
}

/** A name that is no longer sent goes with a later message. */
export function forgetUnsentName(change: Change, { peer, task }: OutboxRecord): void {
  if (task.kind === "profile") change.putProfile(withoutNameSent(change.profile, peer, task.at));
}
