// Coming back with a recovery phrase.
import { useMutation } from "@tanstack/react-query";
import type { ReactElement } from "react";
import { Button } from "#renderer/components/controls/button.tsx";
import { Banner } from "#renderer/components/feedback/banner.tsx";
import { CenteredCard } from "#renderer/components/layout/centered-card.tsx";
import { PhraseField, phraseProblem } from "#renderer/components/secrets/phrase-field.tsx";
import { useMessages } from "#renderer/lib/messages/messages-context.tsx";

export interface ImportStepProps {
  readonly phrase: string;
  readonly isDamaged: boolean;
  readonly onPhrase: (phrase: string) => void;
  readonly onNext: () => void;
  readonly onBack?: () => void;
}

/** The phrase card. The words are checked before one continues, so that a mistake is mended where it was made. */
export function ImportStep(props: ImportStepProps): ReactElement {
  const { phrase, isDamaged, onPhrase, onNext, onBack } = props;
  const t = useMessages();
  const check = useMutation({
    mutationFn: async () => {
      const { entropyOfPhrase } = await import("#shared/keyring/vault/phrase.ts");
      entropyOfPhrase(phrase).fill(0);
    },
    onSuccess: onNext,
  });
  const type = (value: string): void => {
    onPhrase(value);
    check.reset();
  };
  return (
    <CenteredCard
      wide
      title={t("onboarding.importTitle")}
      text={t("onboarding.importText")}
      onSubmit={(): void => check.mutate()}
      actions={
        <>
          {onBack !== undefined && (
            <Button variant="ghost" onClick={onBack}>
              {t("common.back")}
            </Button>
          )}
          <Button variant="primary" type="submit">
            {t("common.continue")}
          </Button>
        </>
      }
    >
      {isDamaged && (
        <Banner tone="warning" title={t("onboarding.damagedTitle")}>
          {t("onboarding.damagedText")}
        </Banner>
      )}
      <PhraseField value={phrase} onChange={type} autoFocus error={phraseProblem(t, phrase, check.error)} />
    </CenteredCard>
  );
}
