// One entry of the activity: who, what, how much, where it is.
import {
  Ban,
  Coins,
  FileCode2,
  Gavel,
  Globe,
  HeartPulse,
  KeyRound,
  Link2,
  Lock,
  MonitorSmartphone,
  RadioTower,
  ReceiptText,
  ShieldCheck,
  ShieldX,
  Unplug,
  UserCheck,
  UserPlus,
  Waypoints,
} from "lucide-react";
import { memo, type ReactElement } from "react";
import { Amount } from "#renderer/components/basics/amount.tsx";
import { Avatar } from "#renderer/components/basics/avatar.tsx";
import { Badge } from "#renderer/components/basics/badge.tsx";
import { ListRowLink } from "#renderer/components/layout/list-row.tsx";
import shared from "#renderer/components/styles/shared.module.css";
import { useOrderingProgram } from "#renderer/lib/desktop/use-apps-state.ts";
import { amountText } from "#renderer/lib/format/amount.ts";
import { shorten } from "#renderer/lib/format/key.ts";
import { formatClock, formatExactTime, toMilliseconds } from "#renderer/lib/format/time.ts";
import { useLanguage, useMessages } from "#renderer/lib/messages/messages-context.tsx";
import { claimedName } from "#renderer/lib/people/names/claimed-name.ts";
import { usePerson } from "#renderer/lib/people/people-context.tsx";
import type { TransactionKind } from "#renderer/lib/transactions/transaction-kind.ts";
import { formatAddress, type PublicKeyHex } from "#shared/protocol/primitives/address.ts";
import { type ActivityItem, balanceChange } from "./activity-item.ts";
import styles from "./activity-row.module.css";
import { activitySentence, stateInWords } from "./activity-words.ts";

const ICONS: Readonly<Record<TransactionKind, typeof Coins>> = {
  transfer: Coins,
  registerKey: KeyRound,
  linkDevice: MonitorSmartphone,
  unlinkDevice: Unplug,
  contactRequest: UserPlus,
  acceptContact: UserCheck,
  blockContact: Ban,
  blockReward: Coins,
  registerRelay: RadioTower,
  relayProof: RadioTower,
  heartbeat: HeartPulse,
  bindWallet: Link2,
  addValidator: ShieldCheck,
  removeValidator: ShieldX,
  slash: Gavel,
  upgrade: Gavel,
  rotateKey: KeyRound,
  suspendRelay: Gavel,
  openChannel: Waypoints,
  closeChannel: Waypoints,
  deployContract: FileCode2,
  callContract: FileCode2,
  other: ReceiptText,
};

export interface ActivityRowProps {
  readonly item: ActivityItem;
  readonly label: string | undefined;
  /** What its payer wrote into the chat with it. */
  readonly note?: string | undefined;
  /** What its payer wrote for everyone to read. */
  readonly memo?: string | undefined;
  /** Below the row of a group. */
  readonly isInner?: boolean;
}

/** The row, which opens the entry. */
export const ActivityRow = memo(function ActivityRow(props: ActivityRowProps): ReactElement {
  const { peer } = props.item;
  return peer === undefined ? <Row {...props} person="" /> : <PeerRow {...props} peer={peer} />;
});

/** A name that its owner chose is shown with the end of the address: names are not unique. */
function PeerRow(props: ActivityRowProps & { readonly peer: PublicKeyHex }): ReactElement {
  const { peer } = props;
  const { name, isOwnName, isVerified, isContact } = usePerson(peer);
  const address = formatAddress(peer);
  if (name === undefined) return <Row {...props} person={shorten(address)} />;
  return <Row {...props} person={isOwnName || isVerified ? name : claimedName(name, peer, isContact)} />;
}

function Row(props: ActivityRowProps & { readonly person: string }): ReactElement {
  const { item, label, note, memo, isInner = false, person } = props;
  const t = useMessages();
  const change = balanceChange(item);
  const Icon = ICONS[item.kind];
  const row = (
    <ListRowLink
      to="/wallet/activity/$id"
      params={{ id: item.id }}
      leading={
        item.peer === undefined ? (
          <span className={styles.icon}>
            <Icon size={17} aria-hidden="true" />
          </span>
        ) : (
          <Avatar publicKey={item.peer} />
        )
      }
      heading={activitySentence(t, item, person)}
      isWhole
      meta={
        change !== undefined && (
          <span className={styles.amount}>
            <Amount amountUt={change.amountUt} direction={change.direction} size="strong" />
          </span>
        )
      }
      subtitle={
        <>
          {label !== undefined && <span className={styles.label}>{label}</span>}
          {note !== undefined && note !== "" && (
            <span className={styles.note}>
              <Lock size={11} role="img" aria-label={t("wallet.notePrivate")} /> <bdi>{note}</bdi>
            </span>
          )}
          {memo !== undefined && (
            <span className={styles.note}>
              <Globe size={11} role="img" aria-label={t("wallet.memoPublic")} /> <bdi>{memo}</bdi>
            </span>
          )}
          <ActivityState item={item} />
          {change?.direction === "out" && <ByProgram id={item.id} />}
        </>
      }
      trailing={
        <span className={shared.caption}>
          <TimeOfDay at={item.timeMs} />
        </span>
      }
    />
  );
  return isInner ? <div className={styles.inner}>{row}</div> : row;
}

/** A program that the person let in ordered it. */
function ByProgram({ id }: { readonly id: string }): ReactElement | null {
  const t = useMessages();
  const name = useOrderingProgram(id);
  return name === undefined ? null : <> · {t("common.byProgram", { name })}</>;
}

/** The day is above. */
function TimeOfDay({ at }: { readonly at: number }): ReactElement {
  const { locale, t } = useLanguage();
  if (toMilliseconds(at) === undefined) return <span>{t("common.unknown")}</span>;
  return (
    <time dateTime={new Date(at).toISOString()} title={formatExactTime(locale, at)}>
      {formatClock(locale, at)}
    </time>
  );
}

function ActivityState(props: { readonly item: ActivityItem }): ReactElement {
  const { state, feeUt, direction } = props.item;
  const t = useMessages();
  const words = stateInWords(t, state);
  switch (state.kind) {
    case "submitted":
      return <Badge tone="accent">{words}</Badge>;
    case "failed":
    case "expired":
      return <Badge tone="danger">{words}</Badge>;
    case "inBlock":
      return <>{direction === "out" && feeUt > 0 ? t("wallet.completedWithFee", { fee: amountText(t, feeUt) }) : t("wallet.completed")}</>;
  }
}
