// Name and id of a new token or NFT. Whether the id may be had, the chain is asked once one pauses.
import { useQuery } from "@tanstack/react-query";
import type { ReactElement } from "react";
import { TextField } from "#renderer/components/controls/text-field.tsx";
import { useDebounced } from "#renderer/lib/browser/use-debounced.ts";
import { useMessages } from "#renderer/lib/messages/messages-context.tsx";
import { type NodeQuery, unlessUnknown } from "#renderer/lib/node/queries.ts";
import { isAssetId, isAssetName, MAX_ASSET_NAME_CHARS } from "#shared/protocol/primitives/asset-rules.ts";

const DEBOUNCE_MS = 250;

/** A typed id: free, or what is wrong with it. Neither while the chain is asked. */
export interface TypedId {
  readonly isFree: boolean;
  readonly problem: string | undefined;
}

/** Checks an id; `queryOf` asks for what has it, which fails with NOT_FOUND for a free one. */
export function useFreeId(id: string, queryOf: (id: string) => NodeQuery<unknown>): TypedId {
  const t = useMessages();
  const asked = useDebounced(id, DEBOUNCE_MS);
  const { queryKey, queryFn } = queryOf(asked);
  const { data } = useQuery({
    queryKey: [...queryKey, "is-free"],
    queryFn: async (context) => (await unlessUnknown(queryFn(context))) === undefined,
    enabled: isAssetId(asked),
  });
  if (id === "") return { isFree: false, problem: undefined };
  if (!isAssetId(id)) return { isFree: false, problem: t("assets.idWrong") };
  if (asked !== id || data === undefined) return { isFree: false, problem: undefined };
  return { isFree: data, problem: data ? undefined : t("assets.idTaken", { id }) };
}

interface AssetNameFieldsProps {
  readonly texts: { readonly id: string; readonly name: string };
  readonly typedId: TypedId;
  readonly idLabel: string;
  readonly onChange: (field: "id" | "name") => (text: string) => void;
}

/** The two fields, the name first and with the focus. */
export function AssetNameFields({ texts, typedId, idLabel, onChange }: AssetNameFieldsProps): ReactElement {
  const t = useMessages();
  const name = texts.name.trim();
  return (
    <>
      <TextField
        label={t("common.name")}
        autoFocus
        value={texts.name}
        onChange={onChange("name")}
        error={name === "" || isAssetName(name) ? undefined : t("assets.nameWrong", { count: MAX_ASSET_NAME_CHARS })}
      />
      <TextField
        label={idLabel}
        hint={t(typedId.isFree ? "assets.idFree" : "assets.idHint")}
        mono
        spellCheck={false}
        value={texts.id}
        onChange={onChange("id")}
        error={typedId.problem}
      />
    </>
  );
}
