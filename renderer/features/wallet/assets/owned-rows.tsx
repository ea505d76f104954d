// A token or an NFT of the account with what one can do with it.
import { useNavigate } from "@tanstack/react-router";
import { ArrowUpRight, Coins, Flame, Gem, Handshake, MoreHorizontal, Search } from "lucide-react";
import { type ReactElement, useState } from "react";
import { TokenAmount } from "#renderer/components/basics/token-amount.tsx";
import { IconButton } from "#renderer/components/controls/icon-button.tsx";
import { ListRow } from "#renderer/components/layout/list-row.tsx";
import { Menu } from "#renderer/components/overlays/menu.tsx";
import shared from "#renderer/components/styles/shared.module.css";
import { CallSheet } from "#renderer/components/transactions/call-sheet.tsx";
import { useMessages } from "#renderer/lib/messages/messages-context.tsx";
import type { TokenHolding } from "#renderer/lib/node/network-queries.ts";
import type { Nft } from "#shared/api/schemas/contracts.ts";
import { ApproveDialog } from "./approve-dialog.tsx";
import { BurnTokenDialog } from "./burn-token-dialog.tsx";

/** Sending, approving and burning a token. */
export function TokenRow({ holding }: { readonly holding: TokenHolding }): ReactElement {
  const t = useMessages();
  const navigate = useNavigate();
  const [open, setOpen] = useState<"none" | "approve" | "burn">("none");
  const { token, balance } = holding;
  const params = { id: token.token_id };
  const close = (): void => setOpen("none");
  return (
    <>
      <ListRow
        leading={<Coins size={18} aria-hidden="true" className={shared.muted} />}
        heading={token.name}
        subtitle={<bdi>{token.token_id}</bdi>}
        trailing={
          <span className={shared.row3}>
            <TokenAmount units={balance} token={token} />
            <Menu
              align="end"
              trigger={<IconButton icon={MoreHorizontal} label={t("assets.actionsFor", { name: token.name })} />}
              groups={[
                [
                  {
                    label: t("common.send"),
                    icon: ArrowUpRight,
                    onSelect: (): void => void navigate({ to: "/wallet/tokens/$id", params }),
                  },
                  { label: t("assets.approve"), icon: Handshake, onSelect: (): void => setOpen("approve") },
                  {
                    label: t("common.openInExplorer"),
                    icon: Search,
                    onSelect: (): void => void navigate({ to: "/explorer/token/$id", params }),
                  },
                ],
                [{ label: t("assets.burn"), icon: Flame, danger: true, onSelect: (): void => setOpen("burn") }],
              ]}
            />
          </span>
        }
      />
      {open === "approve" && <ApproveDialog token={token} onClose={close} />}
      {open === "burn" && <BurnTokenDialog holding={holding} onClose={close} />}
    </>
  );
}

/** Transferring and burning an NFT. */
export function NftRow({ nft }: { readonly nft: Nft }): ReactElement {
  const t = useMessages();
  const navigate = useNavigate();
  const [isBurning, setBurning] = useState(false);
  const params = { id: nft.nft_id };
  return (
    <>
      <ListRow
        leading={<Gem size={18} aria-hidden="true" className={shared.muted} />}
        heading={nft.name}
        subtitle={<bdi>{nft.nft_id}</bdi>}
        trailing={
          <Menu
            align="end"
            trigger={<IconButton icon={MoreHorizontal} label={t("assets.actionsFor", { name: nft.name })} />}
            groups={[
              [
                {
                  label: t("wallet.giveAway"),
                  icon: ArrowUpRight,
                  onSelect: (): void => void navigate({ to: "/wallet/nfts/$id", params }),
                },
                {
                  label: t("common.openInExplorer"),
                  icon: Search,
                  onSelect: (): void => void navigate({ to: "/explorer/nft/$id", params }),
                },
              ],
              [{ label: t("assets.burn"), icon: Flame, danger: true, onSelect: (): void => setBurning(true) }],
            ]}
          />
        }
      />
      {isBurning && (
        <CallSheet
          danger
          call={{ contractId: nft.contract_id, method: "burn", args: [nft.nft_id] }}
          title={t("assets.burnTitle", { name: nft.name })}
          sentence={t("assets.burnNftSentence", { name: nft.name, id: nft.nft_id })}
          confirmLabel={t("assets.signAndBurn")}
          onClose={(): void => setBurning(false)}
        />
      )}
    </>
  );
}
