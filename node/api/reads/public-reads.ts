// Reads that this node answers to nodes without a chain, by the handlers of its own interface: what every node may know of the chain, and
// nothing about this node, its peers or its mailboxes.
import { Compile } from "typebox/compile";
import { api, PUBLIC_READ_OPERATIONS, type PublicReadOperation } from "#shared/api/api.ts";
import type { AnyEndpoint } from "#shared/api/endpoint.ts";
import { hasBody } from "#shared/api/openapi.ts";
import { CodedError } from "#shared/errors/coded-error.ts";
import type { Handlers, RequestContext } from "../handler-types.ts";
import { createUrlFieldReader, fieldNames } from "../http/url-fields.ts";
import { jsonWriterOf } from "../json/exact-json.ts";
import { JsonText } from "../json/json-text.ts";

type Fields = Readonly<Record<string, unknown>>;
type AnyHandler = (input: Fields, context: RequestContext) => unknown;
type ReadInput = (input: Fields) => Fields;

/** Answers such reads once there are handlers. */
export class PublicReads {
  readonly #readers = new Map<PublicReadOperation, ReadInput>();
  #handlers: Handlers | null = null;

  /** Reads are answered by these from now on. */
  attach(handlers: Handlers): void {
    this.#handlers = handlers;
  }

  /**
   * JSON of the response to an operation with an input in JSON.
   * @throws CodedError of the handler, BAD_REQUEST for another operation or input, UNAVAILABLE while there are no handlers.
   */
  async read(operation: string, input: string): Promise<string> {
    const name = PUBLIC_READ_OPERATIONS.find((known) => known === operation);
    if (name === undefined) throw new CodedError("BAD_REQUEST", `${operation} is no read that this node answers to others`);
    if (this.#handlers === null) throw new CodedError("UNAVAILABLE", "The node is starting");
    const endpoint: AnyEndpoint = api[name];
    const read = this.#readers.get(name) ?? createInputReader(name, endpoint);
    this.#readers.set(name, read);
    const handler = this.#handlers[name] as AnyHandler;
    const response = await handler(read(fieldsOf(name, input)), OTHER_NODE);
    return response instanceof JsonText ? response.text : jsonWriterOf(endpoint)(response);
  }
}

/** As a request over HTTP is read: too large limits are cut, everything else must fit the schema. */
function createInputReader(operation: PublicReadOperation, endpoint: AnyEndpoint): ReadInput {
  const parts = [endpoint.params, endpoint.query].map((schema) => ({
    names: fieldNames(schema),
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

function fieldsOf(operation: PublicReadOperation, json: string): Fields {
  try {
    const value: unknown = JSON.parse(json);
    if (typeof value === "object" && value !== null && !Array.isArray(value)) return value as Fields;
  } catch {
    // Refused below, like any other input that is none.
  }
  return refuse(operation);
}

function refuse(operation: PublicReadOperation): never {
  throw new CodedError("BAD_REQUEST", `The input of ${operation} has another shape`);
}

/** A request of another node: no header, no address of this machine, no client that hangs up. */
export const OTHER_NODE: RequestContext = {
  address: "",
  isOwn: false,
  looksLocal: false,
  isExempt: false,
  spend: () => undefined,
  inboxProof: undefined,
  onHangUp: () => undefined,
};
