// What the confirmation window may be asked to show, and the words that it needs.
import type { DesktopSettings } from "#shared/desktop/desktop-settings.ts";
import type { KeyringDecision } from "#shared/keyring/confirmation/decision.ts";

/** Languages of the window. */
export type WindowLanguage = "en" | "de";

/** Decisions of the shell itself. */
export type ShellDecision =
  | { readonly kind: "nodeMode"; readonly before: NodeChoice; readonly after: NodeChoice }
  | { readonly kind: "takeNode"; readonly dataFolder: string }
  | { readonly kind: "updatesOff" };

/** How the node takes part, and where a light one begins to trust. */
export type NodeChoice = Pick<DesktopSettings, "nodeMode" | "nodeCheckpoint">;

/** Everything that the window may be asked to show. */
export type Decision = KeyringDecision | ShellDecision;

/** What the window shows. */
export interface ConfirmationContent {
  readonly language: WindowLanguage;
  readonly title: string;
  readonly text: string;
  readonly rows: readonly { readonly label: string; readonly value: string }[];
  readonly agree: string;
  readonly cancel: string;
}

/** Names of the values that are shown. */
export type RowLabel =
  | "account"
  | "network"
  | "fee"
  | "deviceName"
  | "deviceKey"
  | "validator"
  | "walletLock"
  | "fullLock"
  | "mode"
  | "checkpoint"
  | "dataFolder";

/** The words of one language. */
export interface WindowWords {
  readonly cancel: string;
  readonly never: string;
  readonly none: string;
  /** A duration in minutes. */
  readonly minutes: (count: number) => string;
  /** From one value to another. */
  readonly change: (before: string, after: string) => string;
  readonly labels: Readonly<Record<RowLabel, string>>;
  readonly modes: Readonly<Record<DesktopSettings["nodeMode"], string>>;
  readonly decisions: Readonly<Record<Decision["kind"], { readonly title: string; readonly text: string; readonly agree: string }>>;
}
