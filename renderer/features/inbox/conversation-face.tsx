// How a conversation is called and pictured, in the list and in its header.
import { Bookmark, ShieldQuestionMark } from "lucide-react";
import type { ReactElement } from "react";
import { Avatar } from "#renderer/components/avatar.tsx";
import { shorten } from "#renderer/lib/format/key.ts";
import { useAccount } from "#renderer/lib/keyring/keyring-context.tsx";
import { useMessages } from "#renderer/lib/messages/messages-context.tsx";
import { usePerson } from "#renderer/lib/people/people-context.tsx";
import type { ConversationId } from "#renderer/messenger/messenger.ts";
import { formatAddress, type PublicKeyHex } from "#shared/protocol/address.ts";
import styles from "./inbox.module.css";

const UNKNOWN_PREFIX = "unknown:";

/** A conversation as the interface knows it from its id alone. */
export type Face =
  | { readonly kind: "person"; readonly peer: PublicKeyHex; readonly name: string; readonly isVerified: boolean }
  | { readonly kind: "self"; readonly peer: PublicKeyHex; readonly name: string }
  | { readonly kind: "unknown"; readonly devicePub: string; readonly name: string };

/** Name and kind of a conversation. */
export function useFace(id: ConversationId): Face {
  const t = useMessages();
  const { masterPub } = useAccount();
  const isUnknown = id.startsWith(UNKNOWN_PREFIX);
  const person = usePerson(isUnknown ? masterPub : id);
  if (isUnknown) return { kind: "unknown", devicePub: id.slice(UNKNOWN_PREFIX.length), name: t("inbox.unknownSender") };
  if (id === masterPub) return { kind: "self", peer: id, name: t("inbox.noteToSelf") };
  return { kind: "person", peer: id, name: person.name ?? shorten(formatAddress(id)), isVerified: person.isVerified };
}

/** Picture of a conversation. */
export function FacePicture(props: { readonly face: Face; readonly size: number }): ReactElement {
  const { face, size } = props;
  if (face.kind === "person") return <Avatar publicKey={face.peer} size={size} />;
  const Icon = face.kind === "self" ? Bookmark : ShieldQuestionMark;
  return (
    <span className={styles.symbol} style={{ width: size, height: size }}>
      <Icon size={Math.round(size / 2)} aria-hidden="true" />
    </span>
  );
}
