// What went wrong, in the person's language.
import { type CodedError, isCodedError } from "#shared/errors/coded-error.ts";
import type { ApprovalWords } from "./approval-words.ts";
import { Unusable } from "./scope-fields.ts";

/** Words for a failure of a decision. */
export function problemText(error: unknown, { problems }: ApprovalWords): string {
  if (error instanceof Unusable) return error.message;
  return isCodedError(error) ? codedText(error, problems) : problems.other;
}

function codedText({ code, details }: CodedError, problems: ApprovalWords["problems"]): string {
  switch (code) {
    case "APP_CODE_WRONG":
      return problems.code;
    case "CONFIRMATION_REQUIRED":
      return problems.passwordMissing;
    case "VAULT_WRONG_PASSWORD":
      return problems.passwordWrong;
    case "VAULT_GUESS_DELAY":
      return problems.passwordWait(typeof details.waitMs === "number" ? Math.ceil(details.waitMs / 1_000) : 1);
    case "APP_LOCKED":
    case "KEYRING_LOCKED":
      return problems.walletLocked;
    case "UNAVAILABLE":
      return problems.away;
    default:
      return problems.other;
  }
}
