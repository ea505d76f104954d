// Where an invite link is pasted or scanned, and the groups that were asked by one.
import { useNavigate } from "@tanstack/react-router";
import { ScanLine, Users, X } from "lucide-react";
import { type ReactElement, useRef, useState } from "react";
import { Button } from "#renderer/components/controls/button.tsx";
import { IconButton } from "#renderer/components/controls/icon-button.tsx";
import { TextField } from "#renderer/components/controls/text-field.tsx";
import { useToasts } from "#renderer/components/feedback/toast.tsx";
import { ListRow } from "#renderer/components/layout/list-row.tsx";
import { Section } from "#renderer/components/layout/section.tsx";
import { Dialog } from "#renderer/components/overlays/dialog.tsx";
import { PictureSymbol } from "#renderer/components/people/group-picture.tsx";
import { QrScanner } from "#renderer/components/people/qr-scanner.tsx";
import shared from "#renderer/components/styles/shared.module.css";
import { useNow } from "#renderer/lib/browser/use-now.ts";
import { useMessages } from "#renderer/lib/messages/messages-context.tsx";
import { useMessenger, useMessengerValue } from "#renderer/lib/messenger/messenger-context.tsx";
import { dataOfInvite, inviteWith } from "#renderer/lib/people/group-invite.ts";
import type { Messenger } from "#shared/messenger/messenger.ts";
import { type AskedLinkView, viewOfAsked } from "#shared/messenger/model/asked-links.ts";
import { useNameOf } from "../../model/use-name-of.ts";
import { stateOfAsked } from "./asked-words.ts";
import styles from "./links.module.css";

/** How often it is looked whether the time of asking is over. */
const RENEW_MS = 60_000;
const PICTURE_PIXELS = 32;

/** The dialog, open while it is shown. */
export function AskedGroups(): ReactElement {
  const t = useMessages();
  const navigate = useNavigate();
  const messenger = useMessenger();
  const nowMs = useNow(RENEW_MS);
  const asked = useMessengerValue(({ askedLinks }) => askedLinks);
  const [text, setText] = useState("");
  const [isScanning, setScanning] = useState(false);
  const field = useRef<HTMLInputElement>(null);
  const data = dataOfInvite(text);
  const open = (hash: string): void => void navigate({ to: "/inbox/join", hash, replace: true });
  return (
    <Dialog
      open
      title={t("inbox.join")}
      description={t("chat.joinText")}
      initialFocus={field}
      onOpenChange={(): void => void navigate({ to: "/inbox" })}
      footer={
        <Button variant="primary" disabled={data === undefined} onClick={(): void => open(data ?? "")}>
          {t("chat.joinNext")}
        </Button>
      }
    >
      <div className={shared.stack4}>
        <form
          onSubmit={(event): void => {
            event.preventDefault();
            if (data !== undefined) open(data);
          }}
        >
          <TextField
            ref={field}
            label={t("chat.link")}
            value={text}
            onChange={setText}
            placeholder={inviteWith("…")}
            spellCheck={false}
            error={text.trim() !== "" && data === undefined ? t("chat.joinDamaged") : undefined}
            affix={<IconButton icon={ScanLine} size="small" label={t("common.scan")} onClick={(): void => setScanning(true)} />}
          />
        </form>
        {isScanning && (
          <QrScanner
            onClose={(): void => setScanning(false)}
            onFound={(found): void => {
              setScanning(false);
              setText(found);
            }}
          />
        )}
        {asked.length > 0 && messenger !== undefined && (
          <Section title={t("chat.joinList")}>
            <ul className={styles.links} aria-label={t("chat.joinList")}>
              {asked
                .map((link) => viewOfAsked(link, nowMs))
                .toSorted((a, b) => b.askedAt - a.askedAt)
                .map((link) => (
                  <li key={link.group}>
                    <AskedRow link={link} messenger={messenger} onEnd={(): void => field.current?.focus()} />
                  </li>
                ))}
            </ul>
          </Section>
        )}
      </div>
    </Dialog>
  );
}

interface AskedRowProps {
  readonly link: AskedLinkView;
  readonly messenger: Messenger;
  /** The row is about to go. */
  readonly onEnd: () => void;
}

function AskedRow({ link, messenger, onEnd }: AskedRowProps): ReactElement {
  const t = useMessages();
  const toasts = useToasts();
  const nameOf = useNameOf(link.admins);
  const end = (): void => {
    onEnd();
    messenger.endAsking(link.group).catch(toasts.showError);
  };
  // What another own device has asked has no name here.
  const name = link.name === "" ? t("chat.joinOf", { names: link.admins.map(nameOf).join(", ") }) : link.name;
  return (
    <ListRow
      leading={<PictureSymbol icon={Users} size={PICTURE_PIXELS} />}
      heading={<bdi>{name}</bdi>}
      subtitle={stateOfAsked(t, link)}
      trailing={
        <IconButton
          icon={X}
          size="small"
          label={t(link.state === "asking" ? "chat.joinStopOf" : "chat.joinForgetOf", { name })}
          onClick={end}
        />
      }
    />
  );
}
