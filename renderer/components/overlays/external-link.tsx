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
  const [isAsking, setAsking] = useState(false);
  if (safeLink(url) === undefined) return <span>{label}</span>;
  return (
    <>
      <Button size="small" icon={ExternalLinkIcon} onClick={(): void => setAsking(true)}>
        {label}
      </Button>
      <LeaveSheet url={isAsking ? url : undefined} onClose={(): void => setAsking(false)} />
    </>
  );
}

export interface LeaveSheetProps {
  /** What is to be opened; undefined while nothing is. */
  readonly url: string | undefined;
  readonly onClose: () => void;
}

/** The question before a page is opened, with its whole address. */
export function LeaveSheet({ url, onClose }: LeaveSheetProps): ReactElement | null {
  const t = useMessages();
  // What was asked about stays in the words while the sheet closes.
  const [asked, setAsked] = useState(url);
  if (url !== undefined && url !== asked) setAsked(url);
  const link = asked === undefined ? undefined : safeLink(asked);
  if (link === undefined) return null;
  const open = (): void => {
    onClose();
    window.open(link.href, "_blank", "noopener,noreferrer");
  };
  return (
    <ConfirmSheet
      open={url !== undefined}
      title={t("common.leaveTitle")}
      sentence={t("common.leaveText", { host: link.host })}
      rows={[{ label: t("common.address"), value: link.href, mono: true }]}
      confirmLabel={t("common.leaveOpen")}
      onCancel={onClose}
      onConfirm={open}
    />
  );
}
