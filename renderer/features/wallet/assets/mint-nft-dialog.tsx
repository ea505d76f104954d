// Minting an NFT: a single thing with a name and a text of the minter's choice.
import { type ReactElement, useState } from "react";
import { TextArea } from "#renderer/components/controls/text-area.tsx";
import { CallSheet } from "#renderer/components/transactions/call-sheet.tsx";
import { ReviewDialog } from "#renderer/components/transactions/review-form.tsx";
import { useLanguage } from "#renderer/lib/messages/messages-context.tsx";
import { useNetworkQueries } from "#renderer/lib/node/network-queries.ts";
import { isAssetName, isNftMetadata, MAX_METADATA_BYTES } from "#shared/protocol/primitives/asset-rules.ts";
import { nativeContractId } from "#shared/protocol/transactions/contracts.ts";
import { utf8 } from "#shared/util/bytes.ts";
import { AssetNameFields, useFreeId } from "./asset-name-fields.tsx";

export function MintNftDialog({ onClose }: { readonly onClose: () => void }): ReactElement {
  const { t, locale } = useLanguage();
  const [texts, setTexts] = useState({ id: "", name: "", metadata: "" });
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
    <ReviewDialog
      title={t("assets.mintTitle")}
      description={t("assets.mintText")}
      onClose={onClose}
      draft={isReady ? { id, name, metadata } : undefined}
      review={(nft, ends): ReactElement => (
        <CallSheet
          call={{ contractId: nativeContractId("nfts"), method: "mint", args: [nft.id, nft.name, nft.metadata] }}
          title={t("assets.mintReview", { name: nft.name })}
          sentence={t("assets.mintSentence", { name: nft.name })}
          rows={[{ label: t("assets.nftId"), value: nft.id, mono: true }]}
          confirmLabel={t("assets.signAndMint")}
          {...ends}
        />
      )}
    >
      <AssetNameFields texts={texts} typedId={typedId} idLabel={t("assets.nftId")} onChange={set} />
      <TextArea
        label={t("assets.metadata")}
        optional
        hint={t("assets.metadataHint", { used, limit })}
        value={metadata}
        onChange={set("metadata")}
        error={isNftMetadata(metadata) ? undefined : t("wallet.memoTooLong", { used, limit })}
      />
    </ReviewDialog>
  );
}
