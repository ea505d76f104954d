// Checks the paper copy, now or later.
import type { ReactElement } from "react";
import { Button } from "#renderer/components/controls/button.tsx";
import { CenteredCard } from "#renderer/components/layout/centered-card.tsx";
import { usePhraseQuiz } from "#renderer/components/secrets/phrase-quiz.tsx";
import { useMessages } from "#renderer/lib/messages/messages-context.tsx";
import { StepCount } from "./step-count.tsx";

export interface QuizStepProps {
  readonly onBack: () => void;
  readonly onNext: () => void;
}

/** The quiz card. */
export function QuizStep(props: QuizStepProps): ReactElement {
  const { onBack, onNext } = props;
  const t = useMessages();
  const quiz = usePhraseQuiz(onNext);
  const submit = (): void => {
    if (quiz.canCheck && !quiz.isChecking) quiz.check();
  };
  return (
    <CenteredCard
      title={t("onboarding.quizTitle")}
      text={t("onboarding.quizText")}
      aside={<StepCount step={3} />}
      onSubmit={submit}
      actions={
        <>
          <Button variant="ghost" onClick={onBack}>
            {t("common.back")}
          </Button>
          <Button onClick={onNext}>{t("onboarding.quizLater")}</Button>
          <Button variant="primary" type="submit" disabled={!quiz.canCheck} busy={quiz.isChecking}>
            {t("onboarding.quizCheck")}
          </Button>
        </>
      }
    >
      {quiz.fields}
    </CenteredCard>
  );
}
