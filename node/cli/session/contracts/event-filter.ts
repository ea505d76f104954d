// Which events of a contract a person means: values as they are written on the command line, in the types of the ABI.
import { CodedError } from "#shared/errors/coded-error.ts";
import type { ContractAbi, EventAbi, EventFieldAbi } from "#shared/protocol/transactions/contracts.ts";
import { isContractId } from "#shared/protocol/transactions/contracts.ts";
import { type AccountScope, resolveAccount } from "../accounts/account-names.ts";

/** Part of a request for the log of a contract. */
export interface EventQuery {
  readonly event?: string;
  /** JSON of indexed fields and their texts. */
  readonly where?: string;
}

/** What events are asked for with. */
export interface EventOptions {
  readonly event?: string;
  /** `field=value` each. */
  readonly where?: readonly string[];
}

/** The query of the options. @throws CodedError CONFIG_INVALID that names what the contract has; NOT_FOUND for an unknown name. */
export async function eventQuery(scope: AccountScope, abi: ContractAbi, { event, where = [] }: EventOptions): Promise<EventQuery> {
  if (event === undefined && where.length === 0) return {};
  if (event === undefined) throw new CodedError("CONFIG_INVALID", "--where needs the name of an event: --event");
  const declared = eventOf(abi, event);
  if (where.length === 0) return { event };
  const fields = new Map<string, string>();
  for (const text of where) {
    const field = fieldOf(declared, text);
    if (fields.has(field.name)) throw new CodedError("CONFIG_INVALID", `--where ${field.name} is there twice`);
    fields.set(field.name, await indexedText(scope, field, text.slice(field.name.length + 1)));
  }
  return { event, where: JSON.stringify(Object.fromEntries(fields)) };
}

function eventOf({ contract, events = [] }: ContractAbi, name: string): EventAbi {
  const event = events.find((candidate) => candidate.name === name);
  if (event !== undefined) return event;
  const names = events.length === 0 ? "its ABI names none" : `it has ${events.map((known) => known.name).join(", ")}`;
  throw new CodedError("CONFIG_INVALID", `${contract} has no event ${name}: ${names}`);
}

function fieldOf({ name, fields }: EventAbi, text: string): EventFieldAbi {
  const indexed = fields.filter((field) => field.indexed === true);
  const field = indexed.find((candidate) => text.startsWith(`${candidate.name}=`));
  if (field !== undefined) return field;
  const names = indexed.length === 0 ? "none is indexed" : `indexed are ${indexed.map((known) => known.name).join(", ")}`;
  throw new CodedError("CONFIG_INVALID", `--where takes field=value with an indexed field of ${name}, and not "${text}": ${names}`);
}

/** The text that the index has for a value. */
async function indexedText(scope: AccountScope, { name, type }: EventFieldAbi, text: string): Promise<string> {
  if (type === "address") return isContractId(text) ? text.toLowerCase() : await resolveAccount(scope, text);
  if (type === "bytes") return text.toLowerCase();
  if (type === "bool" && text !== "true" && text !== "false") throw new CodedError("CONFIG_INVALID", `${name} is true or false`);
  if (!/^[ui]\d+$/.test(type)) return text;
  if (!/^-?\d{1,78}$/.test(text)) throw new CodedError("CONFIG_INVALID", `${name} is a whole number, and "${text}" is none`);
  return BigInt(text).toString();
}
