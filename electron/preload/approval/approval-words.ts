// What the approval window says. Names, reasons and addresses are put into it as text.
import type { Period, ScopeName } from "#shared/apps/scopes/scopes.ts";
import type { ShellLanguage } from "#shared/text/local-amount.ts";

/** The words of one language. */
export interface ApprovalWords {
  readonly language: ShellLanguage;
  readonly refuse: string;
  readonly close: string;
  readonly askTitle: string;
  readonly askText: (name: string) => string;
  readonly reason: string;
  readonly code: string;
  readonly connect: string;
  readonly may: string;
  readonly scopes: Readonly<Record<ScopeName, string>>;
  readonly labels: string;
  readonly each: string;
  readonly total: (period: string) => string;
  readonly periods: Readonly<Record<Period, string>>;
  readonly askAlways: string;
  readonly askNever: string;
  readonly asksAlways: string;
  readonly recipients: string;
  readonly anyRecipient: string;
  readonly contract: string;
  readonly methods: string;
  readonly rate: string;
  readonly repliesOnly: string;
  readonly people: (most: number) => string;
  readonly noPeople: string;
  readonly days: string;
  readonly ownLimits: string;
  readonly password: string;
  readonly payTitle: (name: string) => string;
  readonly callTitle: (name: string) => string;
  readonly withCosts: string;
  readonly recipient: string;
  readonly call: string;
  readonly attached: string;
  readonly memo: string;
  readonly limit: (each: string, left: string, total: string, period: string) => string;
  readonly payOnce: string;
  readonly callOnce: string;
  readonly restTitle: (name: string) => string;
  readonly restText: string;
  readonly end: string;
  readonly goOn: string;
  readonly goneTitle: string;
  readonly goneText: string;
  readonly problems: {
    readonly code: string;
    readonly codeMissing: string;
    readonly passwordMissing: string;
    readonly passwordWrong: string;
    readonly passwordWait: (seconds: number) => string;
    readonly nothingChosen: string;
    readonly amount: string;
    readonly days: string;
    readonly rate: string;
    readonly people: string;
    readonly walletLocked: string;
    readonly away: string;
    readonly tooMany: string;
    readonly other: string;
  };
}
