// What one T is worth in another currency, from the source that the person named. Off until one is named; the node asks it, for its owner
// alone. The value is for showing: no amount is computed from it.
import { type QueryObserverOptions, useQuery } from "@tanstack/react-query";
import type { NodeClient } from "#shared/api/client.ts";
import { useNow } from "../../browser/use-now.ts";
import { type RateSource, useSettings } from "../../settings/settings-store.ts";
import { useNode } from "./node-context.tsx";

/** As often as the node asks a source. */
const ASK_AGAIN_MS = 300_000;
/** From this age on it is said that a rate is old. */
export const OLD_RATE_MS = 3_600_000;
const TICK_MS = 60_000;

/** A rate as a source says it. */
export interface FoundRate {
  readonly rate: number;
  /** When the source was asked, milliseconds since 1970. */
  readonly atMs: number;
}

/** A rate as it is shown. */
export interface ShownRate extends FoundRate {
  readonly currency: string;
  readonly isOld: boolean;
}

/** How the rate of a source is read; nothing is read without one. The last one that came stays while the source does not answer. */
export function rateQuery(
  client: Pick<NodeClient, "readRate">,
  source: RateSource | null,
): QueryObserverOptions<FoundRate> & { readonly queryKey: readonly unknown[] } {
  return {
    queryKey: ["rate", source?.url, source?.path],
    queryFn: ({ signal }) => readRate(client, source ?? { url: "", path: "" }, { signal }),
    enabled: source !== null,
    staleTime: ASK_AGAIN_MS,
    refetchInterval: ASK_AGAIN_MS,
    retry: false,
  };
}

/** Has the node ask a source. @throws CodedError of the node */
export async function readRate(
  client: Pick<NodeClient, "readRate">,
  { url, path }: Pick<RateSource, "url" | "path">,
  options: { readonly signal?: AbortSignal } = {},
): Promise<FoundRate> {
  const { rate, at } = await client.readRate({ body: { url, path } }, options);
  return { rate, atMs: Date.parse(at) };
}

/** The rate, undefined where no source is named and while none is known. */
export function useRate(): ShownRate | undefined {
  const { client } = useNode();
  const source = useSettings((settings) => settings.rateSource);
  const { data } = useQuery(rateQuery(client, source));
  const nowMs = useNow(TICK_MS);
  if (source === null || data === undefined) return undefined;
  return { ...data, currency: source.currency, isOld: nowMs - data.atMs > OLD_RATE_MS };
}
