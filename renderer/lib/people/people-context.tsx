// Who is behind a key, and what one can do with it. The app provides both, so that every chip anywhere knows names and actions
// without any feature knowing another.
import { createContext, type ReactElement, type ReactNode, useContext } from "react";
import type { ChatMessage } from "#shared/messenger/model/message.ts";
import type { PublicKeyHex } from "#shared/protocol/primitives/address.ts";
import type { AmountUt } from "#shared/protocol/primitives/amount.ts";

/** What is known of the person behind a key. */
export interface Person {
  /** Name to show: own nickname for them, else the name they sent in messages, else the one they published. */
  readonly name: string | undefined;
  /** True when the name was chosen by the person at this desk, not by the other side. */
  readonly isOwnName: boolean;
  /** True when they sent the name in messages: it is shown with the end of their address. */
  readonly isProfileName: boolean;
  /** True when the keys were compared. */
  readonly isVerified: boolean;
  /** True when one of the two accepted the other. */
  readonly isContact: boolean;
  /** True for the person at this desk. */
  readonly isSelf: boolean;
}

/** What one can do with a key. An absent action is not offered. */
export interface PersonActions {
  readonly explore?: (publicKey: PublicKeyHex) => void;
  readonly message?: (publicKey: PublicKeyHex) => void;
  readonly pay?: (publicKey: PublicKeyHex) => void;
  /** Opens the form for a payment, of an amount where one is named, in the chat with them, which there has to be. */
  readonly payInChat?: (publicKey: PublicKeyHex, amountUt?: AmountUt) => void;
  /** Leads to a message of the chat with them. */
  readonly showMessage?: (publicKey: PublicKeyHex, message: Pick<ChatMessage, "key" | "at">) => void;
  /** Asks for a private name. */
  readonly rename?: (publicKey: PublicKeyHex) => void;
}

/** Names, pictures and actions. What begins with `use` is a hook: it may load what it does not know. */
export interface People {
  readonly usePerson: (publicKey: PublicKeyHex) => Person;
  /** Address of the picture that a person gave themselves, or that a group has (by its conversation). */
  readonly usePicture: (owner: PublicKeyHex) => string | undefined;
  readonly actions: PersonActions;
}

const STRANGER: Person = { name: undefined, isOwnName: false, isProfileName: false, isVerified: false, isContact: false, isSelf: false };

const PeopleContext = createContext<People>({ usePerson: () => STRANGER, usePicture: () => undefined, actions: {} });

/** Provides names and actions to everything inside. */
export function PeopleProvider(props: { readonly people: People; readonly children: ReactNode }): ReactElement {
  return <PeopleContext value={props.people}>{props.children}</PeopleContext>;
}

/** The person behind a key. */
export function usePerson(publicKey: PublicKeyHex): Person {
  const { usePerson: use } = useContext(PeopleContext);
  return use(publicKey);
}

/** Address of the picture of a person, or of a group by its conversation; undefined where that of the key, or a symbol, stands for it. */
export function usePicture(owner: PublicKeyHex): string | undefined {
  const { usePicture: use } = useContext(PeopleContext);
  return use(owner);
}

/** What one can do with a key. */
export function usePersonActions(): PersonActions {
  return useContext(PeopleContext).actions;
}
