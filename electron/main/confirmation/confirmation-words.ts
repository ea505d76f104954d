// What the confirmation window says, in plain words and with the exact values. It belongs to the shell: nothing of the page is read for it.
import { localAmount } from "#shared/text/local-amount.ts";
import type { ConfirmationContent, Decision, RowLabel, WindowLanguage, WindowWords } from "./confirmation-types.ts";
import { GERMAN } from "./words-de.ts";
import { ENGLISH } from "./words-en.ts";

const WORDS: Readonly<Record<WindowLanguage, WindowWords>> = { en: ENGLISH, de: GERMAN };
const MINUTE_MS = 60_000;

/** The window's content for a decision. */
export function confirmationContent(decision: Decision, language: WindowLanguage): ConfirmationContent {
  const words = WORDS[language];
  const rows = rowsOf(decision, words).map(([label, value]) => ({ label: words.labels[label], value }));
  return { language, ...words.decisions[decision.kind], rows, cancel: words.cancel };
}

function rowsOf(decision: Decision, words: WindowWords): readonly (readonly [RowLabel, string])[] {
  switch (decision.kind) {
    case "linkDevice":
      return [["deviceName", decision.deviceName], ["deviceKey", decision.devicePub], ...signedRows(decision, words)];
    case "addValidator":
    case "removeValidator":
      return [["validator", decision.validator], ...signedRows(decision, words)];
    case "certifyDevice":
      return [
        ["deviceKey", decision.devicePub],
        ["network", decision.chainId],
      ];
    case "autoLock": {
      const { before, after } = decision;
      return [
        ["walletLock", words.change(duration(before.walletIdleMs, words), duration(after.walletIdleMs, words))],
        ["fullLock", words.change(duration(before.fullIdleMs, words), duration(after.fullIdleMs, words))],
      ];
    }
    case "nodeMode": {
      const { before, after } = decision;
      return [
        ["mode", words.change(words.modes[before.nodeMode], words.modes[after.nodeMode])],
        ...(before.nodeCheckpoint === after.nodeCheckpoint ? [] : [["checkpoint", after.nodeCheckpoint ?? words.none] as const]),
      ];
    }
    case "nodeApplies":
      return [["bond", localAmount(decision.bondUt, words.language)], ...signedRows(decision, words)];
    case "nodeLeaves":
    case "nodeUnbindsWallet":
      return signedRows(decision, words);
    case "nodeApproves":
    case "nodeApprovesRemoval":
      return [["validator", decision.validator], ...signedRows(decision, words)];
    case "nodeBindsWallet":
      return [["wallet", decision.wallet], ...signedRows(decision, words)];
    case "nodePaysWallet":
      return [["amount", localAmount(decision.amountUt, words.language)], ["wallet", decision.wallet], ...signedRows(decision, words)];
    case "nodeWork":
      return workRows(decision, words);
    case "takeNode":
      return [["dataFolder", decision.dataFolder]];
    case "revealPhrase":
    case "updatesOff":
      return [];
  }
}

/** Only what changes. */
function workRows({ before, after }: Extract<Decision, { readonly kind: "nodeWork" }>, words: WindowWords): ReturnType<typeof rowsOf> {
  const fee = (feeUt: number | null): string => (feeUt === null ? words.none : localAmount(feeUt, words.language));
  const pulse = (minutes: number | null): string => (minutes === null ? words.unset : words.every(minutes));
  const kept = (retain: string | null): string =>
    retain === null ? words.unset : words.keeps(retain === "all" ? undefined : Number.parseInt(retain, 10));
  const flag = (isOn: boolean): string => (isOn ? words.yes : words.no);
  const rows = [
    ["relayFee", fee(before.relayFeeUt), fee(after.relayFeeUt)],
    ["heartbeat", pulse(before.heartbeatMinutes), pulse(after.heartbeatMinutes)],
    ["retain", kept(before.nodeRetain), kept(after.nodeRetain)],
    ["privateMode", flag(before.apiPrivate), flag(after.apiPrivate)],
    ["updateSource", before.updateSource ?? words.none, after.updateSource ?? words.none],
  ] as const;
  return rows.filter(([, from, to]) => from !== to).map(([label, from, to]) => [label, words.change(from, to)]);
}

function signedRows(
  decision: {
    readonly account: string;
    readonly chainId: string;
    readonly feeUt: number;
  },
  words: WindowWords,
): readonly (readonly [RowLabel, string])[] {
  return [
    ["account", decision.account],
    ["network", decision.chainId],
    ["fee", localAmount(decision.feeUt, words.language)],
  ];
}

function duration(ms: number | null, { never, minutes }: WindowWords): string {
  return ms === null ? never : minutes(Math.round(ms / MINUTE_MS));
}
