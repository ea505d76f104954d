// Has the node try a deployment: whether the module is taken, what it offers, what it costs.
import { type UseQueryResult, useQuery } from "@tanstack/react-query";
import type { Output } from "#shared/api/api.ts";
import { useAccount } from "../../keyring/keyring-context.tsx";
import { useNode } from "../../node/access/node-context.tsx";
import { queryKeys } from "../../node/query-keys.ts";

export type DeploymentTrial = UseQueryResult<Output<"estimateDeployment">>;

/** A module to try. */
export interface TriedModule {
  readonly wasmB64: string;
  /** Stands for the bytes in keys of queries. */
  readonly hash: string;
  /** Why it is none: then nothing is tried. */
  readonly problem?: string | undefined;
}

export interface TriedDeployment {
  /** Nothing is tried without one. */
  readonly module: TriedModule | undefined;
  /** Left out to look at the module alone. */
  readonly abiJson?: string;
  readonly initArgsJson?: string | undefined;
  readonly isReady?: boolean;
}

export function useDeploymentTrial({ module, abiJson, initArgsJson, isReady = true }: TriedDeployment): DeploymentTrial {
  const { client } = useNode();
  const { masterPub } = useAccount();
  return useQuery({
    queryKey: [...queryKeys.allContracts, "deployment-trial", masterPub, module?.hash, abiJson, initArgsJson],
    queryFn: ({ signal }) => {
      const body = {
        from: masterPub,
        wasm_b64: module?.wasmB64 ?? "",
        ...(abiJson !== undefined && { abi_json: abiJson }),
        ...(initArgsJson !== undefined && { init_args_json: initArgsJson }),
      };
      return client.estimateDeployment({ body }, { signal });
    },
    enabled: isReady && module !== undefined && module.problem === undefined,
    retry: false,
  });
}
