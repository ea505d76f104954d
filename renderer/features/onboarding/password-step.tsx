// The password that protects the keys on this device.
import { useMutation } from "@tanstack/react-query";
import type { ReactElement } from "react";
import { Button } from "#renderer/components/controls/button.tsx";
import { Banner } from "#renderer/components/feedback/banner.tsx";
import { CenteredCard } from "#renderer/components/layout/centered-card.tsx";
import { NewPasswordFields } from "#renderer/components/secrets/new-password-fields.tsx";
import { errorInWords } from "#renderer/lib/messages/errors-in-words.ts";
import { useMessages } from "#renderer/lib/messages/messages-context.tsx";
import { useNewPassword } from "#renderer/lib/profile/use-new-password.ts";
import { StepCount } from "./step-count.tsx";

export interface PasswordStepProps {
  readonly path: "new" | "import" | "link";
  /** Of the person, as far as it is known. */
  readonly name: string;
  readonly onBack: () => void;
  /** Makes the keys; takes a moment, as it should be slow to guess. */
  readonly onSubmit: (password: string) => Promise<void>;
}

const MAKE = { new: "onboarding.create", import: "onboarding.restore", link: "onboarding.linkFinish" } as const;

/** The password card. */
export function PasswordStep(props: PasswordStepProps): ReactElement {
  const { path, name, onBack, onSubmit } = props;
  const t = useMessages();
  const chosen = useNewPassword([name]);
  const make = useMutation({ mutationFn: onSubmit });
  const submit = (): void => {
    if (!make.isPending) chosen.submit((password) => make.mutate(password));
  };
  return (
    <CenteredCard
      title={t("onboarding.passwordTitle")}
      text={t("onboarding.passwordText")}
      {...(path !== "link" && { aside: <StepCount step={2} /> })}
      onSubmit={submit}
      actions={
        <>
          <Button variant="ghost" onClick={onBack} disabled={make.isPending}>
            {t("common.back")}
          </Button>
          <Button variant="primary" type="submit" busy={make.isPending}>
            {t(MAKE[path])}
          </Button>
        </>
      }
    >
      {make.error !== null && (
        <Banner tone="danger" title={errorInWords(t, make.error).title}>
          {errorInWords(t, make.error).text}
        </Banner>
      )}
      <NewPasswordFields chosen={chosen} autoFocus />
    </CenteredCard>
  );
}
