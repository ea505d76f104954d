// parley address-book: names for accounts, which every command takes where it takes an account.
import type { Command } from "commander";
import { CodedError } from "#shared/errors/coded-error.ts";
import { formatAddress } from "#shared/protocol/primitives/address.ts";
import { accountOf, resolveAccount } from "../../session/accounts/account-names.ts";
import { type ClientOptions, connect, report, withClientOptions } from "../../session/client-session.ts";
import { withExamples } from "../../session/examples.ts";
import type { AddressBook, NamedAccount } from "../../session/names/address-book.ts";
import { accountValue } from "../../session/option-values.ts";
import { type Column, tableLines } from "../../session/printing/table.ts";
import type { CommandContext } from "../../session/terminal.ts";

interface AddOptions extends ClientOptions {
  readonly replace?: boolean;
}

interface JsonOptions {
  readonly json?: boolean;
}

const JSON_OPTION = ["--json", "print the result as JSON"] as const;

const COLUMNS: readonly Column<NamedAccount>[] = [
  { head: "NAME", cell: ({ name }) => name },
  { head: "ADDRESS", cell: ({ publicKey }) => formatAddress(publicKey) },
];

export function addAddressBookCommands(program: Command, context: CommandContext): void {
  const parent = program.command("address-book").description("name accounts: every command takes a name in place of an address");
  addAdd(parent, context);
  addList(parent, context);
  addRemove(parent, context);
}

function addAdd(parent: Command, context: CommandContext): void {
  const command = parent
    .command("add")
    .description("name an account; the names are on this machine only. Only a username needs a node")
    .argument("<name>", "letters, digits and . _ -; upper and lower case are the same")
    .argument("<account>", "address, hex public key, @username or another name", accountValue)
    .option("--replace", "also where the name is that of another account");
  withExamples(withClientOptions(command), "address-book add bob pl1…", "address-book add shop @shop --replace").action(
    async (...[name, account, options]: readonly [string, string, AddOptions]) => {
      const book = bookOf(context);
      const scope = account.startsWith("@") ? { client: await connect(context, options), context } : undefined;
      const publicKey = scope === undefined ? accountOf(context, account) : await resolveAccount(scope, account);
      await book.set(name, publicKey, { replaces: options.replace === true });
      const address = formatAddress(publicKey);
      report(context, options, { name, address, pub_key: publicKey }, [`${name} is ${address}`]);
    },
  );
}

function addList(parent: Command, context: CommandContext): void {
  const command = parent
    .command("list")
    .description("print the names")
    .option(...JSON_OPTION);
  withExamples(command, "address-book list").action((options: JsonOptions) => {
    const accounts = bookOf(context).list();
    const named = accounts.map(({ name, publicKey }) => ({ name, address: formatAddress(publicKey), pub_key: publicKey }));
    report(
      context,
      options,
      { count: named.length, accounts: named },
      accounts.length === 0 ? ["No names."] : tableLines(accounts, COLUMNS),
    );
  });
}

function addRemove(parent: Command, context: CommandContext): void {
  const command = parent
    .command("remove")
    .description("take a name away")
    .argument("<name>", "the name")
    .option(...JSON_OPTION);
  withExamples(command, "address-book remove bob").action(async (name: string, options: JsonOptions) => {
    if (!(await bookOf(context).remove(name)))
      throw new CodedError("NOT_FOUND", `Your address book has no ${name}: see "parley address-book list"`);
    report(context, options, { name, status: "removed" }, [`${name} removed`]);
  });
}

function bookOf({ addressBook }: CommandContext): AddressBook {
  if (addressBook === undefined) throw new CodedError("CONFIG_INVALID", "There is no place for an address book here");
  return addressBook;
}
