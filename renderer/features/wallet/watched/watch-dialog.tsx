// Adding an address to those that are watched.
import { type FormEvent, type ReactElement, useState } from "react";
import { Button } from "#renderer/components/controls/button.tsx";
import { TextField } from "#renderer/components/controls/text-field.tsx";
import { Dialog } from "#renderer/components/overlays/dialog.tsx";
import shared from "#renderer/components/styles/shared.module.css";
import { useAccount } from "#renderer/lib/keyring/keyring-context.tsx";
import { useMessages } from "#renderer/lib/messages/messages-context.tsx";
import { useRecipient } from "#renderer/lib/people/use-recipient.ts";
import { MAX_WATCHED_NAME_CHARS, type Watched, watch } from "./watched-store.ts";

export interface WatchDialogProps {
  readonly watched: readonly Watched[];
  readonly chainId: string;
  readonly onClose: () => void;
}

export function WatchDialog({ watched, chainId, onClose }: WatchDialogProps): ReactElement {
  const t = useMessages();
  const { masterPub } = useAccount();
  const [text, setText] = useState("");
  const [name, setName] = useState("");
  const found = useRecipient(text);
  const publicKey = "request" in found ? found.request.to : undefined;
  const isOwn = publicKey === masterPub;
  const isKnown = watched.some((known) => known.publicKey === publicKey);
  const canAdd = publicKey !== undefined && !isOwn && !isKnown;
  const add = (event: FormEvent): void => {
    event.preventDefault();
    if (publicKey === undefined || !canAdd) return;
    void watch(chainId, { publicKey, name });
    onClose();
  };
  return (
    <Dialog open onOpenChange={onClose} title={t("watched.add")} description={t("watched.addText")}>
      <form className={shared.stack4} onSubmit={add}>
        <TextField label={t("watched.address")} autoFocus mono spellCheck={false} value={text} onChange={setText} error={problem()} />
        <TextField
          label={t("common.name")}
          optional
          hint={t("watched.nameHint")}
          maxLength={MAX_WATCHED_NAME_CHARS}
          value={name}
          onChange={setName}
        />
        <footer className={shared.footer}>
          <Button type="submit" variant="primary" disabled={!canAdd}>
            {t("watched.confirm")}
          </Button>
        </footer>
      </form>
    </Dialog>
  );

  function problem(): string | undefined {
    if (isOwn) return t("watched.own");
    if (isKnown) return t("watched.known");
    if (found.kind === "unknown") return t("common.recipient.unknown", { name: `@${found.name}` });
    if (found.kind === "unresolved") return t("common.recipient.unresolved", { name: `@${found.name}` });
    return found.kind === "checksum" || found.kind === "unusable" ? t("common.recipientChecksum") : undefined;
  }
}
