// Choosing when a message is sent: times that are offered, and a field for any other.
import { type FormEvent, type ReactElement, useState } from "react";
import { Button } from "#renderer/components/controls/button.tsx";
import { TextField } from "#renderer/components/controls/text-field.tsx";
import { formatClock, formatDate } from "#renderer/lib/format/time.ts";
import type { PlainMessageKey } from "#renderer/lib/messages/catalogue.ts";
import { useLanguage, useMessages } from "#renderer/lib/messages/messages-context.tsx";
import { MAX_SCHEDULED_AHEAD_MS } from "#shared/messenger/model/message.ts";
import { fromFieldTime, type OfferedTime, offeredTimes, toFieldTime } from "./due-times.ts";
import styles from "./later.module.css";

const LABELS = {
  hour: "chat.laterHour",
  tonight: "chat.laterTonight",
  tomorrow: "chat.laterTomorrow",
  monday: "chat.laterMonday",
} as const satisfies Readonly<Record<OfferedTime["id"], PlainMessageKey>>;

export interface TimeFormProps {
  /** What the field begins with, milliseconds since 1970; an hour from now without it. */
  readonly startAt?: number;
  /** Words of the button that takes the time of the field. */
  readonly action: PlainMessageKey;
  readonly isBusy?: boolean;
  readonly onChoose: (dueAt: number) => void;
  readonly onCancel: () => void;
}

export function TimeForm({ startAt, action, isBusy = false, onChoose, onCancel }: TimeFormProps): ReactElement {
  const t = useMessages();
  const { locale } = useLanguage();
  const [openedAt] = useState(() => Date.now());
  const offered = offeredTimes(openedAt);
  const [value, setValue] = useState(() => toFieldTime(startAt ?? offered[0]?.dueAt ?? openedAt));
  const [wasTried, setTried] = useState(false);
  const typed = fromFieldTime(value);
  const isPossible = (): boolean => typed !== undefined && typed > Date.now() && typed <= Date.now() + MAX_SCHEDULED_AHEAD_MS;
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    setTried(true);
    if (typed !== undefined && isPossible()) onChoose(typed);
  };
  return (
    <form className={styles.form} onSubmit={submit}>
      <ul className={styles.offered} aria-label={t("chat.laterOffered")}>
        {offered.map(({ id, dueAt }) => (
          <li key={id}>
            <button type="button" className={styles.offer} disabled={isBusy} onClick={(): void => onChoose(dueAt)}>
              <span>{t(LABELS[id])}</span>
              <span className={styles.clock}>
                {id === "monday" ? `${formatDate(locale, dueAt, openedAt)}, ` : ""}
                {formatClock(locale, dueAt)}
              </span>
            </button>
          </li>
        ))}
      </ul>
      <TextField
        type="datetime-local"
        label={t("chat.laterTime")}
        autoFocus={startAt !== undefined}
        value={value}
        onChange={setValue}
        {...(wasTried && !isPossible() && { error: t("chat.laterWrongTime") })}
      />
      <div className={styles.actions}>
        <Button onClick={onCancel}>{t("common.cancel")}</Button>
        <Button variant="primary" type="submit" busy={isBusy}>
          {t(action)}
        </Button>
      </div>
    </form>
  );
}
