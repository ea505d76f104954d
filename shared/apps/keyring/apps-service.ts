// What the gateway may call. It cannot approve, widen or unlock, and what it orders is judged by the scopes of a token.
import { CodedError } from "#shared/errors/coded-error.ts";
import { countCodePoints, isPrintable } from "#shared/protocol/primitives/printable.ts";
import { MAX_REASON_CHARS } from "../app-limits.ts";
import type {
  AppRequest,
  AppsApi,
  AppsState,
  ChainObservation,
  ConnectionView,
  FetchedRequest,
  InvoiceOrder,
  InvoiceView,
  MessageClaim,
  MessageVerdict,
  OpenedRequest,
  OwnHistory,
} from "../messages/apps-api.ts";
import type { JournalPage } from "../messages/journal-lines.ts";
import type { CallOrder, OrderOutcome, OrderResult, PaidOrder, PaymentOrder, PendingOrder } from "../messages/orders.ts";
import { requireAppName } from "../scopes/app-name.ts";
import { fixRecipients } from "../scopes/narrow-scopes.ts";
import { parseScopes } from "../scopes/parse-scopes.ts";
import type { AppKeyring } from "./app-keyring.ts";
import { connectionView, invoiceView, journalPage, paidOrders } from "./app-views.ts";
import type { OpenApps } from "./open-apps.ts";

interface WithToken {
  readonly token: string;
}

/** The methods of the port "apps". */
export class AppsService implements AppsApi {
  readonly #keyring: AppKeyring;

  constructor(keyring: AppKeyring) {
    this.#keyring = keyring;
  }

  async state(): Promise<AppsState> {
    return this.#keyring.state();
  }

  observe(chain: ChainObservation): Promise<AppsState> {
    return this.#keyring.exclusive(async () => {
      await this.#keyring.observe(chain);
      return this.#keyring.state();
    });
  }

  history(input: OwnHistory): Promise<AppsState> {
    return this.#keyring.withOpen(async (open) => {
      await open.takeHistory(input);
      return this.#keyring.state();
    });
  }

  openRequest(input: AppRequest): Promise<OpenedRequest> {
    return this.#keyring.withOpen(async (open) => this.#openRequest(open, input, true));
  }

  /** A request of the person themselves, which counts for no program. It is on no port. */
  openOwnRequest(input: AppRequest): Promise<OpenedRequest> {
    return this.#keyring.withOpen(async (open) => this.#openRequest(open, input, false));
  }

  fetchRequest({ id, secret }: { readonly id: string; readonly secret: string }): Promise<FetchedRequest> {
    return this.#keyring.withOpen(async () => this.#keyring.requests.fetch(id, secret));
  }

  authenticate({ token }: WithToken): Promise<ConnectionView> {
    return this.#keyring.withOpen(async (open) => connectionView(open.store, await open.authenticate(token)));
  }

  rotateToken({ token }: WithToken): Promise<WithToken> {
    return this.#keyring.withOpen(async (open) => ({ token: await open.connections.rotate(await open.authenticate(token)) }));
  }

  endConnection({ token }: WithToken): Promise<void> {
    return this.#keyring.withOpen(async (open) => open.connections.end(await open.authenticate(token)));
  }

  pay(order: PaymentOrder): Promise<OrderResult> {
    return this.#keyring.withOpen(async (open) => open.orders.place(await open.authorize(order.token, "pay"), order));
  }

  call(order: CallOrder): Promise<OrderResult> {
    return this.#keyring.withOpen(async (open) => open.orders.place(await open.authorize(order.token, "call"), order));
  }

  orderMessage(claim: MessageClaim): Promise<MessageVerdict> {
    return this.#keyring.withOpen(async (open) => open.messages.place(await open.authorize(claim.token, "messages.send"), claim));
  }

  settleMessage({ token, ...input }: WithToken & { readonly idempotencyKey: string; readonly isSent: boolean }): Promise<void> {
    return this.#keyring.withOpen(async (open) => open.messages.settle(await open.authenticate(token), input));
  }

  noteWaiting({ token }: WithToken): Promise<void> {
    return this.#keyring.withOpen(async (open) => open.noteWaiting(await open.authenticate(token)));
  }

  findOrder({ token, idempotencyKey }: WithToken & { readonly idempotencyKey: string }): Promise<OrderResult> {
    return this.#keyring.withOpen(async (open) => open.orders.find(await open.authenticate(token), idempotencyKey));
  }

  pendingOrders(): Promise<readonly PendingOrder[]> {
    return this.#keyring.withOpen(async (open) => open.orders.pending());
  }

  settle({ outcomes }: { readonly outcomes: readonly OrderOutcome[] }): Promise<void> {
    return this.#keyring.withOpen((open) => open.orders.settle(outcomes));
  }

  paidOrders({ after }: { readonly after: number }): Promise<readonly PaidOrder[]> {
    return this.#keyring.withOpen(async ({ store }) => paidOrders(store, after));
  }

  checkSubmission({ token, from }: WithToken & { readonly from: string }): Promise<void> {
    return this.#keyring.withOpen((open) => open.checkSubmission(token, from));
  }

  createInvoice(input: InvoiceOrder): Promise<InvoiceView> {
    return this.#keyring.withOpen((open) => open.createInvoice(input));
  }

  listInvoices({ token }: WithToken): Promise<readonly InvoiceView[]> {
    return this.#keyring.withOpen(async (open) => {
      const { number } = await open.authorize(token, "invoices");
      return open.store.ledger.invoices(number).map(invoiceView);
    });
  }

  readJournal({ token, after, limit }: WithToken & { readonly after: number; readonly limit: number }): Promise<JournalPage> {
    return this.#keyring.withOpen(async (open) => {
      const { number } = await open.authenticate(token);
      const lines = open.store.lines.filter(({ line }) => line.n > after && line.connection === number);
      return journalPage(open.store, lines.slice(0, limit), lines.length > limit);
    });
  }

  #openRequest({ connections, store }: OpenApps, { name, reason, grant, names }: AppRequest, isCounted: boolean): OpenedRequest {
    store.requireChain();
    if (countCodePoints(reason) > MAX_REASON_CHARS || !isPrintable(reason))
      throw new CodedError("BAD_REQUEST", `reason has at most ${MAX_REASON_CHARS} characters that can be seen`, {
        details: { field: "reason" },
      });
    const scopes = fixRecipients(parseScopes(grant), names);
    const used = names.filter(({ key }) => scopes.some((scope) => scope.name === "pay" && scope.to.includes(key)));
    return this.#keyring.requests.open({ name: requireAppName(name, connections.names), reason, scopes, names: used }, isCounted);
  }
}
