// What is known of a message: when it was written, sent, delivered and read, in a group by whom; how large it is and how often it changed.
import { useQuery } from "@tanstack/react-query";
import type { ReactElement } from "react";
import { Avatar } from "#renderer/components/basics/avatar.tsx";
import { KeyValueList, type KeyValueRow } from "#renderer/components/layout/key-value-list.tsx";
import { ListRow } from "#renderer/components/layout/list-row.tsx";
import { Dialog } from "#renderer/components/overlays/dialog.tsx";
import { formatExactTime } from "#renderer/lib/format/time.ts";
import { useAccount } from "#renderer/lib/keyring/keyring-context.tsx";
import { useLanguage, useMessages, WithAllWords } from "#renderer/lib/messages/messages-context.tsx";
import { useNodeQueries } from "#renderer/lib/node/queries.ts";
import { useDeviceLabel } from "#renderer/lib/profile/use-device-label.ts";
import type { ChatMessage, MemberDelivery, MessageBody } from "#shared/messenger/model/message.ts";
import { utf8Length } from "#shared/util/bytes.ts";
import styles from "../../chat/chat-info.module.css";
import type { ConversationHeader } from "../../model/conversation-header.tsx";
import { stateInWords } from "../../model/message-text.ts";
import { useNameOf } from "../../model/use-name-of.ts";
import { fileSizeText } from "../files/file-size.ts";

export interface InfoDialogProps {
  readonly message: ChatMessage;
  readonly header: ConversationHeader;
  readonly onClose: () => void;
}

/** The dialog; open as long as it is mounted. */
export function InfoDialog(props: InfoDialogProps): ReactElement {
  return (
    <WithAllWords>
      <OpenDialog {...props} />
    </WithAllWords>
  );
}

function OpenDialog({ message, header, onClose }: InfoDialogProps): ReactElement {
  const t = useMessages();
  const rows = [...useTimes(message, header), ...useSender(message), ...useFacts(message, header)];
  return (
    <Dialog open title={t("chat.info")} onOpenChange={onClose}>
      <KeyValueList rows={rows} />
      {message.deliveries !== null && message.deliveries.length > 0 && <Deliveries deliveries={message.deliveries} />}
    </Dialog>
  );
}

/** When what happened. What this device did not see is unknown here, and not said. */
function useTimes(
  { at, direction, reached, state, arrivedAt, expiresAt }: ChatMessage,
  header: ConversationHeader,
): readonly KeyValueRow[] {
  const t = useMessages();
  const { locale } = useLanguage();
  const exact = (ms: number): string => formatExactTime(locale, ms);
  const rows: KeyValueRow[] = [{ label: t("chat.infoWritten"), value: exact(at) }];
  if (direction === "in" && arrivedAt !== null) rows.push({ label: t("chat.infoArrived"), value: exact(arrivedAt) });
  for (const step of ["relayed", "delivered", "read"] as const) {
    const reachedAt = reached[step];
    if (reachedAt !== undefined) rows.push({ label: stateInWords(t, step), value: exact(reachedAt) });
  }
  if (state !== null && header.kind === "person" && reached[state as "relayed"] === undefined)
    rows.push({ label: t("chat.infoState"), value: stateInWords(t, state) });
  if (expiresAt !== null) rows.push({ label: t("chat.infoDisappears"), value: exact(expiresAt) });
  return rows;
}

/** Which of one's own devices sent it, where it was another one. */
function useSender({ sentBy }: ChatMessage): readonly KeyValueRow[] {
  const t = useMessages();
  const { masterPub } = useAccount();
  const { data: devices = [] } = useQuery({ ...useNodeQueries().devices(masterPub), enabled: sentBy !== null });
  const published = devices.find(({ x25519_pub_key: key }) => key === sentBy)?.device_name;
  const name = useDeviceLabel(sentBy ?? "", published ?? t("chat.infoOtherDevice"));
  return sentBy === null ? [] : [{ label: t("chat.infoSentBy"), value: name }];
}

function useFacts({ body, wordings, isOpenToTheft }: ChatMessage, header: ConversationHeader): readonly KeyValueRow[] {
  const t = useMessages();
  const bytes = bytesOf(body);
  const rows: KeyValueRow[] = [];
  if (bytes !== undefined) {
    const isSmall = bytes < SMALL_BYTES;
    rows.push({
      label: t("chat.infoSize"),
      value: isSmall ? t("chat.infoBytes", { count: bytes }) : fileSizeText(t, bytes),
    });
  }
  if (wordings !== null) rows.push({ label: t("inbox.wordings"), value: t("chat.infoEdits", { count: wordings.length - 1 }) });
  const sealed = body.kind === "plain" ? "chat.infoSealedPlain" : header.kind === "self" ? "chat.infoSealedSelf" : "chat.infoSealed";
  rows.push({ label: t("chat.infoEncryption"), value: t(sealed) });
  return isOpenToTheft ? [...rows, { label: t("chat.infoOpen"), value: t("chat.infoOpenText") }] : rows;
}

const SMALL_BYTES = 10_240;

function bytesOf(body: MessageBody): number | undefined {
  if (body.kind === "attachment") return body.size;
  return "text" in body ? utf8Length(body.text) : undefined;
}

/** How far it is with each member of its group. */
function Deliveries({ deliveries }: { readonly deliveries: readonly MemberDelivery[] }): ReactElement {
  const t = useMessages();
  const nameOf = useNameOf(deliveries.map(({ person }) => person));
  return (
    <ul className={styles.members} aria-label={t("chat.infoDeliveries")}>
      {deliveries.map(({ person, state }) => (
        <li key={person}>
          <ListRow leading={<Avatar publicKey={person} size={32} />} heading={<bdi>{nameOf(person)}</bdi>} meta={stateInWords(t, state)} />
        </li>
      ))}
    </ul>
  );
}
