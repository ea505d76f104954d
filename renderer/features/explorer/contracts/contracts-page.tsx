// All contracts in the order of their deployment.
import { FileCode2, Upload } from "lucide-react";
import type { ReactElement } from "react";
import { Badge } from "#renderer/components/basics/badge.tsx";
import { ButtonLink } from "#renderer/components/controls/button-link.tsx";
import { LoadedRows } from "#renderer/components/feedback/loaded-rows.tsx";
import { UnverifiedNote } from "#renderer/components/feedback/unverified-note.tsx";
import { ListRowLink } from "#renderer/components/layout/list-row.tsx";
import shared from "#renderer/components/styles/shared.module.css";
import { useMessages } from "#renderer/lib/messages/messages-context.tsx";
import { useNode } from "#renderer/lib/node/access/node-context.tsx";
import { usePaged } from "#renderer/lib/node/lists/use-paged.ts";
import { LIST_PAGE } from "#renderer/lib/node/network-queries.ts";
import { queryKeys } from "#renderer/lib/node/query-keys.ts";
import type { ContractRecord } from "#shared/api/schemas/contracts.ts";
import { ExplorerFrame } from "../frame/explorer-frame.tsx";

const ROW_HEIGHT = 56;

export function ContractsPage(): ReactElement {
  const t = useMessages();
  const { client } = useNode();
  const query = usePaged(queryKeys.contractList, (after, call) => client.listContracts({ limit: LIST_PAGE, ...after }, call));
  return (
    <ExplorerFrame title={t("explorer.contracts")}>
      <div>
        <ButtonLink to="/explorer/deploy" icon={Upload} size="small">
          {t("explorer.deployTitle")}
        </ButtonLink>
      </div>
      <UnverifiedNote kind="list" />
      <div className={shared.outdented}>
        <LoadedRows
          label={t("explorer.contracts")}
          query={query}
          itemsOf={(page): readonly ContractRecord[] => page.contracts}
          keyOf={(contract): string => contract.contract_id}
          estimateSize={ROW_HEIGHT}
          empty={{ icon: FileCode2, title: t("explorer.noContracts"), text: t("explorer.noContractsText") }}
          renderItem={(contract): ReactElement => <ContractRow contract={contract} />}
        />
      </div>
    </ExplorerFrame>
  );
}

function ContractRow({ contract }: { readonly contract: ContractRecord }): ReactElement {
  const t = useMessages();
  const { contract: name, version, methods } = contract.abi;
  const count = Array.isArray(methods) ? methods.length : 0;
  return (
    <ListRowLink
      to="/explorer/contract/$id"
      params={{ id: contract.contract_id }}
      leading={<FileCode2 size={18} aria-hidden="true" />}
      heading={`${typeof name === "string" ? name : contract.contract_id} ${typeof version === "string" ? version : ""}`}
      subtitle={`${contract.contract_id} · ${t("explorer.methodCount", { count })}`}
      trailing={
        contract.wasm_size === 0 ? (
          <Badge tone="accent">{t("explorer.native")}</Badge>
        ) : (
          t("explorer.blockTitle", { height: contract.deployed_at })
        )
      }
    />
  );
}
