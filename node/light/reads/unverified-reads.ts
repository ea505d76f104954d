// What a peer's public interface answers, held to the shape that the endpoint table gives it. Nothing of it is proven.
import { Value } from "typebox/value";
import { api, type Input, type Output, type PublicReadOperation } from "#shared/api/api.ts";
import { CodedError, isCodedError } from "#shared/errors/coded-error.ts";
import type { LightSource } from "../light-source.ts";

/** A peer's response; undefined when it knows nothing by that name. @throws CodedError UPSTREAM_FAILED for a response of another shape. */
export async function readUnverified<K extends PublicReadOperation>(
  source: LightSource,
  operation: K,
  input: Input<K>,
): Promise<Output<K> | undefined> {
  let response: unknown;
  try {
    response = await source.readUnverified(operation, input);
  } catch (error) {
    if (isCodedError(error, "NOT_FOUND")) return undefined;
    throw error;
  }
  if (Value.Check(api[operation].response, response)) return response as Output<K>;
  throw new CodedError("UPSTREAM_FAILED", "Another node sent a response of the wrong shape");
}

/** As {@link readUnverified}, where every node has a response. @throws CodedError UPSTREAM_FAILED without one. */
export async function requireUnverified<K extends PublicReadOperation>(
  source: LightSource,
  operation: K,
  input: Input<K>,
): Promise<Output<K>> {
  const response = await readUnverified(source, operation, input);
  if (response === undefined) throw new CodedError("UPSTREAM_FAILED", "Another node does not answer what every node knows");
  return response;
}
