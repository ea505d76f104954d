// Hands the messenger to every component. It runs while the keyring is open.
import { createContext, type ReactElement, type ReactNode, useContext, useSyncExternalStore } from "react";
import type { Messenger } from "#shared/messenger/messenger.ts";
import { IDLE_SNAPSHOT, type MessengerSnapshot } from "#shared/messenger/model/conversation.ts";
import { groupOf } from "#shared/messenger/model/conversation-id.ts";
import type { PublicKeyHex } from "#shared/protocol/primitives/address.ts";
import { inTurns } from "./in-turns.ts";

const MessengerContext = createContext<Messenger | undefined>(undefined);

/** Provides the messenger; undefined until it has been made. */
export function MessengerProvider(props: { readonly messenger: Messenger | undefined; readonly children: ReactNode }): ReactElement {
  return <MessengerContext value={props.messenger}>{props.children}</MessengerContext>;
}

/** The messenger, or undefined while it is being made: for moments after unlocking. */
export function useMessenger(): Messenger | undefined {
  return useContext(MessengerContext);
}

/** State of the messenger; idle while there is none. */
export function useMessengerSnapshot(): MessengerSnapshot {
  const messenger = useContext(MessengerContext);
  return useSyncExternalStore(messenger === undefined ? subscribeToNothing : inTurns(messenger), messenger?.getSnapshot ?? idle);
}

/** What is chosen of the state of the messenger: rendered again only when that is another value. `select` builds no objects. */
export function useMessengerValue<T>(select: (messenger: MessengerSnapshot) => T): T {
  const messenger = useContext(MessengerContext);
  const subscribe = messenger === undefined ? subscribeToNothing : inTurns(messenger);
  return useSyncExternalStore(subscribe, () => select(messenger?.getSnapshot() ?? IDLE_SNAPSHOT));
}

/** Name that a person sent in messages; undefined where they sent none. */
export function useProfileName(publicKey: PublicKeyHex): string | undefined {
  return useProfileNames()[publicKey];
}

/** Names that people sent in messages. */
export function useProfileNames(): MessengerSnapshot["profileNames"] {
  return useMessengerValue(({ profileNames }) => profileNames);
}

/** Names the picture that a person gave themselves, that one gave oneself, or that a group has (by its conversation); "" for none. */
export function usePictureMark(owner: PublicKeyHex, me: PublicKeyHex): string {
  return useMessengerValue(({ profilePicture, profilePictures, conversations }) => {
    if (groupOf(owner) !== undefined) return conversations.find(({ id }) => id === owner)?.group?.picture ?? "";
    return owner === me ? profilePicture : (profilePictures[owner] ?? "");
  });
}

function subscribeToNothing(): () => void {
  return () => undefined;
}

function idle(): MessengerSnapshot {
  return IDLE_SNAPSHOT;
}
