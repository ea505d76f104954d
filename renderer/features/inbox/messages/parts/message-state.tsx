// How far an own message has come: ◌ waiting, ✓ sent, ✓✓ delivered, filled when read, ! when it could not be sent, ⊘ when none receives it.
import { Check, CheckCheck, CircleAlert, CircleDashed, CircleOff, type LucideIcon } from "lucide-react";
import type { ReactElement } from "react";
import { classNames } from "#renderer/lib/browser/class-names.ts";
import { useMessages } from "#renderer/lib/messages/messages-context.tsx";
import { NO_RECIPIENT, type OutgoingState } from "#shared/messenger/model/message.ts";
import { stateInWords } from "../../model/message-text.ts";
import styles from "./message-state.module.css";

const ICONS: Readonly<Record<OutgoingState, LucideIcon>> = {
  queued: CircleDashed,
  relayed: Check,
  delivered: CheckCheck,
  read: CheckCheck,
  failed: CircleAlert,
  [NO_RECIPIENT]: CircleOff,
};

/** An icon with its word. Notes to oneself are saved, not delivered. */
export function MessageState(props: { readonly state: OutgoingState; readonly isSelf: boolean }): ReactElement {
  const { state, isSelf } = props;
  const t = useMessages();
  const isSaved = isSelf && (state === "delivered" || state === "read" || state === "relayed");
  const Icon = isSaved ? Check : ICONS[state];
  const word = isSaved ? t("inbox.state.saved") : stateInWords(t, state);
  return (
    <span className={classNames(styles.state, styles[isSaved ? "relayed" : state])} role="img" aria-label={word} title={word}>
      <Icon size={state === "read" && !isSaved ? 11 : 14} strokeWidth={state === "read" && !isSaved ? 3 : 2.25} aria-hidden="true" />
    </span>
  );
}
