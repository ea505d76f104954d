// The code as a picture and as text, and how long it holds.
import type { ReactElement } from "react";
import { QrCode } from "#renderer/components/basics/qr-code.tsx";
import { Copyable } from "#renderer/components/people/copyable.tsx";
import { useNow } from "#renderer/lib/browser/use-now.ts";
import { useMessages } from "#renderer/lib/messages/messages-context.tsx";
import { formatLinkPicture } from "#shared/linking/link-code.ts";
import styles from "../link-device.module.css";

const SECOND_MS = 1_000;

export interface LinkCodeViewProps {
  readonly code: string;
  readonly expiresAtMs: number;
}

export function LinkCodeView({ code, expiresAtMs }: LinkCodeViewProps): ReactElement {
  const t = useMessages();
  const leftS = Math.max(0, Math.ceil((expiresAtMs - useNow(SECOND_MS)) / SECOND_MS));
  const time = `${Math.floor(leftS / 60)}:${String(leftS % 60).padStart(2, "0")}`;
  return (
    <div className={styles.code}>
      <QrCode text={formatLinkPicture(code)} label={code} size={200} />
      <Copyable text={code} label={t("settings.linkCopy")} isSaid>
        <code className={styles.symbols}>{code}</code>
      </Copyable>
      <p className={styles.hint}>{t("settings.linkWhere")}</p>
      <p className={styles.hint}>{t("settings.linkLeft", { time })}</p>
    </div>
  );
}
