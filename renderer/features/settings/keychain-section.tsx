// Opening without the password: the operating system's keychain as a third way to messages and history. In a browser it is not there.
import { type UseMutationResult, useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { type FormEvent, type ReactElement, useId, useState } from "react";
import { Banner } from "#renderer/components/banner.tsx";
import { Button } from "#renderer/components/button.tsx";
import { Dialog } from "#renderer/components/dialog.tsx";
import { PasswordField } from "#renderer/components/password-field.tsx";
import { Section } from "#renderer/components/section.tsx";
import { Switch } from "#renderer/components/switch.tsx";
import { useToasts } from "#renderer/components/toast.tsx";
import { desktopApi } from "#renderer/lib/desktop/desktop-api.ts";
import { errorInWords } from "#renderer/lib/errors-in-words.ts";
import { useKeyring } from "#renderer/lib/keyring/keyring-context.tsx";
import { useMessages } from "#renderer/lib/messages/messages-context.tsx";
import type { KeychainState } from "#shared/keyring/keychain.ts";

const KEY = ["keychain"];

/** The section. */
export function KeychainSection(): ReactElement | null {
  const keyring = useKeyring();
  const { data: state } = useQuery({ queryKey: KEY, queryFn: () => keyring.keychain(), enabled: desktopApi() !== undefined });
  if (state === undefined || state.offer === "absent") return null;
  return <KeychainChoice state={state} />;
}

type Change = UseMutationResult<KeychainState, Error, string | null>;

/** Gives the keychain its way in for a password, or takes it away for null. */
function useChange(onDone: () => void): Change {
  const t = useMessages();
  const keyring = useKeyring();
  const toasts = useToasts();
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (password: string | null) => keyring.setKeychain({ password }),
    onSuccess: (state) => {
      queryClient.setQueryData(KEY, state);
      toasts.show({ title: t(state.isEnabled ? "desktop.keychainOn" : "desktop.keychainOff"), tone: "success" });
      onDone();
    },
  });
}

function KeychainChoice({ state }: { readonly state: KeychainState }): ReactElement {
  const t = useMessages();
  const [isAsking, setAsking] = useState(false);
  const change = useChange(() => setAsking(false));
  const toggle = (isOn: boolean): void => {
    if (isOn) setAsking(true);
    else change.mutate(null);
  };
  return (
    <Section title={t("desktop.keychain")} hint={t("desktop.keychainRisk")}>
      <Switch
        label={t("desktop.keychainSwitch")}
        hint={t("desktop.keychainHint")}
        checked={state.isEnabled}
        disabled={change.isPending || (!state.isEnabled && state.offer !== "ready")}
        onChange={toggle}
      />
      {state.offer === "weak" && (
        <Banner tone="warning" title={t("desktop.keychainWeakTitle")}>
          {t("desktop.keychainWeak", { name: state.name })}
        </Banner>
      )}
      {state.offer === "unavailable" && <Banner tone="warning" title={t("desktop.keychainUnavailable")} />}
      <AskPassword key={String(isAsking)} isOpen={isAsking} change={change} onClose={(): void => setAsking(false)} />
    </Section>
  );
}

function AskPassword(props: { readonly isOpen: boolean; readonly change: Change; readonly onClose: () => void }): ReactElement {
  const { isOpen, change, onClose } = props;
  const t = useMessages();
  const form = useId();
  const [password, setPassword] = useState("");
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    if (password !== "" && !change.isPending) change.mutate(password);
  };
  const type = (value: string): void => {
    setPassword(value);
    change.reset();
  };
  return (
    <Dialog
      open={isOpen}
      onOpenChange={(open): void => {
        if (open) return;
        change.reset();
        onClose();
      }}
      title={t("desktop.keychainAskTitle")}
      description={t("desktop.keychainAskText")}
      keepOpen
      footer={
        <Button variant="primary" type="submit" form={form} busy={change.isPending} disabled={password === ""}>
          {t("desktop.keychainAskAction")}
        </Button>
      }
    >
      <form id={form} onSubmit={submit}>
        <PasswordField
          label={t("lock.password")}
          purpose="current"
          value={password}
          onChange={type}
          autoFocus
          error={change.error === null ? undefined : errorInWords(t, change.error).text}
        />
      </form>
    </Dialog>
  );
}
