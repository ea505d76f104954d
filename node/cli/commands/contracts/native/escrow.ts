// parley escrow: deals of the network's escrow contract. The buyer's µT wait with the contract until the deal is settled.
import { type Command, Option } from "commander";
import type { NodeClient } from "#shared/api/client.ts";
import { CodedError } from "#shared/errors/coded-error.ts";
import { formatAddress } from "#shared/protocol/primitives/address.ts";
import { type AmountUt, formatAmount } from "#shared/protocol/primitives/amount.ts";
import { fromBase64, fromUtf8, isHex } from "#shared/util/bytes.ts";
import { resolveAccount, wellKnownContract } from "../../../session/accounts/account-names.ts";
import { resolveRecipient, withLookAlikeOption } from "../../../session/accounts/recipients.ts";
import { type ClientOptions, connect, report, withClientOptions } from "../../../session/client-session.ts";
import { type NativeCall, planNativeCall } from "../../../session/contracts/contract-calls.ts";
import { withExamples } from "../../../session/examples.ts";
import { accountValue, amountValue, durationValue } from "../../../session/option-values.ts";
import { fieldLines } from "../../../session/printing/table.ts";
import { timeOfSeconds } from "../../../session/printing/times.ts";
import { type SubmitOptions, submitAndReport, withSubmitOptions } from "../../../session/submit.ts";
import type { CommandContext } from "../../../session/terminal.ts";

interface OpenOptions extends SubmitOptions {
  readonly seller: string;
  readonly arbiter?: string;
  readonly amount: AmountUt;
  /** Seconds. */
  readonly expires: number;
  readonly lookAlike?: boolean;
}

/** What a party does with a deal that is open. */
interface Step {
  readonly name: string;
  readonly description: string;
  readonly done: string;
}

const STEPS: readonly Step[] = [
  { name: "release", description: "as the buyer: pay the seller", done: "released to the seller" },
  { name: "refund", description: "as the seller: pay the buyer back", done: "refunded to the buyer" },
  { name: "dispute", description: "as buyer or seller: let the arbiter decide", done: "disputed" },
  { name: "timeout", description: "as anyone, once the deadline has passed: pay the buyer back", done: "refunded after its deadline" },
];

const STATES: Readonly<Record<string, string>> = { a: "open", d: "disputed", r: "released", f: "refunded" };
const DEAL = "id of the deal: 1 to 64 of A-Z a-z 0-9 . _ -";
const WEEK_S = 604_800;
/** The contract's own limit, less a day: it counts from the block's time and not from this machine's. */
const MAX_LIFE_S = 31_536_000 - 86_400;

export function addEscrowCommands(program: Command, context: CommandContext): void {
  const escrow = program.command("escrow").description("pay through a contract that holds the amount until the deal is settled");
  addOpen(escrow, context);
  for (const step of STEPS) addStep(escrow, context, step);
  addResolve(escrow, context);
  addStatus(escrow, context);
}

function addOpen(parent: Command, context: CommandContext): void {
  const command = parent
    .command("open")
    .description("as the buyer: lock an amount for a seller")
    .argument("<deal>", DEAL)
    .requiredOption("--seller <account>", "address, hex public key, @username or address-book name that is paid at the end", accountValue)
    .requiredOption("--amount <amount>", "amount: 2T, or whole µT", amountValue)
    .option(
      "--arbiter <account>",
      "address, hex public key, @username or address-book name that decides a dispute (default: none)",
      accountValue,
    )
    .option("--expires <time>", "time until you can take it back: 12h, 7d, at most 364d", durationValue(MAX_LIFE_S), WEEK_S);
  withExamples(
    withSubmitOptions(withLookAlikeOption(command)),
    "escrow open deal-1 --seller @bob --arbiter @carol --amount 2T --key alice.json --wait",
  ).action((deal: string, options: OpenOptions) =>
    submitAndReport(context, options, async ({ client, signer }) => {
      const { amount: amountUt, arbiter: judge, lookAlike } = options;
      const recipient = { to: options.seller, ...(lookAlike === undefined ? {} : { lookAlike }) };
      const seller = await resolveRecipient({ client, context }, recipient, signer);
      const arbiter = judge === undefined ? "" : await resolveAccount({ client, context }, judge);
      const deadline = Math.floor(context.clock.nowMs() / 1_000) + options.expires;
      return await planStep(client, {
        what: `Deal ${deal}: ${formatAmount(amountUt)} for ${formatAddress(seller)} until ${timeOfSeconds(deadline)}`,
        method: "open",
        argsJson: JSON.stringify([deal, seller, arbiter, deadline]),
        amountUt,
      });
    }),
  );
}

function addStep(parent: Command, context: CommandContext, { name, description, done }: Step): void {
  const command = parent.command(name).description(description).argument("<deal>", DEAL);
  withExamples(withSubmitOptions(command), `escrow ${name} deal-1 --key alice.json --wait`).action((deal: string, options: SubmitOptions) =>
    submitAndReport(context, options, ({ client }) =>
      planStep(client, { what: `Deal ${deal} ${done}`, method: name, argsJson: JSON.stringify([deal]) }),
    ),
  );
}

function addResolve(parent: Command, context: CommandContext): void {
  const command = parent
    .command("resolve")
    .description("as the arbiter: decide a disputed deal")
    .argument("<deal>", DEAL)
    .addOption(new Option("--to <party>", "who gets the amount").choices(["seller", "buyer"]).makeOptionMandatory());
  withExamples(withSubmitOptions(command), "escrow resolve deal-1 --to buyer --key carol.json --wait").action(
    (deal: string, options: SubmitOptions & { readonly to: "seller" | "buyer" }) =>
      submitAndReport(context, options, ({ client }) =>
        planStep(client, {
          what: `Deal ${deal} decided for the ${options.to}`,
          method: "resolve",
          argsJson: JSON.stringify([deal, options.to === "seller"]),
        }),
      ),
  );
}

function planStep(client: NodeClient, call: NativeCall): ReturnType<typeof planNativeCall> {
  return planNativeCall(client, "escrow", call);
}

function addStatus(parent: Command, context: CommandContext): void {
  const command = parent.command("status").description("print a deal: state, parties, amount and deadline").argument("<deal>", DEAL);
  withExamples(withClientOptions(command), "escrow status deal-1").action((deal: string, options: ClientOptions) =>
    showDeal(context, deal, options),
  );
}

async function showDeal(context: CommandContext, deal: string, options: ClientOptions): Promise<void> {
  const client = await connect(context, options);
  const contractID = await wellKnownContract(client, "escrow");
  const read = (field: string): ReturnType<NodeClient["getContractState"]> =>
    client.getContractState({ contractID, key: `e:${deal}:${field}` });
  const [state, buyer, seller, arbiter, amount, deadline] = await Promise.all(["x", "b", "s", "m", "v", "t"].map(read));
  if (state?.value_b64 == null) throw new CodedError("NOT_FOUND", `There is no deal ${deal}`);
  const found = {
    deal_id: deal,
    status: STATES[textOf(state.value_b64)] ?? "unknown",
    buyer: textOf(buyer?.value_b64),
    seller: textOf(seller?.value_b64),
    arbiter: textOf(arbiter?.value_b64),
    amount_ut: Number(amount?.value_u64 ?? 0),
    deadline: Number(deadline?.value_u64 ?? 0),
  };
  const lines = fieldLines([
    ["status", found.status],
    ["amount", formatAmount(found.amount_ut)],
    ["buyer", addressOrNone(found.buyer)],
    ["seller", addressOrNone(found.seller)],
    ["arbiter", addressOrNone(found.arbiter)],
    ["deadline", timeOfSeconds(found.deadline)],
  ]);
  report(context, options, found, lines);
}

function textOf(base64: string | null | undefined): string {
  return base64 == null ? "" : fromUtf8(fromBase64(base64));
}

function addressOrNone(key: string): string {
  return isHex(key, 32) ? formatAddress(key) : "none";
}
