// Every operation for programs, over the services, and what they share.
import type { FastifyInstance } from "fastify";
import { ChainWatch } from "./chain/chain-watch.ts";
import { InvoicePayments } from "./chain/invoice-payments.ts";
import { PaymentReceipts } from "./chain/payment-receipts.ts";
import { AppEventSource } from "./events/app-event-source.ts";
import { EventPlaces } from "./events/event-places.ts";
import { AppEvents } from "./events/register-events.ts";
import type { GatewayLimits } from "./gateway-limits.ts";
import type { AppGuard } from "./http/app-guard.ts";
import { registerOperations } from "./http/register-operations.ts";
import { connectionHandlers } from "./routes/connections.ts";
import { historyHandlers } from "./routes/history.ts";
import { invoiceHandlers } from "./routes/invoices.ts";
import { messageHandlers } from "./routes/messages.ts";
import { orderHandlers } from "./routes/orders.ts";
import { submissionHandlers } from "./routes/submissions.ts";
import { WaitingOrders } from "./routes/waiting-orders.ts";
import type { GatewayServices } from "./services.ts";

/** What is registered. */
export interface Composition {
  readonly services: GatewayServices;
  readonly limits: GatewayLimits;
  /** File of the places in events. */
  readonly placesFile: string;
  /** A connection has ended: nothing of it stays open. */
  readonly onEnded: (connection: string) => void;
}

/** Registers all routes; returns the way to stop what is behind them. */
export function registerGateway(app: FastifyInstance, guard: AppGuard, { services, limits, placesFile, onEnded }: Composition): () => void {
  const { keyring, clock, random } = services;
  const watch = new ChainWatch(services, limits);
  const payments = new InvoicePayments(services, limits);
  const receipts = new PaymentReceipts(services, limits);
  const waiting = new WaitingOrders(limits, clock);
  const source = new AppEventSource({ services, limits, watch, payments });
  const events = new AppEvents({ services, limits, source, places: new EventPlaces(placesFile, random) });
  const onRotated = (connection: string, token: string): void => {
    waiting.rotate(connection, token);
    // They would show the old token again, which would end the connection.
    events.end(connection);
  };
  events.register(app, guard);
  registerOperations(
    app,
    {
      ...connectionHandlers(services, watch, onRotated),
      ...orderHandlers(services, watch, waiting),
      ...submissionHandlers(services),
      ...historyHandlers(services, watch, limits),
      ...invoiceHandlers(services, watch, payments),
      ...messageHandlers(services, watch),
      ...events.handlers,
    },
    { guard, limits },
  );
  const stopEvents = keyring.onEvent((event) => {
    if (event.event === "state" && event.state.lock === "unlocked") void waiting.runAll();
    if (event.event !== "ended") return;
    waiting.end(event.connection);
    events.end(event.connection);
    onEnded(event.connection);
  });
  void watch.refresh();
  void receipts.refresh();
  return () => {
    stopEvents();
    watch.close();
    payments.close();
    receipts.close();
  };
}
