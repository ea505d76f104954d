// parley contacts: the contact requests of an account, received or sent, and what became of them.
import { type Command, Option } from "commander";
import type { Output } from "#shared/api/api.ts";
import type { NodeClient } from "#shared/api/client.ts";
import type { PublicKeyHex } from "#shared/protocol/primitives/address.ts";
import { formatAmount } from "#shared/protocol/primitives/amount.ts";
import { type AccountOptions, connectFor, shownAccount, withAccountOptions } from "../../session/accounts/account-names.ts";
import { report } from "../../session/client-session.ts";
import { withExamples } from "../../session/examples.ts";
import { type Column, tableLines } from "../../session/printing/table.ts";
import { timeOfSeconds } from "../../session/printing/times.ts";
import type { CommandContext } from "../../session/terminal.ts";

type Received = Output<"listContacts">["contacts"][number];
type Sent = Output<"listSentContacts">["contacts"][number];
type Request = Received | Sent;

const STATES = ["pending", "accepted", "blocked"] as const;

interface ContactsOptions extends AccountOptions {
  readonly sent?: boolean;
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
    .addOption(new Option("--status <status>", "only those of this status").choices(STATES));
  withExamples(
    withAccountOptions(command),
    "contacts --key bob.json --status pending",
    "contacts --key alice.json --sent",
    "contacts @bob --json",
  ).action(async (account: string | undefined, options: ContactsOptions) => {
    const { client, publicKey } = await connectFor(context, account, options);
    const all = options.sent === true ? await listSent(client, publicKey) : await listReceived(client, publicKey);
    const contacts = all.filter(({ status }) => options.status === undefined || status === options.status);
    const lines = contacts.length === 0 ? ["No contact requests."] : tableLines(contacts, columnsFor(context));
    report(context, options, { pub: publicKey, count: contacts.length, contacts }, lines);
  });
}

async function listReceived(client: NodeClient, pub: PublicKeyHex): Promise<readonly Request[]> {
  const found: Received[] = [];
  for (let after: string | undefined; ; ) {
    const page = await client.listContacts({ pub, ...(after === undefined ? {} : { after }) });
    found.push(...page.contacts);
    after = page.next_after;
    if (after === undefined) return found;
  }
}

async function listSent(client: NodeClient, pub: PublicKeyHex): Promise<readonly Request[]> {
  const found: Sent[] = [];
  for (let after: string | undefined; ; ) {
    const page = await client.listSentContacts({ pub, ...(after === undefined ? {} : { after }) });
    found.push(...page.contacts);
    after = page.next_after;
    if (after === undefined) return found;
  }
}
