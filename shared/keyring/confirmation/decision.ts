// What gives lasting power, as the keyring judged it: shown outside of the page, or confirmed by the password. A decision holds the exact
// values that are then signed or stored; the page cannot change them in between.
import type { X25519KeyHex } from "#shared/protocol/mail/envelope.ts";
import { formatAddress } from "#shared/protocol/primitives/address.ts";
import type { AmountUt } from "#shared/protocol/primitives/amount.ts";
import type { IntentSigner } from "../intents/intent-checks.ts";
import type { Intent, IntentSummary } from "../intents/intents.ts";
import type { AutoLockSettings } from "../keyring-api.ts";

/** What a transaction that needs to be confirmed has in common. */
interface SignedDecision {
  /** Address of the account that signs. */
  readonly account: string;
  readonly chainId: string;
  readonly feeUt: AmountUt;
}

/** Decisions of the keyring. */
export type KeyringDecision =
  | (SignedDecision & { readonly kind: "linkDevice"; readonly deviceName: string; readonly devicePub: X25519KeyHex })
  | (SignedDecision & { readonly kind: "addValidator" | "removeValidator"; readonly validator: string })
  | { readonly kind: "certifyDevice"; readonly chainId: string; readonly devicePub: X25519KeyHex }
  | { readonly kind: "autoLock"; readonly before: AutoLockSettings; readonly after: AutoLockSettings }
  | { readonly kind: "revealPhrase" };

/** The wallet may stay open this long without activity, and no one is asked: a page could do as much in that time anyway. */
export const FREE_WALLET_IDLE_MS = 900_000;

/**
 * The decision behind an intent, or undefined for one that gives no lasting power. Unlinking takes power away, and has to be quick when a
 * device is lost.
 */
export function decisionOfIntent(
  intent: Intent,
  { feeUt }: Pick<IntentSummary, "feeUt">,
  { signer, chainId }: { readonly signer: IntentSigner; readonly chainId: string },
): KeyringDecision | undefined {
  const signed = { account: formatAddress(signer.masterPub), chainId, feeUt };
  switch (intent.kind) {
    case "linkDevice": {
      const devicePub = intent.devicePub?.toLowerCase() ?? signer.devicePub;
      // This device has the identity's keys already.
      return devicePub === signer.devicePub ? undefined : { kind: "linkDevice", ...signed, deviceName: intent.deviceName, devicePub };
    }
    case "addValidator":
    case "removeValidator":
      return { kind: intent.kind, ...signed, validator: formatAddress(intent.validator.toLowerCase()) };
    default:
      return undefined;
  }
}

/** The decision behind new idle times, or undefined where they lock no later than before, or soon enough. */
export function decisionOfAutoLock(before: AutoLockSettings, after: AutoLockSettings): KeyringDecision | undefined {
  const isWalletLater = idle(after.walletIdleMs) > Math.max(idle(before.walletIdleMs), FREE_WALLET_IDLE_MS);
  const isFullLater = idle(after.fullIdleMs) > idle(before.fullIdleMs);
  return isWalletLater || isFullLater ? { kind: "autoLock", before, after } : undefined;
}

function idle(ms: number | null): number {
  return ms ?? Number.POSITIVE_INFINITY;
}
