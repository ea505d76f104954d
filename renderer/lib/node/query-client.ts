// The cache of what the node said. Live updates invalidate it; without them responses age by themselves.
import { QueryClient } from "@tanstack/react-query";
import { isCodedError } from "#shared/errors/coded-error.ts";

/** A response counts as fresh this long; live updates overrule it. */
const STALE_MS = 30_000;
/** Unused responses are cached this long. */
const KEEP_MS = 10 * 60_000;
const MAX_RETRIES = 2;

/** A cache for one session. */
export function createQueryClient(): QueryClient {
  return new QueryClient({
    defaultOptions: {
      queries: {
        staleTime: STALE_MS,
        gcTime: KEEP_MS,
        networkMode: "always",
        retry: (failures, error) => failures < MAX_RETRIES && mayWorkLater(error),
        retryDelay: (attempt) => Math.min(4_000, 500 * 2 ** attempt),
      },
      mutations: { networkMode: "always", retry: false },
    },
  });
}

/** Refusals are final; what the node could not do now may work later. */
function mayWorkLater(error: unknown): boolean {
  return isCodedError(error) && (error.status >= 500 || error.code === "RATE_LIMITED");
}
