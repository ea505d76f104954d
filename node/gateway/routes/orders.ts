// Payments and calls: the gateway finds out whom a name means and what the account has, the keyring judges, reserves and signs, the node
// gets what was signed.
import type { NodeClient } from "#shared/api/client.ts";
import { readLeastFee } from "#shared/api/reads/least-fee.ts";
import type { AppBody, AppResponse } from "#shared/apps/api/apps-endpoints.ts";
import type { OrderBase, OrderResult } from "#shared/apps/messages/orders.ts";
import { isCodedError } from "#shared/errors/coded-error.ts";
import type { PublicKeyHex } from "#shared/protocol/primitives/address.ts";
import { balanceOf, resolveRecipient } from "../chain/chain-reads.ts";
import type { ChainWatch } from "../chain/chain-watch.ts";
import { ownAccount, unixSeconds } from "../chain/own-account.ts";
import type { AppHandlers, AppReply } from "../http/app-handlers.ts";
import type { GatewayServices } from "../services.ts";
import type { WaitingOrders } from "./waiting-orders.ts";

type OrderView = AppResponse<"pay">;
type Reply = AppReply<"pay">;
type Body = AppBody<"pay"> | AppBody<"call">;

/** One order, however often it is given. */
interface Attempt {
  readonly connection: string;
  readonly token: string;
  readonly body: Body;
  readonly order: (base: OrderBase) => Promise<OrderResult>;
}

/** Handlers of `/apps/v1/payments` and `/apps/v1/calls`. */
export function orderHandlers(
  { keyring, node }: GatewayServices,
  watch: ChainWatch,
  waiting: WaitingOrders,
): Pick<AppHandlers, "pay" | "getPayment" | "call"> {
  async function place({ token, body, order }: Omit<Attempt, "connection">): Promise<Reply> {
    const { masterPub } = await ownAccount(keyring, watch);
    const [spendableUt, leastFeeUt] = await Promise.all([balanceOf(node.client, masterPub), readLeastFee(node.client)]);
    const amounts = { spendableUt, ...(leastFeeUt !== undefined && { leastFeeUt }) };
    const base = { token, idempotencyKey: body.idempotency_key, notAfterMs: body.not_after * 1000, ...amounts };
    return await replyTo(await order(base));
  }

  async function replyTo(result: OrderResult): Promise<Reply> {
    if (result.kind === "transaction" && result.transaction !== undefined) await watch.submit(result.transaction);
    return describe(result);
  }

  async function attempt(made: Attempt): Promise<Reply> {
    const { connection, token, body } = made;
    const text = JSON.stringify(body);
    if (waiting.has(connection, body.idempotency_key, text)) return waits(true);
    // The first look at the chain after a start tells the keyring what it has to know before it judges.
    if (watch.state === undefined) await watch.refresh();
    try {
      return await place(made);
    } catch (error) {
      if (body.wait !== true || !isCodedError(error, "APP_LOCKED") || error.details.wallet !== true) throw error;
      const run = async (newest: string): Promise<void> => void (await place({ ...made, token: newest }));
      waiting.add({ connection, key: body.idempotency_key, text, token, run });
      await keyring.api.noteWaiting({ token });
      return waits(false);
    }
  }

  return {
    pay: async ({ token, connection, body }): Promise<AppReply<"pay">> =>
      await attempt({
        ...{ connection: connection.id, token, body },
        order: async (base) => {
          const to = await knownRecipient(node.client, body.to);
          const { memo } = body;
          return await keyring.api.pay({
            ...base,
            recipient: body.to,
            to,
            amountUt: body.amount_ut,
            ...(memo === undefined ? {} : { memo }),
          });
        },
      }),
    call: async ({ token, connection, body }): Promise<AppReply<"call">> =>
      await attempt({
        ...{ connection: connection.id, token, body },
        order: async (base) => {
          const { contract, method, args_json: argsJson = "", amount_ut: amountUt = 0, gas_limit: gasLimit } = body;
          return await keyring.api.call({ ...base, contract: contract.toLowerCase(), method, argsJson, amountUt, gasLimit });
        },
      }),
    getPayment: async ({ token, connection, params }): Promise<AppReply<"getPayment">> => {
      if (waiting.has(connection.id, params.key)) return waits(true);
      return describe(await keyring.api.findOrder({ token, idempotencyKey: params.key }));
    },
  };
}

/** Null for a name that no account has: what was ordered while one had it is answered all the same. */
async function knownRecipient(client: NodeClient, text: string): Promise<PublicKeyHex | null> {
  try {
    return await resolveRecipient(client, text);
  } catch (error) {
    if (isCodedError(error, "NOT_FOUND")) return null;
    throw error;
  }
}

function describe(result: OrderResult): Reply {
  if (result.kind === "transaction") return { body: { id: result.id, state: result.state, replayed: result.isReplayed } };
  const approval = { id: result.approval, expires_at: unixSeconds(result.expiresAtMs) };
  return { status: 202, body: { state: "approval", approval, replayed: result.isReplayed } satisfies OrderView };
}

function waits(isReplayed: boolean): Reply {
  return { status: 202, body: { state: "waiting", replayed: isReplayed } };
}
