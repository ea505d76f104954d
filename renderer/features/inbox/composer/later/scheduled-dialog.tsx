// The messages of a chat that wait for their time: words, time, and what can be done with each.
import { CalendarClock, Pencil, SendHorizontal, Trash2 } from "lucide-react";
import { type FormEvent, type ReactElement, useState } from "react";
import { Button } from "#renderer/components/controls/button.tsx";
import { IconButton } from "#renderer/components/controls/icon-button.tsx";
import { TextArea } from "#renderer/components/controls/text-area.tsx";
import { useToasts } from "#renderer/components/feedback/toast.tsx";
import { useNow } from "#renderer/lib/browser/use-now.ts";
import { useLanguage, useMessages } from "#renderer/lib/messages/messages-context.tsx";
import { MAX_TEXT_BYTES } from "#shared/content/content.ts";
import type { Messenger } from "#shared/messenger/messenger.ts";
import type { ScheduledMessage } from "#shared/messenger/model/message.ts";
import { utf8Length } from "#shared/util/bytes.ts";
import { ComposerDialog } from "../composer-dialog.tsx";
import { dueText } from "./due-text.ts";
import styles from "./later.module.css";
import { TimeForm } from "./time-form.tsx";
import { keepText, useUnsavedTexts } from "./unsaved-texts.ts";

const MINUTE_MS = 60_000;

export interface ScheduledDialogProps {
  readonly scheduled: readonly ScheduledMessage[];
  readonly messenger: Messenger;
  readonly onClose: () => void;
}

/** The dialog; open as long as it is mounted. It stays open while there is something in it. */
export function ScheduledDialog({ scheduled, messenger, onClose }: ScheduledDialogProps): ReactElement {
  const [changed, setChanged] = useState<Changed>();
  // What was changed last: the focus comes back to its button.
  const [before, setBefore] = useState<Changed>();
  const message = scheduled.find(({ id }) => id === changed?.id);
  const part = message && changed?.part;
  const Form = part === "time" ? ChangeTime : TextForm;
  const back = (): void => {
    setBefore(changed);
    setChanged(undefined);
  };
  return (
    <ComposerDialog
      titleKey={part === undefined ? "chat.scheduled" : FORM_TITLES[part]}
      descriptionKey={part === undefined ? "chat.scheduledText" : undefined}
      onClose={onClose}
      onBack={part === undefined ? undefined : back}
    >
      {(close): ReactElement =>
        message === undefined ? (
          <List
            scheduled={scheduled}
            messenger={messenger}
            before={before}
            onChange={setChanged}
            onEmpty={scheduled.length === 1 ? close : undefined}
          />
        ) : (
          <Form message={message} messenger={messenger} onClose={back} />
        )
      }
    </ComposerDialog>
  );
}

interface Changed {
  readonly id: string;
  readonly part: "text" | "time";
}

const FORM_TITLES = { text: "chat.scheduledEdit", time: "chat.scheduledTime" } as const;

interface ListProps extends Pick<RowProps, "messenger" | "onEmpty"> {
  readonly scheduled: readonly ScheduledMessage[];
  readonly before: Changed | undefined;
  readonly onChange: (changed: Changed) => void;
}

function List({ scheduled, before, onChange, ...row }: ListProps): ReactElement {
  const t = useMessages();
  return (
    <ul className={styles.list} aria-label={t("chat.scheduled")}>
      {scheduled.map((message) => (
        <Row
          key={message.id}
          {...row}
          message={message}
          focused={before?.id === message.id ? before.part : undefined}
          onText={(): void => onChange({ id: message.id, part: "text" })}
          onTime={(): void => onChange({ id: message.id, part: "time" })}
        />
      ))}
    </ul>
  );
}

interface RowProps {
  /** Whose button has the focus first. */
  readonly focused: Changed["part"] | undefined;
  readonly message: ScheduledMessage;
  readonly messenger: Messenger;
  readonly onText: () => void;
  readonly onTime: () => void;
  /** Called once the last one has left the list. */
  readonly onEmpty: (() => void) | undefined;
}

function Row({ message, messenger, focused, onText, onTime, onEmpty }: RowProps): ReactElement {
  const t = useMessages();
  const { locale } = useLanguage();
  const toasts = useToasts();
  const nowMs = useNow(MINUTE_MS);
  const { id, text, dueAt, isTakenBack = false } = message;
  const isUnsaved = useUnsavedTexts(({ texts }) => texts[id] !== undefined);
  const send = (button: HTMLElement): void => {
    focusNeighbour(button, 0);
    messenger.sendScheduled(id).then(() => onEmpty?.(), toasts.showError);
  };
  const remove = (button: HTMLElement): void => {
    focusNeighbour(button, -1);
    messenger.deleteScheduled(id).then((taken) => {
      if (taken === "left") toasts.show({ title: t("chat.scheduledLeft") });
      if (taken === "unsure") toasts.show({ title: t("chat.scheduledUnsure") });
      else onEmpty?.();
    }, toasts.showError);
  };
  return (
    <li className={styles.row}>
      <p className={styles.words} dir="auto">
        {text}
      </p>
      <p className={styles.state} data-problem={message.problem !== null || isTakenBack || undefined}>
        <time dateTime={new Date(dueAt).toISOString()}>{dueText(locale, dueAt, nowMs)}</time>
        {" · "}
        {stateText(t, message)}
        {isUnsaved && ` · ${t("chat.scheduledUnsaved")}`}
      </p>
      <div className={styles.rowActions}>
        {/* What has the focus first sends nothing. */}
        {!isTakenBack && (
          <>
            <IconButton size="small" icon={Pencil} autoFocus={focused === "text"} label={t("chat.scheduledEdit")} onClick={onText} />
            <IconButton size="small" icon={CalendarClock} autoFocus={focused === "time"} label={t("chat.scheduledTime")} onClick={onTime} />
            <IconButton
              size="small"
              icon={SendHorizontal}
              label={t("chat.scheduledNow")}
              onClick={({ currentTarget }): void => send(currentTarget)}
            />
          </>
        )}
        <IconButton
          size="small"
          icon={Trash2}
          label={t("chat.scheduledDelete")}
          onClick={({ currentTarget }): void => remove(currentTarget)}
        />
      </div>
    </li>
  );
}

/** The row of a button is about to go: the focus goes to the next one, to its button at this position. */
function focusNeighbour(button: HTMLElement, position: number): void {
  const row = button.closest("li");
  const neighbour = row?.nextElementSibling ?? row?.previousElementSibling;
  [...(neighbour?.querySelectorAll("button") ?? [])].at(position)?.focus();
}

function stateText(t: ReturnType<typeof useMessages>, { problem, isTakenBack, held }: ScheduledMessage): string {
  if (isTakenBack === true) return t("chat.scheduledTakenBack");
  if (problem !== null) return t("chat.scheduledProblem");
  return t(held !== undefined && held.relayPub !== "" ? "chat.scheduledHeld" : "chat.scheduledHere");
}

interface FormProps {
  readonly message: ScheduledMessage;
  readonly messenger: Messenger;
  readonly onClose: () => void;
}

/** Changes a message, and says so where it had left. */
function useChange({ message, messenger, onClose }: FormProps): {
  readonly isBusy: boolean;
  readonly change: (wanted: { readonly text?: string; readonly dueAt?: number }) => void;
} {
  const t = useMessages();
  const toasts = useToasts();
  const [isBusy, setBusy] = useState(false);
  const change = (wanted: { readonly text?: string; readonly dueAt?: number }): void => {
    setBusy(true);
    messenger
      .changeScheduled(message.id, wanted)
      .then((became) => {
        if (became === "left") toasts.show({ title: t("chat.scheduledLeft") });
        onClose();
      }, toasts.showError)
      .finally(() => setBusy(false));
  };
  return { isBusy, change };
}

function TextForm(props: FormProps): ReactElement {
  const { message, onClose } = props;
  const t = useMessages();
  const [text, setText] = useState(() => useUnsavedTexts.getState().texts[message.id] ?? message.text);
  const forget = (): void => {
    keepText(message.id, undefined);
    onClose();
  };
  const { isBusy, change } = useChange({ ...props, onClose: forget });
  const type = (typed: string): void => {
    setText(typed);
    keepText(message.id, typed === message.text ? undefined : typed);
  };
  const excess = utf8Length(text) - MAX_TEXT_BYTES;
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    if (text.trim() !== "" && excess <= 0) change({ text });
  };
  return (
    <form className={styles.form} onSubmit={submit}>
      <TextArea
        autoFocus
        label={t("common.message")}
        value={text}
        onChange={type}
        {...(excess > 0 && { error: t("inbox.tooLong", { count: excess }) })}
      />
      <div className={styles.actions}>
        <Button onClick={forget}>{t("common.cancel")}</Button>
        <Button variant="primary" type="submit" busy={isBusy} disabled={text.trim() === "" || excess > 0}>
          {t("common.save")}
        </Button>
      </div>
    </form>
  );
}

function ChangeTime(props: FormProps): ReactElement {
  const { isBusy, change } = useChange(props);
  return (
    <TimeForm
      startAt={props.message.dueAt}
      action="common.save"
      isBusy={isBusy}
      onCancel={props.onClose}
      onChoose={(dueAt): void => change({ dueAt })}
    />
  );
}
