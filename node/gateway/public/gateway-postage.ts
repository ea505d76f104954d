// What makes a fee count as postage at a gateway: the sender's balance, as a node told it a moment ago.
import { LRUCache } from "lru-cache";
import type { Postage } from "#node/relay/mailbox-room.ts";
import type { Envelope } from "#shared/protocol/mail/envelope.ts";
import type { AmountUt } from "#shared/protocol/primitives/amount.ts";
import { BALANCE_KEPT_MS, KEPT_BALANCES } from "./gateway-limits.ts";
import type { NodeLinks } from "./node-links.ts";

/** Postage over the balances of a node. An envelope whose sender's balance is not known takes the room of those without a fee. */
export class GatewayPostage implements Postage {
  readonly leastFeeUt: AmountUt;
  readonly #client: Pick<NodeLinks["client"], "getAddress">;
  readonly #balances = new LRUCache<string, number>({ max: KEPT_BALANCES, ttl: BALANCE_KEPT_MS });

  constructor(client: Pick<NodeLinks["client"], "getAddress">, leastFeeUt: AmountUt) {
    this.#client = client;
    this.leastFeeUt = leastFeeUt;
  }

  /** Asks for what {@link canPay} needs. */
  async prepare({ sender_ed25519_pub: sender, fee_ut: feeUt }: Envelope): Promise<void> {
    if (sender === "" || feeUt < Math.max(1, this.leastFeeUt) || this.#balances.has(sender)) return;
    const found = await this.#client.getAddress({ addr: sender, limit: 1 }).catch(() => undefined);
    if (found !== undefined) this.#balances.set(sender, found.balance_ut);
  }

  canPay(sender: string, amountUt: AmountUt): boolean {
    return (this.#balances.get(sender) ?? 0) >= amountUt;
  }
}
