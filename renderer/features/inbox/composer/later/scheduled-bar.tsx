// Messages of a chat that wait for their time, above the text field; a press shows them all.
import { ClockAlert, ClockFading } from "lucide-react";
import { type ReactElement, Suspense, useState } from "react";
import { useNow } from "#renderer/lib/browser/use-now.ts";
import { lazyPart } from "#renderer/lib/browser/window/lazy-part.ts";
import { useLanguage, useMessages, WithAllWords } from "#renderer/lib/messages/messages-context.tsx";
import type { Messenger } from "#shared/messenger/messenger.ts";
import type { ScheduledMessage } from "#shared/messenger/model/message.ts";
import { dueText } from "./due-text.ts";
import styles from "./later.module.css";

const ScheduledDialog = lazyPart(async () => (await import("./scheduled-dialog.tsx")).ScheduledDialog);
const MINUTE_MS = 60_000;

export interface ScheduledBarProps {
  /** The earliest first, at least one. */
  readonly scheduled: readonly ScheduledMessage[];
  readonly messenger: Messenger;
}

export function ScheduledBar(props: ScheduledBarProps): ReactElement {
  return (
    <WithAllWords>
      <Bar {...props} />
    </WithAllWords>
  );
}

function Bar({ scheduled, messenger }: ScheduledBarProps): ReactElement | null {
  const t = useMessages();
  const { locale } = useLanguage();
  const nowMs = useNow(MINUTE_MS);
  const [isOpen, setOpen] = useState(false);
  const [first] = scheduled;
  if (first === undefined) return null;
  const hasProblem = scheduled.some(({ problem, isTakenBack }) => problem !== null || isTakenBack === true);
  const Icon = hasProblem ? ClockAlert : ClockFading;
  return (
    <>
      <button type="button" className={styles.bar} data-problem={hasProblem || undefined} onClick={(): void => setOpen(true)}>
        <Icon size={16} aria-hidden="true" />
        <span className={styles.count}>{t("chat.scheduledCount", { count: scheduled.length })}</span>
        <span className={styles.next} dir="auto">
          {first.text}
        </span>
        <span className={styles.clock}>{dueText(locale, first.dueAt, nowMs)}</span>
      </button>
      <Suspense fallback={null}>
        {isOpen && <ScheduledDialog scheduled={scheduled} messenger={messenger} onClose={(): void => setOpen(false)} />}
      </Suspense>
    </>
  );
}
