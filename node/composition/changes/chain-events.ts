// Blocks as they become final, for all that is not consensus.
import type { Log } from "#node/observability/log.ts";
import type { ChainEvents } from "#node/queries/chain-events.ts";

/** Events for the interface and for duties; what fails in reporting them must not reach consensus. */
export function chainEvents({ chain, log }: { readonly chain: { readonly executor: ChainEvents }; readonly log: Log }): ChainEvents {
  return {
    onCommit: (listener) =>
      chain.executor.onCommit((committed) => {
        try {
          listener(committed);
        } catch (error) {
          log.error({ err: error }, "notifying the listeners of a block failed");
        }
      }),
  };
}
