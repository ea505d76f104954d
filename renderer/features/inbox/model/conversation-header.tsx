// Name and picture of a conversation, in the list and in its header.
import { Bookmark, ShieldQuestionMark } from "lucide-react";
import { type ReactElement, useMemo } from "react";
import { Avatar } from "#renderer/components/basics/avatar.tsx";
import { GroupPicture, PictureSymbol } from "#renderer/components/people/group-picture.tsx";
import { useAccount } from "#renderer/lib/keyring/keyring-context.tsx";
import { useMessages } from "#renderer/lib/messages/messages-context.tsx";
import { useMessengerValue } from "#renderer/lib/messenger/messenger-context.tsx";
import { useLabelOf } from "#renderer/lib/people/names/use-label.ts";
import { usePerson } from "#renderer/lib/people/people-context.tsx";
import type { GroupSummary } from "#shared/messenger/model/conversation.ts";
import { groupOf, unknownSenderOf } from "#shared/messenger/model/conversation-id.ts";
import type { ConversationId } from "#shared/messenger/model/message.ts";
import type { PublicKeyHex } from "#shared/protocol/primitives/address.ts";
import { visibleText } from "#shared/text/visible-text.ts";

/** A conversation as it is shown. */
export type ConversationHeader =
  | { readonly kind: "person"; readonly peer: PublicKeyHex; readonly name: string; readonly isVerified: boolean }
  | { readonly kind: "self"; readonly peer: PublicKeyHex; readonly name: string }
  /** `group` is null while nothing is known of it. */
  | { readonly kind: "group"; readonly id: ConversationId; readonly name: string; readonly group: GroupSummary | null }
  | { readonly kind: "unknown"; readonly devicePub: string; readonly name: string };

/** Name and kind of a conversation; the same object for the same. */
export function useConversationHeader(id: ConversationId): ConversationHeader {
  const t = useMessages();
  const { masterPub } = useAccount();
  const group = useMessengerValue(({ conversations }) => conversations.find((conversation) => conversation.id === id)?.group ?? null);
  const devicePub = unknownSenderOf(id);
  const isGroup = groupOf(id) !== undefined;
  const publicKey = isGroup || devicePub !== undefined ? masterPub : id;
  const person = usePerson(publicKey);
  const name = useLabelOf(publicKey);
  const { isVerified } = person;
  return useMemo(() => {
    if (devicePub !== undefined) return { kind: "unknown", devicePub, name: t("inbox.unknownSender") };
    if (isGroup) return { kind: "group", id, name: group === null ? t("inbox.groupUnknown") : visibleText(group.name), group };
    return id === masterPub ? { kind: "self", peer: id, name: t("inbox.noteToSelf") } : { kind: "person", peer: id, name, isVerified };
  }, [t, id, masterPub, devicePub, isGroup, group, name, isVerified]);
}

/** True where a person may pin messages: everyone but in groups, where owner and admins may. */
export function mayPin(header: ConversationHeader, person: PublicKeyHex): boolean {
  if (header.kind !== "group") return header.kind !== "unknown";
  return header.group?.isMember === true && (header.group.owner === person || header.group.admins.includes(person));
}

const SYMBOLS = { self: Bookmark, unknown: ShieldQuestionMark } as const;

export function ConversationPicture(props: { readonly header: ConversationHeader; readonly size: number }): ReactElement {
  const { header, size } = props;
  if (header.kind === "person") return <Avatar publicKey={header.peer} size={size} />;
  if (header.kind === "group") return <GroupPicture group={header.id} size={size} />;
  return <PictureSymbol icon={SYMBOLS[header.kind]} size={size} />;
}
