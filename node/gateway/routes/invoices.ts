// Invoices of a connection, and what came for them.
import type { AppResponse } from "#shared/apps/api/apps-endpoints.ts";
import type { InvoiceView } from "#shared/apps/messages/apps-api.ts";
import { CodedError } from "#shared/errors/coded-error.ts";
import type { ChainWatch } from "../chain/chain-watch.ts";
import type { InvoicePayments } from "../chain/invoice-payments.ts";
import { ownAccount, unixSeconds } from "../chain/own-account.ts";
import type { AppHandlers, AppReply } from "../http/app-handlers.ts";
import type { GatewayServices } from "../services.ts";

/** Handlers of `/apps/v1/invoices`. */
export function invoiceHandlers(
  { keyring }: GatewayServices,
  watch: ChainWatch,
  payments: InvoicePayments,
): Pick<AppHandlers, "createInvoice" | "listInvoices" | "getInvoice"> {
  async function describe(invoices: readonly InvoiceView[]): Promise<AppResponse<"createInvoice">[]> {
    const { masterPub, address } = await ownAccount(keyring, watch);
    const paid = await payments.of(masterPub, invoices);
    return invoices.map(({ id, amountUt, createdAtMs, expiresAtMs }) => ({
      ...{ id, address, amount_ut: amountUt },
      paid_ut: paid.get(id)?.paidUt ?? 0,
      state: paid.get(id)?.state ?? "open",
      created_at: unixSeconds(createdAtMs),
      expires_at: unixSeconds(expiresAtMs),
    }));
  }

  async function only(invoice: InvoiceView | undefined): Promise<{ readonly body: AppResponse<"createInvoice"> }> {
    const [body] = invoice === undefined ? [] : await describe([invoice]);
    if (body === undefined) throw new CodedError("NOT_FOUND", "This connection has no such invoice");
    return { body };
  }

  return {
    createInvoice: async ({ token, body }): Promise<AppReply<"createInvoice">> =>
      await only(
        await keyring.api.createInvoice({
          token,
          idempotencyKey: body.idempotency_key,
          amountUt: body.amount_ut,
          expiresAtMs: body.expires_at * 1000,
        }),
      ),
    listInvoices: async ({ token }): Promise<AppReply<"listInvoices">> => ({
      body: { invoices: await describe(await keyring.api.listInvoices({ token })) },
    }),
    getInvoice: async ({ token, params }) => await only((await keyring.api.listInvoices({ token })).find(({ id }) => id === params.id)),
  };
}
