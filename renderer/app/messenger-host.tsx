// Makes the messenger once the network is known, runs it while the keyring is open and hands it to the views.

import { type ReactElement, type ReactNode, useEffect, useRef, useState } from "react";
import { announce } from "#renderer/lib/browser/announce.ts";
import { sweepItems } from "#renderer/lib/browser/sealed/sealed-item.ts";
import { useFirstView } from "#renderer/lib/browser/window/use-first-view.ts";
import { useAccount, useKeyring } from "#renderer/lib/keyring/keyring-context.tsx";
import { useMessages } from "#renderer/lib/messages/messages-context.tsx";
import { MessengerProvider, useMessengerValue } from "#renderer/lib/messenger/messenger-context.tsx";
import { openSearchWorker } from "#renderer/lib/messenger/open-search-worker.ts";
import { useNode } from "#renderer/lib/node/access/node-context.tsx";
import { useChainId, usePreviousChainId } from "#renderer/lib/node/known-chain.ts";
import { useSettings } from "#renderer/lib/settings/settings-store.ts";
import type { Messenger } from "#shared/messenger/messenger.ts";
import { hostClock, hostRandom, hostTimers } from "#shared/util/host.ts";
import { type Arrivals, arrivalsIn, hasRung } from "./desktop/arrivals.ts";

/** Provides `useMessenger` to everything inside. */
export function MessengerHost(props: { readonly children: ReactNode }): ReactElement {
  const messenger = useRunningMessenger();
  useMessengerSettings(messenger);
  useContactUpdates(messenger);
  return (
    <MessengerProvider messenger={messenger}>
      <UnreadAnnouncer />
      {props.children}
    </MessengerProvider>
  );
}

/** The engine is loaded apart: the shell and its view are there before it. A failed start shows in its snapshot. */
function useRunningMessenger(): Messenger | undefined {
  const keyring = useKeyring();
  const node = useNode();
  const chainId = useChainId();
  const previousChainId = usePreviousChainId();
  const hasView = useFirstView();
  const [messenger, setMessenger] = useState<Messenger>();
  useEffect(() => {
    if (chainId === undefined || !hasView) return undefined;
    let current: Messenger | undefined;
    let hasEnded = false;
    const begin = async (): Promise<void> => {
      const [{ createMessenger }, { openMessageDatabase }, { createMessengerNode }, { createLinkNode }] = await Promise.all([
        import("#shared/messenger/create-messenger.ts"),
        import("#renderer/storage/message-database.ts"),
        import("#shared/messenger/node/messenger-node.ts"),
        import("#shared/messenger/node/link-node.ts"),
      ]);
      if (hasEnded) return;
      current = createMessenger({
        node: createMessengerNode(node, {
          chainId,
          previousChainId,
          inboxProof: (request) => keyring.inboxProof(request),
          signDeletion: (request) => keyring.signDeletion(request),
        }),
        keyring,
        locks: navigator.locks,
        clock: hostClock,
        timers: hostTimers,
        random: hostRandom,
        openDatabase: openMessageDatabase,
        openSearch: openSearchWorker,
        room: { freeBytes, keep: () => navigator.storage.persist() },
        linkNode: createLinkNode(node, chainId),
        sweepItems: (keys) => sweepItems(keys, localStorage),
        restoreSavedNotes: async (keepsakes) => (await import("#renderer/lib/linking/saved-notes.ts")).restoreSavedNotes(keepsakes),
      });
      setMessenger(current);
      await current.start().catch(() => undefined);
    };
    void begin();
    return (): void => {
      hasEnded = true;
      setMessenger(undefined);
      void current?.stop();
    };
  }, [keyring, node, chainId, previousChainId, hasView]);
  return messenger;
}

/** Bytes that the browser still stores, as far as it says. */
async function freeBytes(): Promise<number | undefined> {
  const { quota, usage } = await navigator.storage.estimate();
  return quota === undefined || usage === undefined ? undefined : quota - usage;
}

function useMessengerSettings(messenger: Messenger | undefined): void {
  const sendReadReceipts = useSettings((settings) => settings.sendReadReceipts);
  const typing = useSettings((settings) => settings.sendTyping);
  useEffect(() => messenger?.setSettings({ sendReadReceipts, typing }), [messenger, sendReadReceipts, typing]);
}

/** A contact transaction in a block changes who may write: the messenger reads the lists again. */
function useContactUpdates(messenger: Messenger | undefined): void {
  const { live } = useNode();
  const { masterPub } = useAccount();
  useEffect(() => {
    if (messenger === undefined) return undefined;
    return live.subscribe(`account:${masterPub}`, ({ tx_type }) => {
      const isRunning = messenger.getSnapshot().phase === "running";
      if (isRunning && tx_type.includes("CONTACT")) messenger.refreshContacts().catch(() => undefined);
    });
  }, [live, masterPub, messenger]);
}

/** Announces arrivals to screen readers, wherever one is. */
function UnreadAnnouncer(): null {
  const t = useMessages();
  const conversations = useMessengerValue((messenger) => messenger.conversations);
  const announced = useRef<Arrivals>(undefined);
  useEffect(() => {
    const now = arrivalsIn(
      conversations.filter(({ isRequest, isBlocked }) => !isRequest && !isBlocked),
      Date.now(),
    );
    if (hasRung(announced.current ?? now, now)) announce(t("shell.newMessage"));
    announced.current = now;
  }, [conversations, t]);
  return null;
}
