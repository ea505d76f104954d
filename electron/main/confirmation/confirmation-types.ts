// What the confirmation window may be asked to show, and the words that it needs.
import type { DesktopSettings } from "#shared/desktop/desktop-settings.ts";
import type { KeyringDecision } from "#shared/keyring/confirmation/decision.ts";

/** Languages of the window. */
export type WindowLanguage = "en" | "de";

/** What every transaction of the node's account has in common. */
interface NodeSigned {
  /** Address of the node's own account. */
  readonly account: string;
  readonly chainId: string;
  readonly feeUt: number;
}

/** What the node is asked to sign with its own key. */
export type NodeDutyDecision = NodeSigned &
  (
    | { readonly kind: "nodeApplies"; readonly bondUt: number }
    | { readonly kind: "nodeLeaves" | "nodeUnbindsWallet" }
    | { readonly kind: "nodeApproves" | "nodeApprovesRemoval"; readonly validator: string }
    | { readonly kind: "nodeBindsWallet"; readonly wallet: string }
    | { readonly kind: "nodePaysWallet"; readonly wallet: string; readonly amountUt: number }
  );

/** What the node does by itself, what it keeps, and who may read it. */
export type NodeWork = Pick<DesktopSettings, "relayFeeUt" | "heartbeatMinutes" | "nodeRetain" | "apiPrivate" | "updateSource">;

/** Decisions of the shell itself. */
export type ShellDecision =
  | NodeDutyDecision
  | { readonly kind: "nodeWork"; readonly before: NodeWork; readonly after: NodeWork }
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
  | "bond"
  | "wallet"
  | "amount"
  | "relayFee"
  | "heartbeat"
  | "retain"
  | "privateMode"
  | "updateSource"
  | "walletLock"
  | "fullLock"
  | "mode"
  | "checkpoint"
  | "dataFolder";

/** The words of one language. */
export interface WindowWords {
  readonly language: WindowLanguage;
  readonly cancel: string;
  readonly never: string;
  readonly none: string;
  /** A duration in minutes. */
  readonly minutes: (count: number) => string;
  /** How long old blocks stay; undefined is for good. */
  readonly keeps: (days: number | undefined) => string;
  /** An interval in minutes; 0 is never. */
  readonly every: (count: number) => string;
  readonly yes: string;
  readonly no: string;
  /** A choice that is left to the node. */
  readonly unset: string;
  /** From one value to another. */
  readonly change: (before: string, after: string) => string;
  readonly labels: Readonly<Record<RowLabel, string>>;
  readonly modes: Readonly<Record<DesktopSettings["nodeMode"], string>>;
  readonly decisions: Readonly<Record<Decision["kind"], { readonly title: string; readonly text: string; readonly agree: string }>>;
}
