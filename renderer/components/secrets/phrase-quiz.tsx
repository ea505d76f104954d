// Asks for a few words of the phrase, to be sure that a copy exists. The keyring chooses the words and checks the answers.
import { useMutation, useQuery } from "@tanstack/react-query";
import { type ReactElement, useState } from "react";
import { useKeyringValue } from "#renderer/lib/keyring/keyring-context.tsx";
import { errorInWords } from "#renderer/lib/messages/errors-in-words.ts";
import { useMessages } from "#renderer/lib/messages/messages-context.tsx";
import { TextField } from "../controls/text-field.tsx";
import { Banner } from "../feedback/banner.tsx";
import styles from "./phrase-quiz.module.css";

/** A quiz under way. */
export interface PhraseQuiz {
  readonly fields: ReactElement;
  readonly canCheck: boolean;
  readonly isChecking: boolean;
  readonly check: () => void;
}

/** Fields and check of a quiz; `onConfirmed` is called once every answer was right. A wrong one brings a new quiz. */
export function usePhraseQuiz(onConfirmed: () => void): PhraseQuiz {
  const t = useMessages();
  const { keyring, refresh } = useKeyringValue();
  const [answers, setAnswers] = useState<Readonly<Record<number, string>>>({});
  const quiz = useQuery({ queryKey: ["phrase-quiz"], queryFn: () => keyring.phraseQuiz(), staleTime: Number.POSITIVE_INFINITY, gcTime: 0 });
  const positions = quiz.data?.positions ?? [];
  const check = useMutation({
    mutationFn: () =>
      keyring.confirmPhrase({
        answers: positions.map((position) => ({ position, word: (answers[position] ?? "").trim().toLowerCase() })),
      }),
    onSuccess: async ({ confirmed }) => {
      await refresh();
      if (confirmed) return onConfirmed();
      setAnswers({});
      await quiz.refetch();
    },
  });
  const isWrong = check.data?.confirmed === false;
  const fields = (
    <>
      {isWrong && <Banner tone="warning">{t("onboarding.quizWrong")}</Banner>}
      {check.error !== null && <Banner tone="danger">{errorInWords(t, check.error).text}</Banner>}
      <div className={styles.fields}>
        {positions.map((position, index) => (
          <TextField
            key={position}
            label={t("onboarding.quizWord", { position })}
            value={answers[position] ?? ""}
            onChange={(word): void => setAnswers({ ...answers, [position]: word })}
            autoFocus={index === 0}
            spellCheck={false}
            mono
          />
        ))}
      </div>
    </>
  );
  const canCheck = positions.length > 0 && positions.every((position) => (answers[position] ?? "").trim() !== "");
  return { fields, canCheck, isChecking: check.isPending, check: () => check.mutate() };
}
