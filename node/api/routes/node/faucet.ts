// Tokens on a development network.

import type { Awaitable } from "#node/queries/awaitable.ts";
import type { Output } from "#shared/api/api.ts";
import { CodedError } from "#shared/errors/coded-error.ts";
import { parseAccount } from "#shared/protocol/primitives/address.ts";
import { formatAmount } from "#shared/protocol/primitives/amount.ts";
import type { Handlers } from "../../handler-types.ts";
import type { ResolvedApiOptions } from "../../options.ts";
import type { ApiServices } from "../../services.ts";

export function createFaucetHandlers({ faucet }: ApiServices, { limits }: ResolvedApiOptions): Pick<Handlers, "requestFaucet"> {
  return {
    requestFaucet({ body }): Awaitable<Output<"requestFaucet">> {
      if (faucet === undefined) throw new CodedError("NOT_FOUND", "This network has no faucet: only development networks have one");
      const to = parseAccount(body.to);
      if (body.amount_ut > limits.faucetUt)
        throw new CodedError("BAD_REQUEST", `amount_ut is at most ${limits.faucetUt} (${formatAmount(limits.faucetUt)}) a request`);
      return faucet.give(to, body.amount_ut);
    },
  };
}
