// The end of the first run: one's address and, on a development network, free tokens.
import { Check, Copy, Gift } from "lucide-react";
import { type ReactElement, useState } from "react";
import { Avatar } from "#renderer/components/basics/avatar.tsx";
import { VisuallyHidden } from "#renderer/components/basics/visually-hidden.tsx";
import { Button } from "#renderer/components/controls/button.tsx";
import { Banner } from "#renderer/components/feedback/banner.tsx";
import { CenteredCard } from "#renderer/components/layout/centered-card.tsx";
import shared from "#renderer/components/styles/shared.module.css";
import { copyText } from "#renderer/lib/browser/clipboard.ts";
import { useAccount } from "#renderer/lib/keyring/keyring-context.tsx";
import { errorInWords } from "#renderer/lib/messages/errors-in-words.ts";
import { useMessages } from "#renderer/lib/messages/messages-context.tsx";
import { useFaucet, useOffersFaucet } from "#renderer/lib/node/use-faucet.ts";
import { useChosenName } from "#renderer/lib/profile/profile-store.ts";
import styles from "./onboarding.module.css";

/** The last card. */
export function ReadyStep(props: { readonly onFinish: () => void }): ReactElement {
  const t = useMessages();
  const account = useAccount();
  const name = useChosenName(account.masterPub);
  const [isCopied, setCopied] = useState(false);
  const copy = async (): Promise<void> => setCopied(await copyText(account.address));
  return (
    <CenteredCard
      title={t("onboarding.readyTitle")}
      text={t("onboarding.readyText")}
      onSubmit={props.onFinish}
      actions={
        <>
          <Button variant="ghost" icon={isCopied ? Check : Copy} onClick={(): void => void copy()}>
            {t(isCopied ? "common.addressCopied" : "common.copyAddress")}
          </Button>
          <Button variant="primary" type="submit" autoFocus>
            {t("onboarding.open")}
          </Button>
        </>
      }
    >
      <div className={shared.row4}>
        <Avatar publicKey={account.masterPub} size={52} />
        <div className={styles.identityText}>
          {name !== undefined && <div className={styles.name}>{name}</div>}
          <div className={styles.address}>{account.address}</div>
        </div>
      </div>
      <VisuallyHidden>
        <output>{isCopied ? t("common.addressCopied") : ""}</output>
      </VisuallyHidden>
      <FaucetOffer publicKey={account.masterPub} />
    </CenteredCard>
  );
}

function FaucetOffer({ publicKey }: { readonly publicKey: string }): ReactElement | null {
  const t = useMessages();
  const faucet = useFaucet();
  const isOffered = useOffersFaucet();
  if (!isOffered) return null;
  const { isSuccess, isPending, error } = faucet;
  // The offer keeps its room once it was taken, or the button below would move away from under the pointer.
  return (
    <div className={styles.sameRoom}>
      <div className={isSuccess ? styles.taken : undefined}>
        <Banner
          tone="accent"
          actions={
            <Button size="small" icon={Gift} busy={isPending} onClick={(): void => faucet.mutate(publicKey)}>
              {t("common.getTestTokens")}
            </Button>
          }
        >
          {error === null ? t("onboarding.faucetText") : errorInWords(t, error).text}
        </Banner>
      </div>
      {isSuccess && <Banner tone="success" title={t("onboarding.faucetDone")} />}
    </div>
  );
}
