// In which function and line of the published source a call would fail; nothing where the deployer published no lines.
import { useQuery } from "@tanstack/react-query";
import type { ReactElement } from "react";
import { useMessages } from "#renderer/lib/messages/messages-context.tsx";
import { useNetworkQueries } from "#renderer/lib/node/network-queries.ts";
import { describePlaces, type FaultPlace } from "#shared/content/contract-lines.ts";
import type { ContractId } from "#shared/protocol/transactions/contracts.ts";

export interface FaultLineProps {
  readonly contractId: ContractId;
  readonly places: readonly FaultPlace[];
}

export function FaultLine({ contractId, places }: FaultLineProps): ReactElement | null {
  const t = useMessages();
  const { data } = useQuery({ ...useNetworkQueries().contractPublished(contractId), enabled: places.length > 0 });
  const line = data?.lines === undefined ? "" : describePlaces(places, data.lines);
  return line === "" ? null : <p>{t("explorer.faultLine", { line })}</p>;
}
