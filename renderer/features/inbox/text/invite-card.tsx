// The invite link of a group in a message: the name that it claims, and the way to it.
import { useNavigate } from "@tanstack/react-router";
import { type ReactElement, useMemo } from "react";
import { VisuallyHidden } from "#renderer/components/basics/visually-hidden.tsx";
import { Button } from "#renderer/components/controls/button.tsx";
import { useMessages } from "#renderer/lib/messages/messages-context.tsx";
import { useChainId } from "#renderer/lib/node/known-chain.ts";
import { inviteWith } from "#renderer/lib/people/group-invite.ts";
import { readGroupLink } from "#shared/protocol/groups/group-link.ts";
import styles from "./marked-text.module.css";

/** The card. A link that holds nothing valid opens the view that says so. */
export function InviteCard({ data }: { readonly data: string }): ReactElement {
  const t = useMessages();
  const navigate = useNavigate();
  const chainId = useChainId();
  const read = useMemo(() => readGroupLink(inviteWith(data), chainId ?? ""), [data, chainId]);
  const name = read.kind === "link" ? read.link.name : "";
  return (
    <span className={styles.pay}>
      <span className={styles.payWords}>
        <span className={styles.payTo}>{t("inbox.inviteCard")}</span>
        {name !== "" && <bdi className={styles.group}>{name}</bdi>}
      </span>
      <Button size="small" variant="primary" onClick={(): void => void navigate({ to: "/inbox/join", hash: data })}>
        <span aria-hidden="true">{t("inbox.inviteOpen")}</span>
        <VisuallyHidden>{name === "" ? t("inbox.inviteCard") : t("inbox.inviteOpenOf", { name })}</VisuallyHidden>
      </Button>
    </span>
  );
}
