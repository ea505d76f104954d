// Reads messages aloud that arrive in the open chat, and says of those written in it that they were sent.
import { useEffect, useEffectEvent, useRef } from "react";
import { announce } from "#renderer/lib/browser/announce.ts";
import { useMessages } from "#renderer/lib/messages/messages-context.tsx";
import type { ConversationSnapshot } from "#shared/messenger/model/conversation.ts";
import type { ChatMessage, MessageKey } from "#shared/messenger/model/message.ts";
import type { ConversationHeader } from "../../model/conversation-header.tsx";
import { previewOf } from "../../model/message-text.ts";
import { useMemberNames } from "../../model/use-name-of.ts";
import { Arrivals } from "./arrivals.ts";
import { ownMessageFate, type WaitingMessage } from "./own-message-fate.ts";

/** So long after it was written it is no longer as if it had been sent. */
const PATIENCE_MS = 3_000;

/** Announces what arrives after the first page was loaded. */
export function useAnnounceArrivals(header: ConversationHeader, { newest, isLoading }: ConversationSnapshot): void {
  const t = useMessages();
  const nameOf = useMemberNames(header);
  const arrivals = useRef<Arrivals>(undefined);
  const look = useEffectEvent((shown: ChatMessage | undefined) => {
    arrivals.current ??= new Arrivals();
    if (!arrivals.current.hasArrived(shown) || shown === undefined) return;
    const name = shown.author === null ? header.name : nameOf(shown.author);
    announce(t("inbox.arrived", { name, text: previewOf(t, shown.body, nameOf) }));
  });
  useEffect(() => {
    if (!isLoading) look(newest);
  }, [newest, isLoading]);
}

/** Announces that the message just written was sent; where that takes long, that it waits. */
export function useAnnounceSending({ newest, isLoading }: ConversationSnapshot): void {
  const t = useMessages();
  const waiting = useRef<WaitingMessage>(undefined);
  const say = useEffectEvent((what: "sent" | "saved" | "queued") => announce(t(`inbox.state.${what === "sent" ? "relayed" : what}`)));
  /** True where a message begins to wait. */
  const look = useEffectEvent((key?: MessageKey, state?: ChatMessage["state"]): boolean => {
    const before = waiting.current;
    const direction = newest?.direction ?? "in";
    const fate = ownMessageFate(before, key === undefined || state === undefined ? undefined : { key, state, direction });
    waiting.current = fate.waiting;
    if (fate.said !== undefined) say(fate.said);
    return fate.waiting !== undefined && fate.waiting !== before;
  });
  const { key, state } = newest ?? {};
  useEffect(() => {
    if (isLoading || !look(key, state)) return;
    const timer = setTimeout(() => say("queued"), PATIENCE_MS);
    return (): void => clearTimeout(timer);
  }, [key, state, isLoading]);
}
