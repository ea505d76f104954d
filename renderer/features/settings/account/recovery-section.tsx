// The recovery phrase: whether it was confirmed, showing it again, the quiz.
import { type FormEvent, type ReactElement, useId, useState } from "react";
import { Badge } from "#renderer/components/basics/badge.tsx";
import { Button } from "#renderer/components/controls/button.tsx";
import { Banner } from "#renderer/components/feedback/banner.tsx";
import { useToasts } from "#renderer/components/feedback/toast.tsx";
import { Section } from "#renderer/components/layout/section.tsx";
import { Dialog } from "#renderer/components/overlays/dialog.tsx";
import { PasswordDialog } from "#renderer/components/secrets/password-dialog.tsx";
import { usePhraseQuiz } from "#renderer/components/secrets/phrase-quiz.tsx";
import { PhraseWords } from "#renderer/components/secrets/phrase-words.tsx";
import shared from "#renderer/components/styles/shared.module.css";
import { useKeyring, useKeyringValue } from "#renderer/lib/keyring/keyring-context.tsx";
import { useEnsureUnlocked } from "#renderer/lib/keyring/unlock-context.tsx";
import { usePasswordForm } from "#renderer/lib/keyring/use-password-form.ts";
import { useMessages } from "#renderer/lib/messages/messages-context.tsx";

export function RecoverySection(): ReactElement {
  const t = useMessages();
  const { status } = useKeyringValue();
  const [open, setOpen] = useState<"none" | "reveal" | "quiz">("none");
  const ensureUnlocked = useEnsureUnlocked();
  const isConfirmed = status?.phraseConfirmed === true;
  const close = (): void => setOpen("none");
  if (status?.isLinked === true)
    return (
      <Section title={t("common.recoveryPhrase")} hint={t("settings.recoveryLinked")}>
        <Button onClick={(): void => void ensureUnlocked().catch(() => undefined)}>{t("lock.addPhrase")}</Button>
      </Section>
    );
  return (
    <Section title={t("common.recoveryPhrase")} hint={t("settings.recoveryText")}>
      <div className={shared.between}>
        <Badge tone={isConfirmed ? "success" : "warning"}>
          {t(isConfirmed ? "settings.recoveryConfirmed" : "settings.recoveryUnconfirmed")}
        </Badge>
        <div className={shared.buttons}>
          <Button onClick={(): void => setOpen("reveal")}>{t("settings.reveal")}</Button>
          {!isConfirmed && (
            <Button variant="primary" onClick={(): void => setOpen("quiz")}>
              {t("settings.quiz")}
            </Button>
          )}
        </div>
      </div>
      {open === "reveal" && <RevealDialog onClose={close} />}
      {open === "quiz" && <QuizDialog onClose={close} />}
    </Section>
  );
}

function RevealDialog({ onClose }: { readonly onClose: () => void }): ReactElement {
  const t = useMessages();
  const keyring = useKeyring();
  const form = usePasswordForm((password) => keyring.revealPhrase({ password }));
  if (form.result === undefined)
    return (
      <PasswordDialog
        open
        title={t("settings.revealTitle")}
        description={t("settings.revealText")}
        action={t("settings.reveal")}
        form={form}
        onCancel={onClose}
      />
    );
  return (
    <Dialog
      open
      wide
      onOpenChange={onClose}
      title={t("settings.revealTitle")}
      footer={
        <Button variant="primary" onClick={onClose}>
          {t("common.done")}
        </Button>
      }
    >
      <PhraseWords words={form.result.words} />
      <Banner tone="warning">{t("onboarding.phraseWarning")}</Banner>
    </Dialog>
  );
}

function QuizDialog({ onClose }: { readonly onClose: () => void }): ReactElement {
  const t = useMessages();
  const toasts = useToasts();
  const form = useId();
  const quiz = usePhraseQuiz(() => {
    toasts.show({ title: t("onboarding.quizDone"), tone: "success" });
    onClose();
  });
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    if (quiz.canCheck && !quiz.isChecking) quiz.check();
  };
  return (
    <Dialog
      open
      onOpenChange={onClose}
      title={t("settings.quizTitle")}
      description={t("onboarding.quizText")}
      footer={
        <Button variant="primary" type="submit" form={form} disabled={!quiz.canCheck} busy={quiz.isChecking}>
          {t("onboarding.quizCheck")}
        </Button>
      }
    >
      <form id={form} onSubmit={submit}>
        {quiz.fields}
      </form>
    </Dialog>
  );
}
