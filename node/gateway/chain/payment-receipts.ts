// Payments of programs leave receipts in the chats with those whom they paid. The keyring's journal says which came into a block, the chain
// whom and how much, and the messaging engine leaves each once: so whatever ends in between, it is asked again and nothing is left twice.
import type { PaidOrder } from "#shared/apps/messages/orders.ts";
import { isCodedError } from "#shared/errors/coded-error.ts";
import type { CancelTimer } from "#shared/util/clock.ts";
import type { GatewayLimits } from "../gateway-limits.ts";
import type { GatewayServices } from "../services.ts";

type ReceiptLimits = Pick<GatewayLimits, "receiptRetryMs" | "receiptTries" | "receiptsAside">;

/** The receipts while the gateway runs. */
export class PaymentReceipts {
  readonly #services: GatewayServices;
  readonly #limits: ReceiptLimits;
  readonly #stop: () => void;
  /** Lines up to this one of the account's journal are done. */
  #doneTo = 0;
  /** Payments that failed for an unknown reason, with how often: they keep no other one waiting. */
  readonly #aside = new Map<PaidOrder, number>();
  /** It is time to try these again. */
  #isDue = false;
  #account: string | undefined;
  #run: Promise<void> | undefined;
  #cancelRetry: CancelTimer | undefined;
  #isStale = false;
  #isClosed = false;

  constructor(services: GatewayServices, limits: ReceiptLimits) {
    this.#services = services;
    this.#limits = limits;
    this.#stop = services.keyring.onEvent((event) => {
      if (event.event === "state") this.#follow(event.state.account?.masterPub);
      if (event.event === "line" || event.event === "state") void this.refresh();
    });
  }

  /** Leaves what is missing; one run at a time. Never rejects. */
  refresh(): Promise<void> {
    this.#isStale = true;
    this.#run ??= this.#work().finally(() => {
      this.#run = undefined;
    });
    return this.#run;
  }

  close(): void {
    this.#isClosed = true;
    this.#cancelRetry?.();
    this.#stop();
  }

  /** Another account has a journal of its own, whose lines begin at 1. */
  #follow(account: string | undefined): void {
    if (account === undefined || account === this.#account) return;
    this.#account = account;
    this.#doneTo = 0;
    this.#aside.clear();
  }

  async #work(): Promise<void> {
    while (this.#isStale && !this.#isClosed) {
      this.#isStale = false;
      try {
        await this.#leaveAside();
        await this.#leaveAll();
        if (this.#aside.size > 0) this.#later();
      } catch (error) {
        // A keyring that opens says so.
        if (!isCodedError(error, "APP_LOCKED", "KEYRING_LOCKED")) this.#later();
        if (!isCodedError(error, ...AWAY)) this.#services.log.warn({ err: error }, "The receipt of a program's payment was not left yet");
      }
    }
  }

  #later(): void {
    if (this.#isClosed || this.#cancelRetry !== undefined) return;
    this.#cancelRetry = this.#services.timers.setTimer(this.#limits.receiptRetryMs, () => {
      this.#cancelRetry = undefined;
      this.#isDue = true;
      void this.refresh();
    });
  }

  async #leaveAll(): Promise<void> {
    if (this.#services.messages === undefined) return;
    for (;;) {
      const account = this.#account;
      const paid = await this.#services.keyring.api.paidOrders({ after: this.#doneTo });
      if (paid.length === 0) return;
      for (const order of paid) {
        if (this.#isClosed || account !== this.#account) return;
        await this.#try(order, 0);
        if (account === this.#account) this.#doneTo = order.n;
      }
    }
  }

  async #leaveAside(): Promise<void> {
    if (!this.#isDue) return;
    this.#isDue = false;
    const account = this.#account;
    for (const [order, tries] of [...this.#aside]) {
      const [newest] = await this.#services.keyring.api.paidOrders({ after: order.n - 1 });
      if (this.#isClosed || account !== this.#account) return;
      // The journal names it no more: it is too old.
      if (newest?.n !== order.n) this.#aside.delete(order);
      else await this.#try(order, tries);
    }
  }

  /** Leaves one, or sets it aside, or gives it up. Throws what may be over soon, and anything while too many are aside. */
  async #try(order: PaidOrder, tries: number): Promise<void> {
    const account = this.#account;
    const error = await this.#leave(order).then(
      () => undefined,
      (reason: unknown) => reason ?? "failed",
    );
    if (isCodedError(error, ...AWAY)) throw error;
    const isOver = error === undefined || isCodedError(error, ...LASTING) || tries >= this.#limits.receiptTries;
    if (!isOver && tries === 0 && this.#aside.size >= this.#limits.receiptsAside) throw error;
    if (isOver) this.#aside.delete(order);
    else if (account === this.#account) this.#aside.set(order, tries + 1);
    if (error === undefined || (!isOver && tries > 0)) return;
    this.#services.log.warn({ err: error }, isOver ? "A program's payment leaves no receipt" : "A program's receipt is set aside");
  }

  async #leave({ connection, id }: PaidOrder): Promise<void> {
    const { node, messages } = this.#services;
    const { type, status, to, amount_ut: amountUt } = await node.client.getTransaction({ txid: id });
    if (type !== "TRANSFER" || status === "failed" || to === null || amountUt < 1) return;
    await messages?.api.leaveReceipt({ connection, txId: id, to, amountUt });
  }
}

/** Asking again gives the same. */
const LASTING = ["NOT_FOUND", "HISTORY_PRUNED", "BAD_REQUEST"] as const;
/** Not there at the moment, or too busy, which says nothing of the payment: a light node without peers, a node that is starting again. */
const AWAY = [
  "UNAVAILABLE",
  "UPSTREAM_FAILED",
  "RATE_LIMITED",
  "UNAUTHORIZED",
  "MESSENGER_UNAVAILABLE",
  "APP_LOCKED",
  "KEYRING_LOCKED",
] as const;
