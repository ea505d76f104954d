// A link that leaves the app. Its whole address is shown first: the author chooses what a link says.
import { ExternalLink as ExternalLinkIcon } from "lucide-react";
import { type ReactElement, useState } from "react";
import { safeLink } from "#renderer/lib/browser/safe-link.ts";
import { useMessages } from "#renderer/lib/messages/messages-context.tsx";
import { Button } from "../controls/button.tsx";
import { ConfirmSheet } from "./confirm-sheet.tsx";

export interface ExternalLinkProps {
  readonly url: string;
  readonly label: string;
}

/** A button that asks before it opens the address; plain text where the address is none that may be opened. */
export function ExternalLink({ url, label }: ExternalLinkProps): ReactElement {
  const t = useMessages();
  const [isAsking, setAsking] = useState(false);
  const link = safeLink(url);
  if (link === undefined) return <span>{label}</span>;
  const open = (): void => {
    setAsking(false);
    window.open(link.href, "_blank", "noopener,noreferrer");
  };
  return (
    <>
      <Button size="small" icon={ExternalLinkIcon} onClick={(): void => setAsking(true)}>
        {label}
      </Button>
      <ConfirmSheet
        open={isAsking}
        title={t("common.leaveTitle")}
        sentence={t("common.leaveText", { host: link.host })}
        rows={[{ label: t("common.address"), value: link.href, mono: true }]}
        confirmLabel={t("common.leaveOpen")}
        onCancel={(): void => setAsking(false)}
        onConfirm={open}
      />
    </>
  );
}
