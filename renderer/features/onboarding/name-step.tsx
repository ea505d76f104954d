// The name that others will see.
import { type ReactElement, useState } from "react";
import { Button } from "#renderer/components/controls/button.tsx";
import { TextField } from "#renderer/components/controls/text-field.tsx";
import { CenteredCard } from "#renderer/components/layout/centered-card.tsx";
import type { Translate } from "#renderer/lib/messages/catalogue.ts";
import { useMessages } from "#renderer/lib/messages/messages-context.tsx";
import { MAX_NICKNAME_BYTES } from "#shared/protocol/primitives/limits.ts";
import { isPrintable } from "#shared/protocol/primitives/printable.ts";
import { utf8 } from "#shared/util/bytes.ts";
import { StepCount } from "./step-count.tsx";

export interface NameStepProps {
  readonly name: string;
  readonly onName: (name: string) => void;
  readonly onNext: () => void;
  readonly onBack: () => void;
}

/** The name card. */
export function NameStep(props: NameStepProps): ReactElement {
  const { name, onName, onNext, onBack } = props;
  const t = useMessages();
  const [isTried, setTried] = useState(false);
  const problem = nameProblem(t, name);
  const submit = (): void => {
    setTried(true);
    if (problem === undefined) onNext();
  };
  return (
    <CenteredCard
      title={t("onboarding.nameTitle")}
      text={t("onboarding.nameText")}
      aside={<StepCount step={1} />}
      onSubmit={submit}
      actions={
        <>
          <Button variant="ghost" onClick={onBack}>
            {t("common.back")}
          </Button>
          <Button variant="primary" type="submit">
            {t("common.continue")}
          </Button>
        </>
      }
    >
      <TextField
        label={t("common.name")}
        optional
        value={name}
        onChange={onName}
        autoFocus
        autoComplete="nickname"
        spellCheck={false}
        error={isTried ? problem : undefined}
      />
    </CenteredCard>
  );
}

function nameProblem(t: Translate, name: string): string | undefined {
  const trimmed = name.trim();
  if (utf8(trimmed).length > MAX_NICKNAME_BYTES) return t("onboarding.nameTooLong");
  return trimmed === "" || isPrintable(trimmed) ? undefined : t("common.nameCharacters");
}
