// Asking the people of a chat to choose.
import { useMutation } from "@tanstack/react-query";
import { Plus, X } from "lucide-react";
import { type FormEvent, type ReactElement, useEffect, useRef, useState } from "react";
import { Button } from "#renderer/components/controls/button.tsx";
import { Checkbox } from "#renderer/components/controls/checkbox.tsx";
import { IconButton } from "#renderer/components/controls/icon-button.tsx";
import { TextField } from "#renderer/components/controls/text-field.tsx";
import { useToasts } from "#renderer/components/feedback/toast.tsx";
import { announce } from "#renderer/lib/browser/announce.ts";
import { useMessages } from "#renderer/lib/messages/messages-context.tsx";
import { MAX_ANSWER_BYTES, MAX_ANSWERS, MAX_QUESTION_BYTES, MIN_ANSWERS } from "#shared/content/chat/poll-content.ts";
import type { Messenger } from "#shared/messenger/messenger.ts";
import type { ConversationId } from "#shared/messenger/model/message.ts";
import { utf8Length } from "#shared/util/bytes.ts";
import { ComposerDialog } from "../composer-dialog.tsx";
import styles from "./poll-dialog.module.css";

export interface PollDialogProps {
  readonly id: ConversationId;
  readonly messenger: Messenger;
  readonly onClose: () => void;
}

/** The dialog; open as long as it is mounted. */
export function PollDialog({ id, messenger, onClose }: PollDialogProps): ReactElement {
  return (
    <ComposerDialog keepOpen titleKey="chat.pollNew" descriptionKey="chat.pollNotAnonymous" onClose={onClose}>
      {(close): ReactElement => <PollForm id={id} messenger={messenger} onClose={close} />}
    </ComposerDialog>
  );
}

interface TypedAnswer {
  readonly key: number;
  readonly text: string;
}

/** What is wrong with the answers together, and the one that is there already. Read when it comes: the field may not have the focus. */
function useProblem(answers: readonly TypedAnswer[], wasTried: boolean): { readonly twin: number | undefined; readonly problem: string } {
  const t = useMessages();
  const twin = answers.find(({ text }, index) => answers.slice(0, index).some((other) => isSame(other.text, text)))?.key;
  const isFew = wasTried && answers.filter(({ text }) => text.trim() !== "").length < MIN_ANSWERS;
  const problem = twin !== undefined ? t("chat.pollTwins") : isFew ? t("chat.pollFew") : "";
  useEffect(() => {
    if (problem !== "") announce(problem);
  }, [problem]);
  return { twin, problem };
}

function isSame(one: string, other: string): boolean {
  return one.trim() !== "" && one.trim() === other.trim();
}

function PollForm({ id, messenger, onClose }: PollDialogProps): ReactElement {
  const t = useMessages();
  const toasts = useToasts();
  const [question, setQuestion] = useState("");
  const [answers, setAnswers] = useState<readonly TypedAnswer[]>([
    { key: 0, text: "" },
    { key: 1, text: "" },
  ]);
  const [isMultiple, setMultiple] = useState(false);
  const [wasTried, setTried] = useState(false);
  const fields = useRef(new Map<number, HTMLInputElement>());
  const remove = (index: number): void => {
    // Its button goes, and the focus to the answer that takes its place, or the last one.
    fields.current.get((answers[index + 1] ?? answers[index - 1])?.key ?? 0)?.focus();
    setAnswers(answers.filter((_, other) => other !== index));
  };
  const written = answers.map(({ text }) => text.trim()).filter((text) => text !== "");
  const { twin, problem } = useProblem(answers, wasTried);
  const isFitting = (text: string, max: number): boolean => utf8Length(text.trim()) <= max;
  const isComplete =
    question.trim() !== "" &&
    isFitting(question, MAX_QUESTION_BYTES) &&
    written.length >= MIN_ANSWERS &&
    twin === undefined &&
    written.every((text) => isFitting(text, MAX_ANSWER_BYTES));
  const send = useMutation({
    mutationFn: () => messenger.sendPoll(id, { question, answers: written, isMultiple }),
    onSuccess: onClose,
    onError: toasts.showError,
  });
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    setTried(true);
    if (isComplete) send.mutate();
  };
  const questionError = isFitting(question, MAX_QUESTION_BYTES)
    ? wasTried && question.trim() === "" && t("chat.pollNoQuestion")
    : t("chat.pollTooLong");
  return (
    <form className={styles.form} onSubmit={submit}>
      <TextField
        autoFocus
        label={t("chat.pollQuestion")}
        value={question}
        onChange={setQuestion}
        {...(questionError !== false && { error: questionError })}
      />
      {answers.map(({ key, text }, index) => (
        <div key={key} className={styles.answer}>
          <TextField
            autoFocus={key >= MIN_ANSWERS}
            ref={(field): void => {
              if (field === null) fields.current.delete(key);
              else fields.current.set(key, field);
            }}
            label={t("chat.pollAnswer", { number: index + 1 })}
            value={text}
            onChange={(next): void => setAnswers(answers.map((other) => (other.key === key ? { key, text: next } : other)))}
            {...(key === twin && { error: problem })}
            {...(!isFitting(text, MAX_ANSWER_BYTES) && { error: t("chat.pollTooLong") })}
          />
          {answers.length > MIN_ANSWERS && (
            <IconButton icon={X} label={t("chat.pollRemoveAnswer", { number: index + 1 })} onClick={(): void => remove(index)} />
          )}
        </div>
      ))}
      {problem !== "" && twin === undefined && <p className={styles.error}>{problem}</p>}
      {answers.length < MAX_ANSWERS && (
        <div>
          <Button
            size="small"
            icon={Plus}
            onClick={(): void => setAnswers([...answers, { key: Math.max(...answers.map(({ key }) => key)) + 1, text: "" }])}
          >
            {t("chat.pollAddAnswer")}
          </Button>
        </div>
      )}
      <Checkbox label={t("chat.pollMultiple")} checked={isMultiple} onChange={setMultiple} />
      <div className={styles.actions}>
        <Button onClick={onClose}>{t("common.cancel")}</Button>
        <Button variant="primary" type="submit" busy={send.isPending}>
          {t("chat.pollSend")}
        </Button>
      </div>
    </form>
  );
}
