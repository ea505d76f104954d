// Joining a group by an invite link, above the inbox: what the link holds, and how far the asking has come. Nothing is sent before one asks.
import { useLocation, useNavigate } from "@tanstack/react-router";
import type { ReactElement } from "react";
import { Banner } from "#renderer/components/feedback/banner.tsx";
import { Dialog } from "#renderer/components/overlays/dialog.tsx";
import { useMessages } from "#renderer/lib/messages/messages-context.tsx";
import { useChainId } from "#renderer/lib/node/known-chain.ts";
import { inviteWith } from "#renderer/lib/people/group-invite.ts";
import { readGroupLink } from "#shared/protocol/groups/group-link.ts";
import { Blank } from "../../model/blank/blank.tsx";
import { AskedGroups } from "./asked-groups.tsx";
import { JoinCard } from "./join-card.tsx";

/** The dialog, open as long as its route is. The link is behind the `#` of the address, which no server gets. */
export function JoinPage(): ReactElement {
  const hash = useLocation({ select: (location) => location.hash });
  const chainId = useChainId();
  return (
    <>
      <Blank />
      {hash === "" && <AskedGroups />}
      {hash !== "" && chainId !== undefined && <Link key={hash} text={inviteWith(hash)} chainId={chainId} />}
    </>
  );
}

function Link({ text, chainId }: { readonly text: string; readonly chainId: string }): ReactElement {
  const t = useMessages();
  const navigate = useNavigate();
  const read = readGroupLink(text, chainId);
  if (read.kind === "link") return <JoinCard text={text} link={read.link} chainId={chainId} />;
  return (
    <Dialog open title={t("inbox.join")} onOpenChange={(): void => void navigate({ to: "/inbox" })}>
      <Banner tone="warning">{t(read.kind === "otherNetwork" ? "chat.joinOtherNetwork" : "chat.joinDamaged")}</Banner>
    </Dialog>
  );
}
