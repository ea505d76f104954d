// What is written around a body in either version, and a content of version 2 as the keyring seals it.
import type { KnownBody, OutgoingContent } from "#shared/content/content.ts";
import { encodePublicContent } from "#shared/content/public-content-codec.ts";
import type { SealRequest } from "#shared/keyring/keyring-api.ts";
import { MAX_CONTENT_HEADS } from "#shared/protocol/groups/group-bounds.ts";
import type { X25519KeyHex } from "#shared/protocol/mail/envelope.ts";
import { PUBLIC_FORM, PUBLIC_PAIR_FORM } from "#shared/protocol/pairs/pair-wire.ts";
import { type PublicCard, sealableCard } from "#shared/protocol/pairs/public-card.ts";
import type { PublicKeyHex } from "#shared/protocol/primitives/address.ts";
import { fromHex } from "#shared/util/bytes.ts";
import type { LeavingContent } from "../changes/pairs/leave-contents.ts";
import { pairPlaintext } from "../changes/pairs/pair-plaintext.ts";
import { groupConversation } from "../model/conversation-id.ts";
import type { EngineContext } from "../state/engine-context.ts";
import { grouped, type Part } from "./delivery-parts.ts";

/** A content of version 1 without what the key for a public card binds. */
export type UnboundContent = Parameters<typeof encodePublicContent>[0];

/** Valid public cards, by the names of their owners. */
export type PublicCardsOfOwners = ReadonlyMap<string, PublicCard>;

type FieldsContext = Pick<EngineContext, "clock" | "registry" | "newestBlock">;

/** What both versions write around a body. */
type CommonFields = Pick<OutgoingContent, "at" | "expiresInS" | "group" | "heads" | "block"> & { readonly body: KnownBody };

/** Fields of a content that both versions have. */
export function fieldsOf({ clock, registry, newestBlock }: FieldsContext, part: Part): CommonFields {
  const { at, expiresInS } = part.identity ?? {};
  const block = registry.isContact(part.to) ? newestBlock.known : undefined;
  const heads = part.group && registry.get(groupConversation(part.group.id)).group?.log?.heads.slice(0, MAX_CONTENT_HEADS);
  return {
    at: at ?? clock.nowMs(),
    ...(expiresInS === undefined ? {} : { expiresInS }),
    ...grouped(part),
    ...(heads === undefined ? {} : { heads }),
    ...(block === undefined ? {} : { block }),
    body: part.body,
  };
}

/** A content of version 1 for a device whose public card it is sealed to. @throws RangeError when a limit is exceeded. */
export function publicRequest(
  { node, clock }: Pick<EngineContext, "node" | "clock">,
  { device, card, to }: { readonly device: X25519KeyHex; readonly card: PublicCard; readonly to: PublicKeyHex },
  content: UnboundContent,
): SealRequest {
  const pair = { chainId: node.chainId, recipientMasterPub: to, card: sealableCard(card), form: PUBLIC_FORM };
  return { plaintext: encodePublicContent(content), recipients: [device], sentAt: Math.floor(clock.nowMs() / 1000), pair };
}

/** A content for a device of a pair, and the id of the own card that it shows. @throws RangeError when a limit is exceeded. */
export function pairRequest(
  context: FieldsContext & Pick<EngineContext, "node">,
  part: Part,
  device: X25519KeyHex,
  leaving: LeavingContent,
): { readonly request: SealRequest; readonly cardId: string | undefined } {
  const { plaintext, cardId } = pairPlaintext(leaving, fieldsOf(context, part), part.twin);
  const { box, isPublic } = leaving;
  const pair = {
    ...{ chainId: context.node.chainId, recipientMasterPub: part.to, card: leaving.sealTo },
    ...(isPublic && { form: PUBLIC_PAIR_FORM }),
    ...(box && { box: { mailbox: box.mailbox, writeSeed: fromHex(box.writeSeed) } }),
  };
  return { request: { plaintext, recipients: [device], sentAt: Math.floor(context.clock.nowMs() / 1000), pair }, cardId };
}
