// The form of one endpoint. A table of these gives validation, types, the OpenAPI document and the client.
import type { Static, TInteger, TObject, TOptional, TSchema, TString } from "typebox";
import * as Type from "typebox";

/** Verbs in use. */
export type HttpMethod = "GET" | "POST" | "DELETE";

/** `write` endpoints need the API token when one is set; `read` ones only on a fully private node. */
export type Access = "read" | "write";

/** One endpoint: `path` has `:name` parameters, `query` schemas hold what a URL's text is coerced to. */
export interface Endpoint<P extends TSchema, Q extends TSchema, B extends TSchema, R extends TSchema> {
  readonly method: HttpMethod;
  readonly path: string;
  readonly tag: string;
  readonly summary: string;
  readonly access: Access;
  readonly params: P;
  readonly query: Q;
  readonly body: B;
  readonly response: R;
  /** Statuses besides 200 that the endpoint answers with, all in the error shape. 400, 401, 403, 413, 415, 429, 500 and 503 apply everywhere. */
  readonly errors: readonly number[];
  /** True when answers hold 64-bit integers beside null, which a serialiser made from the schema cannot write. */
  readonly hasBigIntegers?: boolean;
}

/** Schema of "no parameters". */
export const NoFields = Type.Object({}, { additionalProperties: false });
/** Schema of "no body". */
export const NoBody = Type.Undefined();

/** Keeps the literal types of a definition. */
export function endpoint<P extends TSchema, Q extends TSchema, B extends TSchema, R extends TSchema>(
  definition: Endpoint<P, Q, B, R>,
): Endpoint<P, Q, B, R> {
  return definition;
}

/** Any endpoint. */
export type AnyEndpoint = Endpoint<TSchema, TSchema, TSchema, TSchema>;

/** Input of a call: parameters and query in one object, the body under `body`. */
export type InputOf<E> =
  E extends Endpoint<infer P, infer Q, infer B, TSchema>
    ? Static<P> & Static<Q> & (undefined extends Static<B> ? unknown : { readonly body: Static<B> })
    : never;

/** Answer of a call. */
export type OutputOf<E> = E extends Endpoint<TSchema, TSchema, TSchema, infer R> ? Static<R> : never;

/** Keyword of a query parameter: the node cuts a larger value to this one instead of refusing it. */
export const CLAMP_KEYWORD = "x-clamp";

/** Query parameters of a list that goes on after an id. */
export function listQuery(defaultLimit: number, max: number): TObject<{ limit: TOptional<TInteger>; after: TOptional<TString> }> {
  const after = Type.Optional(Type.String({ maxLength: 128, description: "Id of the last item of the page before" }));
  return Type.Object({ limit: limitQuery(defaultLimit, max), after });
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
