// A program wants to spend more than it may: the exact order, what its limits are, and the answer for this order alone.
import type { WaitingApproval } from "#shared/apps/messages/approval-api.ts";
import type { Period } from "#shared/apps/scopes/scopes.ts";
import type { AmountUt } from "#shared/protocol/primitives/amount.ts";
import { localAmount } from "#shared/text/local-amount.ts";
import { button, element, group } from "../window/elements.ts";
import type { ApprovalWords } from "./approval-words.ts";
import { pictureOf } from "./picture.ts";
import { rows, type Sheet } from "./sheet.ts";

/** What the sheet's buttons do. */
export interface OrderActions {
  readonly approve: () => void;
  readonly refuse: () => void;
}

export function orderSheet(order: WaitingApproval, words: ApprovalWords, actions: OrderActions): Sheet {
  const isPayment = order.action === "pay";
  const { recipientName } = order;
  const amount = (amountUt: AmountUt): string => localAmount(amountUt, words.language);
  const period = words.periods[order.period as Period] ?? order.period;
  return {
    title: isPayment ? words.payTitle(order.name) : words.callTitle(order.name),
    parts: [
      group("div", "program", pictureOf(order.name), element("p", amount(isPayment ? order.amountUt : order.totalUt), "amount")),
      rows(
        [isPayment ? words.recipient : words.call, ...(recipientName === null ? [] : [recipientName]), order.subject],
        ...(isPayment ? [] : [[words.attached, amount(order.amountUt)] as const]),
        [words.withCosts, amount(order.totalUt)],
        ...(order.publicText === null || order.publicText === "" ? [] : [[words.memo, order.publicText] as const]),
      ),
      element("p", words.limit(amount(order.eachUt), amount(order.leftUt), amount(order.periodUt), period)),
    ],
    buttons: [button(words.refuse, "", actions.refuse), button(isPayment ? words.payOnce : words.callOnce, "agree", actions.approve)],
  };
}
