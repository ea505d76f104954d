// The code that the other device shows, typed or read from its picture.
import { QrCode } from "lucide-react";
import { type ReactElement, useState } from "react";
import { Button } from "#renderer/components/controls/button.tsx";
import { TextField } from "#renderer/components/controls/text-field.tsx";
import { CenteredCard } from "#renderer/components/layout/centered-card.tsx";
import { QrScanner } from "#renderer/components/people/qr-scanner.tsx";
import { errorInWords } from "#renderer/lib/messages/errors-in-words.ts";
import { useMessages } from "#renderer/lib/messages/messages-context.tsx";
import { type BegunLink, useBeginLink } from "./use-begin-link.ts";

export interface LinkCodeCardProps {
  readonly chainId: string | undefined;
  readonly onBegun: (begun: BegunLink) => void;
  readonly onBack: () => void;
}

/** The first card. */
export function LinkCodeCard({ chainId, onBegun, onBack }: LinkCodeCardProps): ReactElement {
  const t = useMessages();
  const [code, setCode] = useState("");
  const [isScanning, setScanning] = useState(false);
  const { begin, error, reset, isPending } = useBeginLink(chainId, onBegun);
  const found = (text: string): void => {
    setScanning(false);
    setCode(text);
    begin(text);
  };
  return (
    <CenteredCard
      title={t("onboarding.linkTitle")}
      text={t("onboarding.linkText")}
      onSubmit={(): void => begin(code)}
      actions={
        <>
          <Button variant="ghost" onClick={onBack}>
            {t("common.back")}
          </Button>
          <Button icon={QrCode} onClick={(): void => setScanning(true)}>
            {t("onboarding.linkScan")}
          </Button>
          <Button variant="primary" type="submit" busy={isPending} disabled={code.trim() === ""}>
            {t("common.continue")}
          </Button>
        </>
      }
    >
      <TextField
        label={t("onboarding.linkCode")}
        hint={t("onboarding.linkCodeHint")}
        value={code}
        onChange={(value): void => {
          setCode(value);
          reset();
        }}
        mono
        autoFocus
        spellCheck={false}
        error={error === null ? undefined : errorInWords(t, error).text}
      />
      {isScanning && <QrScanner onFound={found} onClose={(): void => setScanning(false)} />}
    </CenteredCard>
  );
}
