// The form of one endpoint. A table of these gives validation, types, the OpenAPI document and every list of operations of the node.
import type { Static, TInteger, TObject, TOptional, TSchema, TString } from "typebox";
import * as Type from "typebox";
import type { HttpMethod, Operation, PathParam } from "./routes.ts";

/**
 * `write` endpoints need the API token when one is set, `mailbox` ones where only the chain is open, `read` ones only on a fully private
 * node. `owner` ones take the secret of `endpoint.json` alone, from this machine, and no API token. `socket` ones take either from the
 * query too.
 */
export type Access = "read" | "write" | "mailbox" | "owner" | "socket";

/** What is written down of an endpoint; fields that are left out are empty. */
export interface EndpointDefinition {
  readonly tag: string;
  readonly summary: string;
  readonly access: Exclude<Access, "socket">;
  /** The response rests on the chain alone: a node gives it to nodes without a chain as well. Whatever is not named public is not. */
  readonly isPublic?: true;
  /** What a light node proves neither itself nor by others: some figures of the response, or that no item of it is missing. */
  readonly unverified?: "figures" | "completeness";
  /** Costs more than a moment, `always` or with `large` inputs: answered beside the thread that makes blocks. */
  readonly heavy?: "always" | "large";
  /** How long a response is remembered: until the next `block`, or until a block holds the `transaction` that its only parameter names. */
  readonly cache?: "block" | "transaction";
  readonly params?: TSchema;
  /** Holds what a URL's text is coerced to. */
  readonly query?: TSchema;
  readonly body?: TSchema;
  readonly response: TSchema;
  /** Statuses besides 200, all in the error shape. 400, 401, 403, 413, 415, 429, 500 and 503 apply everywhere. */
  readonly errors?: readonly number[];
  /** True when responses hold 64-bit integers beside null, which a serialiser made from the schema cannot write. */
  readonly hasBigIntegers?: true;
}

/** Schema of "no parameters". */
export const NoFields = Type.Object({}, { additionalProperties: false });
/** Schema of "no body". */
const EmptyBody = Type.Undefined();

const EMPTY = { params: NoFields, query: NoFields, body: EmptyBody, errors: [] } as const;
const PUBLIC_READ = { access: "read", isPublic: true } as const;

/** A definition with its empty fields filled in. */
export type Defined<D> = Omit<typeof EMPTY, keyof D> & D;

/** An endpoint of the given definition, whose literal types are kept. */
export function endpoint<const D extends EndpointDefinition>(definition: D): Defined<D> {
  return { ...EMPTY, ...definition };
}

/** An endpoint that reads what is public on the chain. */
export function publicRead<const D extends Omit<EndpointDefinition, keyof typeof PUBLIC_READ>>(
  definition: D & { readonly [K in keyof typeof PUBLIC_READ]?: never },
): Defined<D & typeof PUBLIC_READ> {
  return { ...EMPTY, ...definition, ...PUBLIC_READ };
}

/** An endpoint without its route. */
export type EndpointFields = EndpointDefinition & Required<Pick<EndpointDefinition, keyof typeof EMPTY>>;

export type AnyEndpoint = EndpointFields & { readonly method: HttpMethod; readonly path: string };

/** Endpoints of some operations. It refuses operations that have no route, and ones without the parameters of their path. */
export type EndpointGroup = {
  readonly [K in Operation]?: EndpointFields & { readonly params: TObject<{ [P in PathParam<K>]: TSchema }> };
};

/** Input of a call: parameters and query in one object, the body under `body`. */
export type InputOf<E extends EndpointFields> = Static<E["params"]> &
  Static<E["query"]> &
  (undefined extends Static<E["body"]> ? unknown : { readonly body: Static<E["body"]> });

/** Response of a call. */
export type OutputOf<E extends EndpointFields> = Static<E["response"]>;

/** Keyword of a query parameter: the node cuts a larger value to this one instead of refusing it. */
export const CLAMP_KEYWORD = "x-clamp";

/** Query parameters of a list that continues after an id. */
export function listQuery(defaultLimit: number, max: number): TObject<{ limit: TOptional<TInteger>; after: TOptional<TString> }> {
  const after = Type.Optional(Type.String({ maxLength: 128, description: "Id of the last item of the page before" }));
  return Type.Object({ limit: limitQuery(defaultLimit, max), after });
}

/** Items of a list that is asked for without parameters, at most. */
export const WHOLE_LIST = 10_000;

/** Query parameters of a list that comes whole when it is asked for without any. */
export function wholeListQuery(pageLimit: number, max: number): TObject<{ limit: TOptional<TInteger>; after: TOptional<TString> }> {
  const limit = Type.Integer({
    minimum: 1,
    [CLAMP_KEYWORD]: max,
    description:
      `How many at most (more than ${max} is cut to it). Without limit and after the whole list, up to ${WHOLE_LIST} items ` +
      `or 2 MiB; with after alone ${pageLimit}`,
  });
  return Type.Object({ ...listQuery(pageLimit, max).properties, limit: Type.Optional(limit) });
}

/** Items of such a list that a request wants at most. */
export function listLimit(
  { limit, after }: { readonly limit?: number | undefined; readonly after?: string | undefined },
  pageLimit: number,
): number {
  return limit ?? (after === undefined ? WHOLE_LIST : pageLimit);
}

/** Query parameter `limit`: at least 1, clamped to `max` by the node. */
export function limitQuery(defaultLimit: number, max: number): TOptional<TInteger> {
  return Type.Optional(
    Type.Integer({
      minimum: 1,
      default: defaultLimit,
      [CLAMP_KEYWORD]: max,
      description: `How many at most: default ${defaultLimit}, at most ${max} (more is cut to it)`,
    }),
  );
}
