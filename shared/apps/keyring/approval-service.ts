// What the shell's approval window may call: the person's own decisions.
import type { ApprovalApi, AppsOverview, ConnectionEntry, GrantInput, WatchApi } from "../messages/approval-api.ts";
import type { JournalPage } from "../messages/journal-lines.ts";
import type { AppKeyring } from "./app-keyring.ts";
import { approvalView, connectionEntry, connectionView, endedConnections, journalPage, requestView } from "./app-views.ts";

interface WithId {
  readonly id: string;
}

/** The methods of the port "approval", and of the shell's own. */
export class ApprovalService implements ApprovalApi, WatchApi {
  readonly #keyring: AppKeyring;

  constructor(keyring: AppKeyring) {
    this.#keyring = keyring;
  }

  overview(): Promise<AppsOverview> {
    return this.#keyring.exclusive(async () => {
      const lock = this.#keyring.lock();
      if (lock === "locked") return { lock, request: null, approvals: [], waiting: [], connections: [], ended: [] };
      const { store, approvals, waiting, usedAtMs } = await this.#keyring.opened();
      const request = this.#keyring.requests.waiting();
      return {
        lock,
        request: request === undefined ? null : requestView(request),
        approvals: approvals.waiting.map((approval) => approvalView(store, approval)),
        waiting,
        connections: store.connections.map((connection) => connectionEntry(store, connection, usedAtMs.get(connection.id))),
        ended: endedConnections(store),
      };
    });
  }

  grant(input: GrantInput): Promise<ConnectionEntry> {
    return this.#keyring.withOpen(async (open) => {
      const request = this.#keyring.requests.requireCode(input.id, input.code);
      const { connection, token } = await open.connections.grant(request, input);
      this.#keyring.requests.grant(input.id, token, connectionView(open.store, connection));
      return connectionEntry(open.store, connection, undefined);
    });
  }

  refuseRequest({ id }: WithId): Promise<void> {
    return this.#keyring.withOpen(async () => this.#keyring.requests.refuse(id));
  }

  approve({ id }: WithId): Promise<void> {
    return this.#keyring.withOpen(async (open) => {
      const { connection } = open.approvals.require(id).order;
      const result = await open.orders.approve(id);
      this.#keyring.emit({ event: "approved", connection: connection.id, result });
    });
  }

  refuse({ id }: WithId): Promise<void> {
    return this.#keyring.withOpen((open) => open.orders.refuse(id));
  }

  end({ connection }: { readonly connection: string }): Promise<void> {
    return this.#keyring.withOpen((open) => open.connections.end(open.connections.require(connection)));
  }

  dismiss(): Promise<void> {
    this.#keyring.requests.refuseAll();
    // A lock has taken all orders back.
    return this.#keyring.lock() === "locked" ? Promise.resolve() : this.#keyring.withOpen((open) => open.dismiss());
  }

  confirm({ connection, password }: { readonly connection: string; readonly password: string }): Promise<void> {
    return this.#keyring.withOpen((open) => open.connections.confirm(connection, password));
  }

  log({ before = Number.MAX_SAFE_INTEGER, limit }: { readonly before?: number; readonly limit: number }): Promise<JournalPage> {
    return this.#keyring.withOpen(async ({ store }) => {
      const lines = store.lines.filter(({ line }) => line.n < before);
      return journalPage(store, lines.slice(-limit).reverse(), lines.length > limit);
    });
  }
}
