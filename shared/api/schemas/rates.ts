// Schemas of what one T is worth in another currency.
import type { Static } from "typebox";
import * as Type from "typebox";

/** Largest rate that is believed. */
export const MAX_RATE = 1e12;

/** Longest address of a source, characters. */
const MAX_RATE_URL_CHARS = 512;
/** Longest path in its answer, characters. */
const MAX_RATE_PATH_CHARS = 128;

export const RateRequest = Type.Object(
  {
    url: Type.String({
      minLength: 1,
      maxLength: MAX_RATE_URL_CHARS,
      description: "Address that answers in JSON: https to a public address, or http or https to this machine; not redirected",
    }),
    path: Type.String({
      minLength: 1,
      maxLength: MAX_RATE_PATH_CHARS,
      description: "Names and positions with dots between them that lead to the number in the answer, for example rates.EUR or 0.price",
    }),
  },
  { title: "RateRequest", additionalProperties: false },
);

export const Rate = Type.Object(
  {
    rate: Type.Number({ minimum: 0, maximum: MAX_RATE, description: "What one T is worth" }),
    at: Type.String({ description: "When the source was asked, RFC 3339" }),
  },
  { title: "Rate" },
);

export type Rate = Static<typeof Rate>;
