// Schemas of what a node asks of the web for its owner: what one T is worth in another currency, and what a page says of itself.
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

/** Longest address of a page, characters. */
const MAX_PAGE_URL_CHARS = 2_048;
/** Longest title, characters; as long as a preview in a message takes. */
export const MAX_PAGE_TITLE_CHARS = 200;
/** Longest description, characters. */
export const MAX_PAGE_DESCRIPTION_CHARS = 300;

export const PageRequest = Type.Object(
  {
    url: Type.String({
      minLength: 1,
      maxLength: MAX_PAGE_URL_CHARS,
      description: "Address of a public page over https, by a name and on the usual port",
    }),
  },
  { title: "PageRequest", additionalProperties: false },
);

export const PageSummary = Type.Object(
  {
    title: Type.String({ description: `One line of at most ${MAX_PAGE_TITLE_CHARS} characters, as the page says it` }),
    description: Type.String({ description: `At most ${MAX_PAGE_DESCRIPTION_CHARS} characters; may be empty` }),
    picture_b64: Type.String({ description: "A picture of at most 1 MiB: PNG, JPEG, WebP or GIF; empty without one" }),
  },
  { title: "PageSummary" },
);

export type PageSummary = Static<typeof PageSummary>;
