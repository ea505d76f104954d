// Opening without the password: the operating system's keychain as a third way to messages and history. In a browser it is not there.
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { type ReactElement, useState } from "react";
import { Switch } from "#renderer/components/controls/switch.tsx";
import { Banner } from "#renderer/components/feedback/banner.tsx";
import { useToasts } from "#renderer/components/feedback/toast.tsx";
import { Section } from "#renderer/components/layout/section.tsx";
import { PasswordDialog } from "#renderer/components/secrets/password-dialog.tsx";
import { desktopApi } from "#renderer/lib/desktop/desktop-api.ts";
import { useKeyring } from "#renderer/lib/keyring/keyring-context.tsx";
import { usePasswordForm } from "#renderer/lib/keyring/use-password-form.ts";
import { useMessages } from "#renderer/lib/messages/messages-context.tsx";
import type { KeychainState } from "#shared/keyring/keyring-api.ts";

const KEY = ["keychain"];

export function KeychainSection(): ReactElement | null {
  const keyring = useKeyring();
  const { data: state } = useQuery({ queryKey: KEY, queryFn: () => keyring.keychain(), enabled: desktopApi() !== undefined });
  if (state === undefined || state.offer === "absent") return null;
  return <KeychainChoice state={state} />;
}

/** Gives the keychain its way in for a password, or takes it away for null. */
function useChange(): (password: string | null) => Promise<void> {
  const t = useMessages();
  const keyring = useKeyring();
  const toasts = useToasts();
  const queryClient = useQueryClient();
  return async (password) => {
    const state = await keyring.setKeychain({ password });
    queryClient.setQueryData(KEY, state);
    toasts.show({ title: t(state.isEnabled ? "desktop.keychainOn" : "desktop.keychainOff"), tone: "success" });
  };
}

function KeychainChoice({ state }: { readonly state: KeychainState }): ReactElement {
  const t = useMessages();
  const [isAsking, setAsking] = useState(false);
  const change = useChange();
  const disable = useMutation({ mutationFn: () => change(null) });
  const form = usePasswordForm(change, () => setAsking(false));
  const toggle = (isOn: boolean): void => {
    if (isOn) setAsking(true);
    else disable.mutate();
  };
  return (
    <Section title={t("desktop.keychain")} hint={t("desktop.keychainRisk")}>
      <Switch
        label={t("desktop.keychainSwitch")}
        hint={t("desktop.keychainHint")}
        checked={state.isEnabled}
        disabled={disable.isPending || form.isPending || (!state.isEnabled && state.offer !== "ready")}
        onChange={toggle}
      />
      {state.offer === "weak" && (
        <Banner tone="warning" title={t("desktop.keychainWeakTitle")}>
          {t("desktop.keychainWeak", { name: state.name })}
        </Banner>
      )}
      {state.offer === "unavailable" && <Banner tone="warning" title={t("desktop.keychainUnavailable")} />}
      <PasswordDialog
        open={isAsking}
        title={t("desktop.keychainAskTitle")}
        description={t("desktop.keychainAskText")}
        action={t("desktop.keychainAskAction")}
        form={form}
        onCancel={(): void => setAsking(false)}
      />
    </Section>
  );
}
