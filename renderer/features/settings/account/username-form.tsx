// One's username: registering one, with its availability shown while one types, transferring it or giving it up.

import { useQuery } from "@tanstack/react-query";
import { type FormEvent, type ReactElement, useState } from "react";
import { Button } from "#renderer/components/controls/button.tsx";
import { TextField } from "#renderer/components/controls/text-field.tsx";
import { Banner } from "#renderer/components/feedback/banner.tsx";
import { Pending } from "#renderer/components/feedback/pending.tsx";
import shared from "#renderer/components/styles/shared.module.css";
import { CallSheet } from "#renderer/components/transactions/call-sheet.tsx";
import { useDebounced } from "#renderer/lib/browser/use-debounced.ts";
import { useKeptFocus } from "#renderer/lib/browser/window/use-kept-focus.ts";
import { amountText } from "#renderer/lib/format/amount.ts";
import { useAccount } from "#renderer/lib/keyring/keyring-context.tsx";
import { useMessages } from "#renderer/lib/messages/messages-context.tsx";
import { useNetworkQueries } from "#renderer/lib/node/network-queries.ts";
import { useNodeQueries } from "#renderer/lib/node/queries.ts";
import { usernameForm } from "#renderer/lib/people/names/username.ts";
import type { ContractCall } from "#renderer/lib/transactions/call-intent.ts";
import { MAX_USERNAME_CHARS, MIN_USERNAME_CHARS, USERNAME_PRICE_UT } from "#shared/protocol/primitives/limits.ts";
import { nativeContractId } from "#shared/protocol/transactions/contracts.ts";
import styles from "../settings.module.css";
import { TransferNameDialog } from "./transfer-name-dialog.tsx";

const DEBOUNCE_MS = 250;

/** The form; nothing on a network without usernames. */
export function UsernameForm(): ReactElement | null {
  const { masterPub } = useAccount();
  const { data: network, isPending } = useQuery(useNodeQueries().networkInfo());
  const { data: name, isPending: isNamePending } = useQuery(useNetworkQueries().username(masterPub));
  const kept = useKeptFocus(name);
  if (isPending || (isNamePending && network?.contracts.username_registry !== undefined)) return <Pending />;
  if (network?.contracts.username_registry === undefined || name === undefined) return null;
  return <div {...kept}>{name === null ? <RegisterForm /> : <OwnName name={name} />}</div>;
}

function callOf(method: string, args: readonly string[], amountUt = 0): ContractCall {
  return { contractId: nativeContractId("username_registry"), method, args, amountUt };
}

function OwnName({ name }: { readonly name: string }): ReactElement {
  const t = useMessages();
  const [open, setOpen] = useState<"none" | "transfer" | "release">("none");
  const close = (): void => setOpen("none");
  return (
    <div className={shared.between}>
      <div>
        <div className={shared.hint}>{t("common.username")}</div>
        <strong>@{name}</strong>
      </div>
      <div className={shared.buttons}>
        <Button onClick={(): void => setOpen("transfer")}>{t("settings.transferName")}</Button>
        <Button onClick={(): void => setOpen("release")}>{t("settings.releaseName")}</Button>
      </div>
      {open === "transfer" && <TransferNameDialog name={name} onClose={close} />}
      {open === "release" && (
        <CallSheet
          danger
          call={callOf("release", [name])}
          title={t("settings.releaseTitle", { name })}
          sentence={t("settings.releaseSentence", { name })}
          confirmLabel={t("settings.releaseName")}
          onClose={close}
        />
      )}
    </div>
  );
}

function RegisterForm(): ReactElement {
  const t = useMessages();
  const [text, setText] = useState("");
  const [isReviewing, setReviewing] = useState(false);
  const name = text.trim().replace(/^@/, "").toLowerCase();
  const availability = useAvailability(name);
  const isFree = availability === "free";
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    if (isFree) setReviewing(true);
  };
  const price = amountText(t, USERNAME_PRICE_UT);
  return (
    <form className={styles.inline} onSubmit={submit}>
      <TextField
        label={t("common.username")}
        value={text}
        onChange={setText}
        spellCheck={false}
        maxLength={MAX_USERNAME_CHARS + 1}
        error={useProblem(availability, name)}
        hint={
          isFree ? t("settings.usernameFree", { name, price }) : `${t("settings.usernameHint")} ${t("settings.usernameRule", { price })}`
        }
      />
      <Button type="submit" disabled={!isFree}>
        {t("settings.registerName")}
      </Button>
      {isReviewing && (
        <CallSheet
          call={callOf("register", [name], USERNAME_PRICE_UT)}
          title={t("settings.registerTitle", { name })}
          sentence={t("settings.registerSentence", { name, price })}
          confirmLabel={t("settings.signAndRegister")}
          onClose={(): void => setReviewing(false)}
        >
          <Banner isLasting>{t("settings.usernamePublic")}</Banner>
        </CallSheet>
      )}
    </form>
  );
}

type Availability = ReturnType<typeof usernameForm> | "checking" | "free" | "taken" | "unknown";

/** Whether a typed name may be had; the registry is asked once one pauses. */
function useAvailability(name: string): Availability {
  const form = usernameForm(name);
  const debounced = useDebounced(name, DEBOUNCE_MS);
  const isAsked = form === "ok" && debounced === name;
  const owner = useQuery({ ...useNetworkQueries().usernameOwner(name), enabled: isAsked });
  if (form !== "ok") return form;
  if (!isAsked || owner.isPending) return "checking";
  if (owner.data === undefined) return "unknown";
  return owner.data === null ? "free" : "taken";
}

function useProblem(availability: Availability, name: string): string | undefined {
  const t = useMessages();
  switch (availability) {
    case "taken":
      return t("settings.usernameTaken", { name });
    case "characters":
      return t("settings.usernameCharacters");
    case "short":
      return name.length > 1 ? t("settings.usernameShort", { count: MIN_USERNAME_CHARS }) : undefined;
    case "long":
      return t("settings.usernameLong", { count: MAX_USERNAME_CHARS });
    case "unknown":
      return t("settings.usernameUnknown");
    default:
      return undefined;
  }
}
