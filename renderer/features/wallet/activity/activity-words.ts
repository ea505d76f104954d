// An entry of the activity in words: who and what, and where it is.
import type { Translate } from "#renderer/lib/messages/catalogue.ts";
import type { PendingState } from "#renderer/lib/transactions/pending-store.ts";
import { kindLabel } from "#renderer/lib/transactions/transaction-kind.ts";
import type { ActivityItem } from "./activity-item.ts";

/** One sentence, for example "Paid Anna"; of what failed only what it was meant to be. */
export function activitySentence(t: Translate, item: ActivityItem, person: string): string {
  const happened = item.state.kind === "inBlock" || item.state.kind === "submitted";
  return happened ? completed(t, item, person) : attempt(t, item, person);
}

function attempt(t: Translate, item: ActivityItem, person: string): string {
  const kind = kindLabel(t, item.kind);
  return item.peer === undefined ? kind : t("wallet.attempt", { kind, person });
}

function completed(t: Translate, item: ActivityItem, person: string): string {
  switch (item.kind) {
    case "registerKey":
      return t("wallet.did.registerKey");
    case "linkDevice":
      return t("wallet.did.linkDevice");
    case "unlinkDevice":
      return t("wallet.did.unlinkDevice");
    case "blockReward":
      return t("wallet.did.blockReward");
    case "callContract":
      return t("wallet.did.callContract");
    case "deployContract":
      return t("wallet.did.deployContract");
    default:
      return completedWithPerson(t, item, person);
  }
}

function completedWithPerson(t: Translate, item: ActivityItem, person: string): string {
  const isIn = item.direction === "in";
  switch (item.kind) {
    case "transfer":
      if (item.direction === "self") return t("wallet.did.selfTransfer");
      return t(isIn ? "wallet.did.received" : "wallet.did.paid", { person });
    case "contactRequest":
      return t(isIn ? "wallet.did.requestFrom" : "wallet.did.requestTo", { person });
    case "acceptContact":
      return t(isIn ? "wallet.did.acceptedBy" : "wallet.did.accepted", { person });
    case "blockContact":
      return t(isIn ? "wallet.did.blockedBy" : "wallet.did.blocked", { person });
    case "openChannel":
      return t(isIn ? "wallet.did.channelFrom" : "wallet.did.channelTo", { person });
    case "closeChannel":
      return t("wallet.did.channelClosed", { person });
    default:
      return otherCompleted(t, item, person);
  }
}

function otherCompleted(t: Translate, item: ActivityItem, person: string): string {
  if (item.kind !== "other") return kindLabel(t, item.kind);
  return item.peer === undefined ? t("wallet.did.other") : t("wallet.did.otherWith", { person });
}

/** Where a transaction is, in words. */
export function stateInWords(t: Translate, state: PendingState): string {
  switch (state.kind) {
    case "submitted":
      return t("transactions.state.submitted");
    case "inBlock":
      return t("transactions.state.inBlock", { height: state.blockIndex });
    case "failed":
      return t("transactions.state.failed", { height: state.blockIndex });
    case "expired":
      return t("transactions.state.expired");
  }
}
