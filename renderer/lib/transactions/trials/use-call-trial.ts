// Tries a call out before it is signed: whether it would take effect, and the gas limit to send it with.
import { useQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import type { CallContractIntent } from "#shared/keyring/intents/intents.ts";
import { useAccount } from "../../keyring/keyring-context.tsx";
import { useMessages } from "../../messages/messages-context.tsx";
import { useNode } from "../../node/access/node-context.tsx";
import { queryKeys } from "../../node/query-keys.ts";
import { failureInWords } from "../failure-in-words.ts";

/** What a trial found. A node that cannot try leaves the call as it is: then its block decides. */
export interface CallTrial {
  readonly intent: CallContractIntent;
  readonly problem: string | undefined;
  readonly isChecking: boolean;
}

/** Tries a call on the newest state, again whenever a contract was called. */
export function useCallTrial(call: CallContractIntent): CallTrial {
  const t = useMessages();
  const { client } = useNode();
  const { masterPub } = useAccount();
  const { contractId: contractID, method, argsJson, amountUt } = call;
  const { data, isPending } = useQuery({
    queryKey: [...queryKeys.allContracts, "trial", contractID, method, argsJson, amountUt, masterPub],
    queryFn: ({ signal }) =>
      client.estimateCall({ contractID, body: { method, args_json: argsJson, from: masterPub, amount_ut: amountUt } }, { signal }),
    retry: false,
    gcTime: 0,
  });
  const gasLimit = data?.status === "ok" ? data.gas_limit : call.gasLimit;
  const intent = useMemo(() => ({ ...call, gasLimit }), [call, gasLimit]);
  const problem = data?.status === "failed" ? failureInWords(t, data.reason === "" ? data.code : data.reason) : undefined;
  return { intent, problem, isChecking: isPending };
}
