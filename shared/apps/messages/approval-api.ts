// The keyring's port "approval", as the shell's window sees it: the only place where a program is let in and a payment above a limit is
// agreed to. Neither page nor gateway has it.
import type { AmountUt } from "#shared/protocol/primitives/amount.ts";
import type { ResolvedName } from "../scopes/narrow-scopes.ts";
import type { ConnectionView, KeyringLock } from "./apps-api.ts";
import type { JournalPage } from "./journal-lines.ts";

/** A program that waits to be let in. Its code is not here: the person types what the program shows. */
export interface WaitingRequest {
  readonly id: string;
  readonly name: string;
  readonly reason: string;
  /** Scopes in their normal form, with addresses in place of names. */
  readonly scopes: readonly string[];
  /** Names that the request used, and whose they are. */
  readonly names: readonly ResolvedName[];
  readonly needsPassword: boolean;
  readonly expiresAtMs: number;
}

/** A question about one order. */
export interface WaitingApproval {
  readonly id: string;
  readonly connection: string;
  readonly name: string;
  readonly action: "pay" | "call";
  /** Full address of the recipient, or `contract.method`. */
  readonly subject: string;
  /** Name, with `@`, that stood for the recipient when the connection was granted; else null. */
  readonly recipientName: string | null;
  /** Without fee and gas. */
  readonly amountUt: AmountUt;
  /** With fee and most gas: what limits are held to. */
  readonly totalUt: AmountUt;
  readonly publicText: string | null;
  readonly eachUt: AmountUt;
  readonly periodUt: AmountUt;
  readonly period: string;
  readonly leftUt: AmountUt;
  readonly expiresAtMs: number;
}

/** A connection as the person sees it. */
export interface ConnectionEntry extends ConnectionView {
  /** When it was last used since the keyring started, else when it last ordered something; null when never. */
  readonly lastUsedMs: number | null;
  /** Silenced after refusals until then, unix ms. */
  readonly silencedUntilMs: number | null;
}

/** A connection that has ended, by its name. */
export interface EndedConnection {
  readonly id: string;
  readonly name: string;
  readonly endedAtMs: number;
  /** It ended because a token was used that had been replaced: two places had it. */
  readonly wasCopied: boolean;
}

/** A program whose order waits until the wallet is unlocked. */
export interface WaitingForWallet {
  /** Id of its connection. */
  readonly connection: string;
  readonly name: string;
  readonly expiresAtMs: number;
}

/** Everything that the window shows. */
export interface AppsOverview {
  readonly lock: KeyringLock;
  readonly request: WaitingRequest | null;
  /** Oldest first: one is shown at a time. */
  readonly approvals: readonly WaitingApproval[];
  /** Programs whose orders wait for the wallet, each once. */
  readonly waiting: readonly WaitingForWallet[];
  readonly connections: readonly ConnectionEntry[];
  /** The last ones that ended, latest first. */
  readonly ended: readonly EndedConnection[];
}

/** What the person grants. */
export interface GrantInput {
  readonly id: string;
  /** Six digits, as the program shows them. */
  readonly code: string;
  /** The same scopes or narrower ones, as texts. */
  readonly grant: readonly string[];
  /** Hex keys of contacts and ids of groups. */
  readonly chosen: readonly string[];
  readonly days: number;
  /** Needed for money, messages, and more than 30 days. */
  readonly password?: string;
}

/** Calls of the approval window. */
export interface ApprovalApi {
  overview(): Promise<AppsOverview>;
  /** @throws CodedError APP_CODE_WRONG, CONFIRMATION_REQUIRED, VAULT_WRONG_PASSWORD, VAULT_GUESS_DELAY, BAD_REQUEST, NOT_FOUND. */
  grant(input: GrantInput): Promise<ConnectionEntry>;
  refuseRequest(input: { readonly id: string }): Promise<void>;
  /** Once, and only this order. @throws CodedError NOT_FOUND, APP_TOO_LATE, APP_LOCKED. */
  approve(input: { readonly id: string }): Promise<void>;
  refuse(input: { readonly id: string }): Promise<void>;
  /** Holds before it returns. */
  end(input: { readonly connection: string }): Promise<void>;
  /** A connection that rests goes on, for the password. */
  confirm(input: { readonly connection: string; readonly password: string }): Promise<void>;
  /** Lines before a number, newest first; from the newest without one. */
  log(input: { readonly before?: number; readonly limit: number }): Promise<JournalPage>;
}

/** Calls of the shell itself while no window is open: it looks, ends and exports, and can neither grant nor approve. */
export interface WatchApi extends Pick<ApprovalApi, "overview" | "end" | "log"> {
  /** Programs were switched off: what waits is over, each order with its line in the journal. */
  dismiss(): Promise<void>;
}

/** What the keyring tells the window and the shell. */
export interface ApprovalEvent {
  readonly event: "changed";
}
