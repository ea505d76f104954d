// Minting an NFT: a single thing with a name and a text of the minter's choice.
import { type ReactElement, useState } from "react";
import { Button } from "#renderer/components/controls/button.tsx";
import { TextArea } from "#renderer/components/controls/text-area.tsx";
import { TextField } from "#renderer/components/controls/text-field.tsx";
import { Dialog } from "#renderer/components/overlays/dialog.tsx";
import shared from "#renderer/components/styles/shared.module.css";
import { CallSheet } from "#renderer/components/transactions/call-sheet.tsx";
import { useLanguage } from "#renderer/lib/messages/messages-context.tsx";
import { useNetworkQueries } from "#renderer/lib/node/network-queries.ts";
import { isAssetName, isNftMetadata, MAX_ASSET_NAME_CHARS, MAX_METADATA_BYTES } from "#shared/protocol/primitives/asset-rules.ts";
import { nativeContractId } from "#shared/protocol/transactions/contracts.ts";
import { utf8 } from "#shared/util/bytes.ts";
import send from "../send/send.module.css";
import { useFreeId } from "./use-free-id.ts";

export function MintNftDialog({ onClose }: { readonly onClose: () => void }): ReactElement {
  const { t, locale } = useLanguage();
  const [texts, setTexts] = useState({ id: "", name: "", metadata: "" });
  const [isReviewing, setReviewing] = useState(false);
  const set =
    (field: keyof typeof texts) =>
    (text: string): void =>
      setTexts({ ...texts, [field]: text });
  const [id, name, metadata] = [texts.id.trim(), texts.name.trim(), texts.metadata];
  const typedId = useFreeId(id, useNetworkQueries().nft);
  const number = new Intl.NumberFormat(locale);
  const [used, limit] = [number.format(utf8(metadata).length), number.format(MAX_METADATA_BYTES)];
  const isReady = typedId.isFree && isAssetName(name) && isNftMetadata(metadata);
  return (
    <Dialog open keepOpen onOpenChange={onClose} title={t("assets.mintTitle")} description={t("assets.mintText")}>
      <form
        className={shared.stack4}
        noValidate
        onSubmit={(event): void => {
          event.preventDefault();
          setReviewing(isReady);
        }}
      >
        <TextField
          label={t("common.name")}
          autoFocus
          value={texts.name}
          onChange={set("name")}
          error={name === "" || isAssetName(name) ? undefined : t("assets.nameWrong", { count: MAX_ASSET_NAME_CHARS })}
        />
        <TextField
          label={t("assets.nftId")}
          hint={t(typedId.isFree ? "assets.idFree" : "assets.idHint")}
          mono
          spellCheck={false}
          value={texts.id}
          onChange={set("id")}
          error={typedId.problem}
        />
        <TextArea
          label={t("assets.metadata")}
          optional
          hint={t("assets.metadataHint", { used, limit })}
          value={metadata}
          onChange={set("metadata")}
          error={isNftMetadata(metadata) ? undefined : t("wallet.memoTooLong", { used, limit })}
        />
        <footer className={send.footer}>
          <Button type="submit" variant="primary" disabled={!isReady}>
            {t("transactions.review")}
          </Button>
        </footer>
      </form>
      {isReviewing && isReady && (
        <CallSheet
          call={{ contractId: nativeContractId("nfts"), method: "mint", args: [id, name, metadata] }}
          title={t("assets.mintReview", { name })}
          sentence={t("assets.mintSentence", { name })}
          rows={[{ label: t("assets.nftId"), value: id, mono: true }]}
          confirmLabel={t("assets.signAndMint")}
          onClose={(): void => setReviewing(false)}
          onSent={onClose}
        />
      )}
    </Dialog>
  );
}
