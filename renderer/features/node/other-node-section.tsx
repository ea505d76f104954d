// Using another node: its address, and the access token where it asks for one. Takes effect when the page is reloaded.
import { useMutation } from "@tanstack/react-query";
import { type FormEvent, type ReactElement, useState } from "react";
import { Badge } from "#renderer/components/basics/badge.tsx";
import { Button } from "#renderer/components/controls/button.tsx";
import { TextField } from "#renderer/components/controls/text-field.tsx";
import { Banner } from "#renderer/components/feedback/banner.tsx";
import { Section } from "#renderer/components/layout/section.tsx";
import { PasswordField } from "#renderer/components/secrets/password-field.tsx";
import shared from "#renderer/components/styles/shared.module.css";
import { desktopApi } from "#renderer/lib/desktop/desktop-api.ts";
import { errorInWords } from "#renderer/lib/messages/errors-in-words.ts";
import { useMessages } from "#renderer/lib/messages/messages-context.tsx";
import { type ChosenNode, chooseNode, parseNodeAddress, probeNode, readChosenNode } from "#renderer/lib/node/access/chosen-node.ts";
import { useNode } from "#renderer/lib/node/access/node-context.tsx";

export function OtherNodeSection(): ReactElement {
  const t = useMessages();
  const { address: current } = useNode();
  const desktop = desktopApi();
  const chosen = readChosenNode();
  const [text, setText] = useState(chosen?.url ?? "");
  const [token, setToken] = useState(chosen?.token ?? "");
  const url = text.trim() === "" ? "" : parseNodeAddress(text);
  const probe = useMutation({
    mutationFn: async (node: ChosenNode) => {
      if (desktop === undefined) await probeNode(node);
      // The shell asks the person, tries the node and lets the page reach it from its next load on.
      else if (!(await desktop.call("useNode", { origin: node.url === "" ? null : node.url, token: node.token }))) return;
      chooseNode(node);
      location.reload();
    },
  });
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    if (url !== undefined) probe.mutate({ url, token: token.trim() });
  };
  const goBack = async (): Promise<void> => {
    chooseNode(undefined);
    await desktop?.call("useNode", { origin: null, token: "" }).catch(() => undefined);
    location.reload();
  };
  return (
    <Section title={t("node.other")} hint={t("node.otherHint")} actions={<Badge>{current}</Badge>}>
      <form className={shared.stack4} onSubmit={submit}>
        <TextField
          label={t("common.address")}
          optional
          hint={t("node.otherAddressHint")}
          placeholder="https://node.example:8080"
          type="url"
          mono
          spellCheck={false}
          value={text}
          onChange={setText}
          error={url === undefined ? t("node.otherMalformed") : undefined}
        />
        <PasswordField label={t("node.otherToken")} optional purpose="current" value={token} onChange={setToken} />
        {probe.error !== null && (
          <Banner tone="danger" title={errorInWords(t, probe.error).title}>
            {t("node.otherFailed")}
          </Banner>
        )}
        <div className={shared.buttons}>
          <Button type="submit" variant="primary" busy={probe.isPending} disabled={url === undefined}>
            {t("node.otherUse")}
          </Button>
          {chosen !== undefined && <Button onClick={(): void => void goBack()}>{t("node.otherBack")}</Button>}
        </div>
      </form>
    </Section>
  );
}
