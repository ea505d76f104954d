// Calls: who may ring, whether the other side may learn this device's address, and which relay helps where there is no direct path.
import { useMutation, useQuery } from "@tanstack/react-query";
import { type FormEvent, type ReactElement, useRef, useState } from "react";
import { Button } from "#renderer/components/controls/button.tsx";
import { Switch } from "#renderer/components/controls/switch.tsx";
import { TextField } from "#renderer/components/controls/text-field.tsx";
import { useToasts } from "#renderer/components/feedback/toast.tsx";
import { KeptFocus } from "#renderer/components/layout/kept-focus.tsx";
import { Section } from "#renderer/components/layout/section.tsx";
import { PasswordField } from "#renderer/components/secrets/password-field.tsx";
import shared from "#renderer/components/styles/shared.module.css";
import { useHoldingBack } from "#renderer/lib/browser/window/use-holding-back.ts";
import { useMessages } from "#renderer/lib/messages/messages-context.tsx";
import { callServers, isRelayThere } from "#renderer/lib/messenger/call-servers.ts";
import { MAX_RELAY_CHARS, nameCallRelay, type OwnCallRelay, relayUrls, useOwnCallRelay } from "#renderer/lib/messenger/own-call-relay.ts";
import { useNode } from "#renderer/lib/node/access/node-context.tsx";
import { useSettings } from "#renderer/lib/settings/settings-store.ts";

const NO_RELAY: OwnCallRelay = { address: "", username: "", password: "" };

export function CallsSection(): ReactElement {
  const t = useMessages();
  const { takeCalls, relayCalls, change } = useSettings();
  const { item, relay } = useOwnCallRelay();
  return (
    <>
      <Section hideTitle title={t("settings.calls")}>
        <Switch
          label={t("settings.takeCalls")}
          hint={t("settings.takeCallsHint")}
          checked={takeCalls}
          onChange={(checked): void => change({ takeCalls: checked })}
        />
        <Switch
          label={t("relay.always")}
          hint={t("relay.alwaysHint")}
          checked={relayCalls}
          onChange={(checked): void => change({ relayCalls: checked })}
        />
      </Section>
      <Section title={t("relay.title")} hint={t("relay.intro")}>
        <InUse relay={relay} />
        {item !== undefined && <RelayForm key={item.storageKey} saved={relay} />}
      </Section>
    </>
  );
}

/** Which relay the next call would use, and whether it answers. */
function InUse({ relay }: { readonly relay: OwnCallRelay | null }): ReactElement {
  const t = useMessages();
  const { client } = useNode();
  const servers = useQuery({ queryKey: ["callServers", relay], queryFn: () => callServers(client, relay), retry: false, staleTime: 0 });
  const trial = useMutation({ mutationFn: async (tried: OwnCallRelay | null) => isRelayThere(await callServers(client, tried)) });
  const hasRelay = (servers.data?.length ?? 0) > 0;
  const inUse = relay !== null ? t("relay.named", { address: relay.address }) : t(hasRelay ? "relay.ofNode" : "relay.none");
  const part = useRef<HTMLDivElement>(null);
  useHoldingBack(part, servers.isPending);
  // Of another relay, one that was tried before says nothing.
  const answers = trial.variables === relay ? trial.data : undefined;
  const outcome = answers === undefined ? "" : t(answers ? "relay.answers" : "relay.silent");
  return (
    <div ref={part} className={shared.stack4} data-loading={servers.isPending ? "" : undefined}>
      <p>{servers.data === undefined ? t("relay.looking") : inUse}</p>
      {hasRelay && (
        <div className={shared.buttons}>
          <Button busy={trial.isPending} onClick={(): void => trial.mutate(relay)}>
            {t("relay.try")}
          </Button>
        </div>
      )}
      <p role="status">{outcome}</p>
    </div>
  );
}

function RelayForm({ saved }: { readonly saved: OwnCallRelay | null }): ReactElement {
  const t = useMessages();
  const toasts = useToasts();
  const [relay, setRelay] = useState(saved ?? NO_RELAY);
  const { address, username, password } = relay;
  const isAddress = relayUrls(address) !== undefined;
  const isWhole = isAddress && username !== "" && password !== "";
  const edit = (changes: Partial<OwnCallRelay>): void => setRelay({ ...relay, ...changes });
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    if (!isWhole) return;
    // What the browser has no room for is said above every view.
    void nameCallRelay({ ...relay, address: address.trim() }).catch(() => undefined);
    toasts.show({ title: t("relay.saved"), tone: "success" });
  };
  const remove = (): void => {
    void nameCallRelay(null).catch(() => undefined);
    setRelay(NO_RELAY);
  };
  return (
    <form className={shared.stack4} onSubmit={submit}>
      <TextField
        label={t("relay.address")}
        hint={t("relay.addressHint")}
        mono
        spellCheck={false}
        maxLength={MAX_RELAY_CHARS}
        value={address}
        onChange={(text): void => edit({ address: text })}
        error={address.trim() === "" || isAddress ? undefined : t("relay.addressWrong")}
      />
      <TextField
        label={t("relay.username")}
        spellCheck={false}
        maxLength={MAX_RELAY_CHARS}
        value={username}
        onChange={(text): void => edit({ username: text })}
      />
      <PasswordField
        label={t("relay.password")}
        purpose="current"
        value={password}
        onChange={(text): void => edit({ password: text.slice(0, MAX_RELAY_CHARS) })}
      />
      <div className={shared.buttons}>
        <KeptFocus>
          <Button type="submit" variant="primary" disabled={!isWhole}>
            {t("relay.save")}
          </Button>
          {saved !== null && <Button onClick={remove}>{t("relay.remove")}</Button>}
        </KeptFocus>
      </div>
    </form>
  );
}
