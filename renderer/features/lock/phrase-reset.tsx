// A new password by the recovery phrase: keys, messages and settings of this device stay.
import { useMutation } from "@tanstack/react-query";
import { type ReactElement, useState } from "react";
import { Button } from "#renderer/components/controls/button.tsx";
import { CenteredCard } from "#renderer/components/layout/centered-card.tsx";
import { NewPasswordFields } from "#renderer/components/secrets/new-password-fields.tsx";
import { PhraseField, phraseProblem } from "#renderer/components/secrets/phrase-field.tsx";
import { useKeyring } from "#renderer/lib/keyring/keyring-context.tsx";
import { useMessages } from "#renderer/lib/messages/messages-context.tsx";
import { useNewPassword } from "#renderer/lib/profile/use-new-password.ts";

/** The card for a forgotten password. */
export function PhraseReset(props: { readonly onBack: () => void }): ReactElement {
  const t = useMessages();
  const keyring = useKeyring();
  const [phrase, setPhrase] = useState("");
  const chosen = useNewPassword();
  const reset = useMutation({ mutationFn: (password: string) => keyring.resetPassword({ phrase, password }) });
  const submit = (): void => {
    if (!reset.isPending) chosen.submit((password) => reset.mutate(password));
  };
  return (
    <CenteredCard
      wide
      title={t("lock.resetTitle")}
      text={t("lock.resetText")}
      onSubmit={submit}
      actions={
        <>
          <Button variant="ghost" onClick={props.onBack}>
            {t("lock.backToPassword")}
          </Button>
          <Button variant="primary" type="submit" busy={reset.isPending}>
            {t("lock.resetAction")}
          </Button>
        </>
      }
    >
      <PhraseField value={phrase} onChange={setPhrase} error={phraseProblem(t, phrase, reset.error)} />
      <NewPasswordFields chosen={chosen} />
    </CenteredCard>
  );
}
