// Calls, wherever one is in the app: listens for them, makes them, and shows the card that rings or the window of the call. Loaded apart.
import { type ReactElement, useEffect, useEffectEvent, useState } from "react";
import { ConfirmSheet } from "#renderer/components/overlays/confirm-sheet.tsx";
import { useAccount, useKeyring } from "#renderer/lib/keyring/keyring-context.tsx";
import { useWhileOpen } from "#renderer/lib/keyring/use-while-open.ts";
import { useMessages } from "#renderer/lib/messages/messages-context.tsx";
import { takeCallRequest, useCallRequests } from "#renderer/lib/messenger/call-requests.ts";
import { callServers } from "#renderer/lib/messenger/call-servers.ts";
import { useMessenger, useMessengerValue } from "#renderer/lib/messenger/messenger-context.tsx";
import { sealedCallRelay, useOwnCallRelay } from "#renderer/lib/messenger/own-call-relay.ts";
import { useNode } from "#renderer/lib/node/access/node-context.tsx";
import { changeNotes, useNotesAbout, usePeopleNotes } from "#renderer/lib/people/contacts/people-notes.ts";
import { useLabelOf } from "#renderer/lib/people/names/use-label.ts";
import { useSettings } from "#renderer/lib/settings/settings-store.ts";
import type { CallMedia } from "#shared/content/chat/call-content.ts";
import type { Messenger } from "#shared/messenger/messenger.ts";
import type { PublicKeyHex } from "#shared/protocol/primitives/address.ts";
import { startRingTone } from "./media/ring-tone.ts";
import type { LiveCall } from "./model/call-machine.ts";
import { CallRunner, useCall } from "./model/call-runner.ts";
import { CallWindow } from "./view/call-window.tsx";
import { IncomingCard } from "./view/incoming-card.tsx";

/** How often the keyring is told that someone is there, while they speak. */
const PRESENT_MS = 10_000;

/** Nothing while there is no call. */
export function Calls(): ReactElement | null {
  const messenger = useMessenger();
  return messenger === undefined ? null : <CallsOf messenger={messenger} />;
}

function CallsOf({ messenger }: { readonly messenger: Messenger }): ReactElement | null {
  const { masterPub } = useAccount();
  const { client } = useNode();
  useWhileOpen(sealedCallRelay);
  const [runner, setRunner] = useState<CallRunner>();
  const live = useCall((call) => call.live);
  useEffect(() => {
    const current = new CallRunner({
      messenger,
      me: masterPub,
      mayRing: () => useSettings.getState().takeCalls,
      servers: () => callServers(client, useOwnCallRelay.getState().relay),
      isRelayOnly: () => useSettings.getState().relayCalls,
    });
    setRunner(current);
    return (): void => current.stop();
  }, [messenger, masterPub, client]);
  if (runner === undefined) return null;
  return (
    <>
      <Requested onCall={(peer, media): void => runner.call(peer, media)} />
      {live !== null && <Live live={live} runner={runner} />}
    </>
  );
}

/** Calls whom a view asks to call; the first time with a person it is said what that shows. */
function Requested({ onCall }: { readonly onCall: (peer: PublicKeyHex, media: CallMedia) => void }): ReactElement | null {
  const wanted = useCallRequests((requests) => requests.wanted);
  const isAsked = usePeopleNotes(({ notes }) => wanted !== null && notes[wanted.peer]?.hasCalled !== true);
  const begin = useEffectEvent(() => {
    const request = takeCallRequest();
    if (request !== null) onCall(request.peer, request.media);
  });
  useEffect(() => {
    if (wanted !== null && !isAsked) begin();
  }, [wanted, isAsked]);
  return wanted !== null && isAsked ? <FirstCall peer={wanted.peer} /> : null;
}

function FirstCall({ peer }: { readonly peer: PublicKeyHex }): ReactElement {
  const t = useMessages();
  const name = useLabelOf(peer);
  const isRelayOnly = useSettings((settings) => settings.relayCalls);
  return (
    <ConfirmSheet
      open
      title={t("calls.firstTitle", { name })}
      sentence={t(isRelayOnly ? "calls.firstTextRelay" : "calls.firstText", { name })}
      confirmLabel={t("calls.firstConfirm")}
      onCancel={(): void => void takeCallRequest()}
      onConfirm={(): void => void changeNotes(peer, { hasCalled: true })}
    />
  );
}

function Live({ live, runner }: { readonly live: LiveCall; readonly runner: CallRunner }): ReactElement {
  const name = useLabelOf(live.peer);
  const { hasCalled = false } = useNotesAbout(live.peer);
  useRing(live);
  usePresence(live.phase !== "over" && live.phase !== "ringing");
  if (live.phase !== "ringing") return <CallWindow key={live.call.id} live={live} name={name} runner={runner} />;
  return (
    <IncomingCard
      live={live}
      name={name}
      isKnown={hasCalled}
      onAccept={(withVideo): void => {
        void changeNotes(live.peer, { hasCalled: true });
        runner.accept(withVideo);
      }}
      onDecline={(): void => runner.hangUp()}
    />
  );
}

/** Rings, unless the chat is muted. */
function useRing({ phase, peer }: LiveCall): void {
  const conversations = useMessengerValue((messenger) => messenger.conversations);
  const isMuted = (conversations.find(({ id }) => id === peer)?.mutedUntil ?? 0) > Date.now();
  const kind = phase === "ringing" ? (isMuted ? undefined : "incoming") : phase === "calling" ? "outgoing" : undefined;
  useEffect(() => {
    if (kind === undefined) return undefined;
    const tone = startRingTone(kind);
    return (): void => tone.stop();
  }, [kind]);
}

/** Whoever speaks is there, though they touch nothing: the keyring does not lock by itself. */
function usePresence(isPresent: boolean): void {
  const keyring = useKeyring();
  useEffect(() => {
    if (!isPresent) return undefined;
    const timer = setInterval(() => void keyring.touch(), PRESENT_MS);
    return (): void => clearInterval(timer);
  }, [keyring, isPresent]);
}
