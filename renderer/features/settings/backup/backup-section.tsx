// Backups of chats: when the last one was saved, saving one, bringing one back.
import { useLocation, useNavigate } from "@tanstack/react-router";
import { Download, Upload } from "lucide-react";
import { type ReactElement, useEffect, useRef, useState } from "react";
import { Time } from "#renderer/components/basics/time.tsx";
import { Button } from "#renderer/components/controls/button.tsx";
import { Banner } from "#renderer/components/feedback/banner.tsx";
import { Section } from "#renderer/components/layout/section.tsx";
import shared from "#renderer/components/styles/shared.module.css";
import { useAccount } from "#renderer/lib/keyring/keyring-context.tsx";
import { useMessages } from "#renderer/lib/messages/messages-context.tsx";
import { useMessenger, useMessengerValue } from "#renderer/lib/messenger/messenger-context.tsx";
import { useLastBackup } from "#renderer/lib/profile/profile-store.ts";
import { SAVE_BACKUP } from "#renderer/lib/settings/backup-link.ts";
import { BackupDialog } from "./backup-dialog.tsx";

export function BackupSection(): ReactElement {
  const t = useMessages();
  const messenger = useMessenger();
  const isRunning = useMessengerValue(({ phase }) => phase === "running");
  const savedAt = useLastBackup(useAccount().masterPub);
  const [opened, setOpened] = useState<"save" | "restore">();
  const mayOpen = messenger !== undefined && isRunning;
  const saveButton = useRef<HTMLElement>(null);
  const navigate = useNavigate();
  const isAsked = useLocation({ select: ({ hash }) => hash === SAVE_BACKUP });
  useEffect(() => {
    if (!isAsked || !mayOpen) return;
    // The focus comes back to it.
    saveButton.current?.focus();
    setOpened("save");
    void navigate({ to: "/settings/$section", params: { section: "backup" }, replace: true });
  }, [isAsked, mayOpen, navigate]);
  return (
    <>
      <Section title={t("backup.chats")} hint={t("backup.text")}>
        <p className={shared.between}>
          <span>{t("backup.last")}</span>
          {savedAt === undefined ? <span className={shared.muted}>{t("backup.never")}</span> : <Time at={savedAt} />}
        </p>
        <div className={shared.buttons}>
          <Button ref={saveButton} icon={Download} variant="primary" disabled={!mayOpen} onClick={(): void => setOpened("save")}>
            {t("backup.save")}
          </Button>
          <Button icon={Upload} disabled={!mayOpen} onClick={(): void => setOpened("restore")}>
            {t("backup.restore")}
          </Button>
        </div>
        {!mayOpen && <p className={shared.hint}>{t("storage.notRunning")}</p>}
      </Section>
      <Banner isLasting title={t("backup.phraseTitle")}>
        {t("backup.phraseText")}
      </Banner>
      {opened !== undefined && messenger !== undefined && (
        <BackupDialog messenger={messenger} kind={opened} onClose={(): void => setOpened(undefined)} />
      )}
    </>
  );
}
