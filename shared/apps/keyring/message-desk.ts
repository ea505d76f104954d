// Messages of programs: taken within the day's number and written down before the messaging engine gets them, and what it did with them
// afterwards. One order at a time: its caller sees to that.
//
// What is written as sent is never sent again, even where the engine's store was put back. Between the engine's commit and that line the
// journal cannot know: an order that is only reserved is given to the engine again, which sends it under the same id (it follows from
// connection and key) where its store does not have it, and all who have it already drop it. That holds for the same content alone. So a
// key is free for another order only when the engine refused its first asking, which nothing can have been sent before.
import { CodedError } from "#shared/errors/coded-error.ts";
import { fromHex } from "#shared/util/bytes.ts";
import { MAX_NOT_AFTER_MS, PERIOD_PARTS } from "../app-limits.ts";
import { leftUt } from "../judging/rolling-total.ts";
import type { MessageClaim, MessageVerdict } from "../messages/apps-api.ts";
import { findScope, PERIODS_MS } from "../scopes/scopes.ts";
import type { AppConnection } from "../storage/app-connection.ts";
import type { AppStore } from "../storage/app-store.ts";
import { hashKey } from "./order-checks.ts";

const GROUP = /^group:/;
const PARTS_MS = PERIODS_MS.day / PERIOD_PARTS;

/** The desk of one open store. */
export class MessageDesk {
  readonly #store: AppStore;
  /** Reserved here, and asked for once: the engine cannot have got them before. */
  readonly #askedOnce = new Set<string>();

  constructor(store: AppStore) {
    this.#store = store;
  }

  /** @throws CodedError NOT_FOUND, APP_SCOPE, APP_KEY_REUSED, RATE_LIMITED, BAD_REQUEST, UNAVAILABLE. */
  async place(connection: AppConnection, claim: MessageClaim): Promise<MessageVerdict> {
    const { ledger, chainTimeMs } = this.#store;
    const { number, chosen } = connection;
    const { to, bodyHash, notAfterMs } = claim;
    const keyHash = hashKey(connection, claim.idempotencyKey);
    const known = ledger.message(number, keyHash);
    const isOther = known !== undefined && known.outcome !== "failed" && known.bodyHash !== bodyHash;
    if (isOther || ledger.order(number, keyHash) !== undefined || ledger.invoice(number, keyHash) !== undefined)
      throw new CodedError("APP_KEY_REUSED", "The idempotency key was used for another request", { details: { replayed: true } });
    const isLate = chainTimeMs > notAfterMs;
    if (known?.outcome === "done") return { mode: "sent", to: known.to };
    if (known?.outcome === "reserved") {
      this.#askedOnce.delete(keyOf(number, keyHash));
      return { mode: isLate ? "late" : "open", to: known.to };
    }
    if (to === null) throw new CodedError("NOT_FOUND", "No message has this key");
    const scope = findScope(connection.scopes, "messages.send");
    if (scope === undefined || (scope.to === "chosen" && !chosen.includes(to.replace(GROUP, ""))))
      throw new CodedError("APP_SCOPE", "This connection may not write to this person", { details: { scope: "messages.send" } });
    // The engine may know it from before the journal's oldest line.
    if (isLate) return { mode: "late", to };
    if (notAfterMs > chainTimeMs + MAX_NOT_AFTER_MS)
      throw new CodedError("BAD_REQUEST", "not_after is at most 24 hours ahead", { details: { field: "not_after" } });
    this.#requireNumber(number, scope.rate);
    await this.#store.requireMessageRoom();
    const hashes = { keyHash: fromHex(keyHash), bodyHash: fromHex(bodyHash) };
    await this.#store.append({ connection: number, action: "message", outcome: "reserved", subject: to, ...hashes });
    this.#askedOnce.add(keyOf(number, keyHash));
    return { mode: "open", to };
  }

  /** Writes down what the engine did with it. One that it may have had before stays reserved when it refuses it now. */
  async settle(
    connection: AppConnection,
    { idempotencyKey, isSent }: { readonly idempotencyKey: string; readonly isSent: boolean },
  ): Promise<void> {
    const keyHash = hashKey(connection, idempotencyKey);
    if (this.#store.ledger.message(connection.number, keyHash)?.outcome !== "reserved") return;
    const wasAskedOnce = this.#askedOnce.delete(keyOf(connection.number, keyHash));
    if (!isSent && !wasAskedOnce) return;
    const outcome = isSent ? "done" : "failed";
    await this.#store.appendOutcome({ connection: connection.number, action: "message", outcome, keyHash: fromHex(keyHash) });
  }

  #requireNumber(connection: number, rate: number): void {
    const { ledger, budgetMs } = this.#store;
    ledger.forgetMessages(connection, budgetMs);
    if (leftUt(ledger.sentMessages(connection), { amountUt: rate, period: "day" }, budgetMs) > 0) return;
    throw new CodedError("RATE_LIMITED", `This connection sends at most ${rate} messages a day`, { details: { retryAfterMs: PARTS_MS } });
  }
}

function keyOf(connection: number, keyHash: string): string {
  return `${connection} ${keyHash}`;
}
