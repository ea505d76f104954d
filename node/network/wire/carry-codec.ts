// Bytes of what carriers of mail are asked. Those of a stranger are read with `tryDecode`, within these bounds.
import type { Codec } from "#shared/codec/codec.ts";
import { fields, list, nullable, record } from "#shared/codec/composites.ts";
import { bytesUpTo, hex, integer, word } from "#shared/codec/scalars.ts";
import { unionRecord } from "#shared/codec/unions.ts";
import {
  CARRY_REFUSALS,
  type CarriedNews,
  type CarriedRequest,
  type CarryRequest,
  type CarryResponse,
} from "#shared/protocol/mail/carry-messages.ts";
import { NETWORK_LIMITS } from "../network-limits.ts";
import { mailRequestCodec } from "./mail-codec.ts";
import { WIRE_VERSION } from "./wire-codec.ts";

const { sealedBytes, newsBytes, goneTokens } = NETWORK_LIMITS.carryItems;
const key = hex(32);
const token = hex(16);

/** [1, number of the request, …]; the fields are those of {@link CarryRequest}, in this order. */
export const carryRequestCodec: Codec<CarryRequest> = unionRecord(
  "type",
  "numbers",
  {
    pass: fields({ keeper: key, token: nullable(token), sealed: bytesUpTo(sealedBytes) }),
    open: fields({ sealed: bytesUpTo(sealedBytes) }),
    news: fields({ token, sealed: bytesUpTo(newsBytes) }),
    gone: fields({ tokens: list(token, goneTokens, 1) }),
  },
  WIRE_VERSION,
);

/** [1, number of the response, …]; the fields are those of {@link CarryResponse}, in this order. */
export const carryResponseCodec: Codec<CarryResponse> = unionRecord(
  "type",
  "numbers",
  {
    sealed: fields({ sealed: bytesUpTo(sealedBytes) }),
    refused: fields({ why: word(CARRY_REFUSALS, "a refusal") }),
    done: fields({}),
  },
  WIRE_VERSION,
);

/** [epoch, token or null, request] */
export const carriedRequestCodec: Codec<CarriedRequest> = record({ epoch: integer(), token: nullable(token), request: mailRequestCodec });
/** [number, request] */
export const carriedNewsCodec: Codec<CarriedNews> = record({ number: integer(), request: mailRequestCodec });
