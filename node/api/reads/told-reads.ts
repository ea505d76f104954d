// Reads that this node answers to nodes without a chain, by the handlers of its own interface: what everybody may know of the chain, and
// nothing about this node, its peers or its mailboxes.
import { Compile } from "typebox/compile";
import { type Api, api, type Operation } from "#shared/api/api.ts";
import type { AnyEndpoint } from "#shared/api/endpoint.ts";
import { hasBody } from "#shared/api/openapi.ts";
import { CodedError } from "#shared/errors/coded-error.ts";
import { writeExactJson } from "../exact-json.ts";
import type { Handlers, RequestContext } from "../handler-types.ts";
import { createUrlFieldReader } from "../http/url-fields.ts";
import { JsonText } from "../json-text.ts";

/** Operations that are told. */
export const TOLD_OPERATIONS = [
  "callView",
  "estimateCall",
  "getAccountFeed",
  "getAddress",
  "getBlock",
  "getBlockByHash",
  "getChainTransaction",
  "getChannel",
  "getChart",
  "getContract",
  "getContractState",
  "getIdentity",
  "getNetstats",
  "getNft",
  "getNodeStats",
  "getToken",
  "getTokenBalance",
  "getTransaction",
  "listBlocks",
  "listChannels",
  "listContacts",
  "listContractLogs",
  "listContracts",
  "listDevices",
  "listNfts",
  "listNftsOfOwner",
  "listRecentTransactions",
  "listRelays",
  "listSentContacts",
  "listTokens",
  "listValidatorProposals",
  "listValidators",
  "listWellKnownContracts",
  "proveAccount",
  "proveContractState",
  "proveIdentity",
  "proveTransaction",
  "search",
] as const satisfies readonly Operation[];

/** An operation of {@link TOLD_OPERATIONS}. */
export type ToldOperation = (typeof TOLD_OPERATIONS)[number];

type Fields = Readonly<Record<string, unknown>>;
type AnyHandler = (input: Fields, context: RequestContext) => unknown;
type ReadInput = (input: Fields) => Fields;

/** Answers such reads once there are handlers. */
export class ToldReads {
  readonly #readers = new Map<ToldOperation, ReadInput>();
  #handlers: Handlers | null = null;

  /** Reads are answered by these from now on. */
  attach(handlers: Handlers): void {
    this.#handlers = handlers;
  }

  /**
   * JSON of the answer to an operation with an input in JSON.
   * @throws CodedError of the handler, BAD_REQUEST for another operation or input, UNAVAILABLE while there are no handlers.
   */
  async tell(operation: string, input: string): Promise<string> {
    const name = TOLD_OPERATIONS.find((known) => known === operation);
    if (name === undefined) throw new CodedError("BAD_REQUEST", `${operation} is no read that this node answers to others`);
    if (this.#handlers === null) throw new CodedError("UNAVAILABLE", "The node is starting");
    const endpoint: AnyEndpoint = (api as Api)[name];
    const read = this.#readers.get(name) ?? createInputReader(name, endpoint);
    this.#readers.set(name, read);
    const handler = this.#handlers[name] as AnyHandler;
    const answer = await handler(read(fieldsOf(name, input)), contextOf(endpoint));
    if (answer instanceof JsonText) return answer.text;
    return endpoint.hasBigIntegers === true ? writeExactJson(answer) : JSON.stringify(answer);
  }
}

/** As a request over HTTP is read: too large limits are cut, everything else must fit the schema. */
function createInputReader(operation: ToldOperation, endpoint: AnyEndpoint): ReadInput {
  const parts = [endpoint.params, endpoint.query].map((schema) => ({
    names: Object.keys((schema as { readonly properties?: object }).properties ?? {}),
    read: createUrlFieldReader(schema),
    validator: Compile(schema),
  }));
  const body = hasBody(endpoint) ? Compile(endpoint.body) : undefined;
  return (input) => {
    const fields = parts.map(({ names, read, validator }) => {
      const own = names.filter((name) => Object.hasOwn(input, name)).map((name) => [name, asText(input[name])] as const);
      const value = read(Object.fromEntries(own));
      return validator.Check(value) ? (value as Fields) : refuse(operation);
    });
    if (body !== undefined && !body.Check(input.body)) refuse(operation);
    return { ...fields[0], ...fields[1], ...(body === undefined ? {} : { body: input.body }) };
  };
}

function asText(value: unknown): unknown {
  return typeof value === "number" ? String(value) : value;
}

function fieldsOf(operation: ToldOperation, json: string): Fields {
  try {
    const value: unknown = JSON.parse(json);
    if (typeof value === "object" && value !== null && !Array.isArray(value)) return value as Fields;
  } catch {
    // Told below, like any other input that is none.
  }
  return refuse(operation);
}

function refuse(operation: ToldOperation): never {
  throw new CodedError("BAD_REQUEST", `The input of ${operation} has another shape`);
}

/** A question of another node: no header, no address of this machine, nobody who hangs up. */
function contextOf({ method, path }: AnyEndpoint): RequestContext {
  return { method, path, isLocal: false, inboxProof: undefined, onHangUp: () => undefined };
}
