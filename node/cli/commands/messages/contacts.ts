// parley contacts: the contact requests of an account, received or sent, and what became of them.
import { type Command, Option } from "commander";
import type { Output } from "#shared/api/api.ts";
import type { NodeClient } from "#shared/api/client.ts";
import type { PublicKeyHex } from "#shared/protocol/primitives/address.ts";
import { formatAmount } from "#shared/protocol/primitives/amount.ts";
import { type AccountOptions, connectFor, shownAccount, withAccountOptions } from "../../session/accounts/account-names.ts";
import { report } from "../../session/client-session.ts";
import { withExamples } from "../../session/examples.ts";
import { countValue } from "../../session/option-values.ts";
import { type ListPage, listUpTo, moreAfter } from "../../session/printing/list-up-to.ts";
import { type Column, tableLines } from "../../session/printing/table.ts";
import { timeOfSeconds } from "../../session/printing/times.ts";
import type { CommandContext } from "../../session/terminal.ts";

type Received = Output<"listContacts">["contacts"][number];
type Sent = Output<"listSentContacts">["contacts"][number];
type Request = Received | Sent;

const STATES = ["pending", "accepted", "blocked"] as const;

const PAGE = 5_000;
const DEFAULT_COUNT = 100;

interface ContactsOptions extends AccountOptions {
  readonly sent?: boolean;
  readonly limit: number;
  readonly after?: string;
  readonly status?: (typeof STATES)[number];
}

const columnsFor = (context: CommandContext): readonly Column<Request>[] => [
  { head: "ASKED", cell: ({ created_at }) => timeOfSeconds(created_at) },
  { head: "STATUS", cell: ({ status }) => status },
  { head: "PAID", cell: ({ fee_ut }) => formatAmount(fee_ut), isNumber: true },
  {
    head: "ACCOUNT",
    cell: (request) => shownAccount(context, "requester_addr" in request ? request.requester_pub : request.recipient_pub),
  },
  { head: "INTRODUCTION", cell: ({ intro }) => intro ?? "" },
];

export function addContactsCommand(program: Command, context: CommandContext): void {
  const command = program
    .command("contacts")
    .description("print who asked an account to become a contact, oldest first, or whom it asked")
    .option("--sent", "the requests that the account sent")
    .option("--limit <count>", "maximum number", countValue, DEFAULT_COUNT)
    .option("--after <cursor>", "only those after this place, as the page before names it")
    .addOption(new Option("--status <status>", "only those of this status").choices(STATES));
  withExamples(
    withAccountOptions(command),
    "contacts --key bob.json --status pending",
    "contacts --key alice.json --sent",
    "contacts @bob --json",
  ).action(async (account: string | undefined, options: ContactsOptions) => {
    const { client, publicKey } = await connectFor(context, account, options);
    const { sent = false, status: wanted } = options;
    const { found: contacts, next } = await listUpTo((query) => readPage(client, { pub: publicKey, ...query }, sent), {
      ...options,
      pageSize: PAGE,
      filter: wanted === undefined ? undefined : ({ status }): boolean => status === wanted,
    });
    const lines = contacts.length === 0 ? ["No contact requests."] : tableLines(contacts, columnsFor(context));
    const more = next === undefined ? {} : { next_after: next };
    report(context, options, { pub: publicKey, count: contacts.length, contacts, ...more }, lines);
    if (next !== undefined) context.terminal.err(moreAfter(next));
  });
}

/** A page of the requests that the account received, or sent. */
async function readPage(
  client: NodeClient,
  query: { readonly pub: PublicKeyHex; readonly limit: number; readonly after?: string },
  isSent: boolean,
): Promise<ListPage<Request>> {
  const page = isSent ? await client.listSentContacts(query) : await client.listContacts(query);
  return { items: page.contacts, next: page.next_after };
}
