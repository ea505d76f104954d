// The frame around every view: rail, notices, view, strip; palette and shortcuts above; background work behind.
import { Outlet, useNavigate } from "@tanstack/react-router";
import { type ReactElement, Suspense, useCallback, useMemo, useRef, useState } from "react";
import { useIdle } from "#renderer/lib/browser/use-idle.ts";
import { lazyPart } from "#renderer/lib/browser/window/lazy-part.ts";
import { bufferTyping, NOTHING_TYPED, type TypedAhead } from "#renderer/lib/commands/typed-ahead.ts";
import { useShortcut } from "#renderer/lib/commands/use-shortcut.ts";
import { desktopApi } from "#renderer/lib/desktop/desktop-api.ts";
import { useKeyring } from "#renderer/lib/keyring/keyring-context.tsx";
import { useMessages, WithAllWords } from "#renderer/lib/messages/messages-context.tsx";
import { PeopleProvider } from "#renderer/lib/people/people-context.tsx";
import { useSettings } from "#renderer/lib/settings/settings-store.ts";
import type { ChatMessage } from "#shared/messenger/model/message.ts";
import type { AmountUt } from "#shared/protocol/primitives/amount.ts";
import { ProgramMessages } from "../desktop/program-messages.tsx";
import { MessengerHost } from "../messenger-host.tsx";
import { BackgroundWork } from "./background/background-work.tsx";
import { useKnownPerson } from "./background/use-known-person.ts";
import { useProfilePicture } from "./background/use-profile-picture.ts";
import { ConfirmHost } from "./confirm-host.tsx";
import { LiveRegion } from "./notices/live-region.tsx";
import { NoticeArea } from "./notices/notice-area.tsx";
import { Notices } from "./notices/notices.tsx";
import { Rail } from "./rail.tsx";
import styles from "./shell.module.css";
import { StatusStrip } from "./status-strip.tsx";
import { UnlockHost } from "./unlock-host.tsx";

const CommandPalette = lazyPart(async () => (await import("../palette/command-palette.tsx")).CommandPalette);
/** Loaded apart: a browser has none. */
const DesktopLink = lazyPart(async () => (await import("../desktop/desktop-link.tsx")).DesktopLink);
const BrowserNotices = lazyPart(async () => (await import("../desktop/browser-notices.tsx")).BrowserNotices);
const ArrivalNotices = lazyPart(async () => (await import("./arrivals/arrival-notices.tsx")).ArrivalNotices);
const ShortcutsSheet = lazyPart(async () => (await import("../palette/shortcuts-sheet.tsx")).ShortcutsSheet);
const ShellCommands = lazyPart(async () => (await import("./shell-commands.tsx")).ShellCommands);
const MessageCommands = lazyPart(async () => (await import("#renderer/features/inbox/model/message-commands.tsx")).MessageCommands);
const PaymentWork = lazyPart(async () => (await import("#renderer/features/inbox/payments/payment-work.tsx")).PaymentWork);
/** Loaded apart: most of the time nothing is played. */
const VoiceBar = lazyPart(async () => (await import("#renderer/features/inbox/messages/cards/voice/voice-bar.tsx")).VoiceBar);
/** Loaded apart: calls are rare. */
const Calls = lazyPart(async () => (await import("#renderer/features/calls/calls.tsx")).Calls);
const WalletCommands = lazyPart(async () => (await import("#renderer/features/wallet/commands/wallet-commands.tsx")).WalletCommands);

const NameDialog = lazyPart(async () => (await import("#renderer/components/people/name-dialog.tsx")).NameDialog);

type Overlay = "none" | "palette" | "shortcuts";

export function Shell(): ReactElement {
  const navigate = useNavigate();
  const [naming, setNaming] = useState<string>();
  const people = useMemo(
    () => ({
      usePerson: useKnownPerson,
      usePicture: useProfilePicture,
      actions: {
        explore: (publicKey: string) => void navigate({ to: "/explorer/address/$account", params: { account: publicKey } }),
        message: (publicKey: string) => void navigate({ to: "/inbox/$conversation", params: { conversation: publicKey } }),
        pay: (publicKey: string) => void navigate({ to: "/wallet/send", search: { to: publicKey } }),
        payInChat: (publicKey: string, amountUt?: AmountUt) => {
          void navigate({ to: "/inbox/$conversation", params: { conversation: publicKey } });
          void import("#renderer/lib/messenger/pay-order.ts").then(({ openPaySheet }) =>
            openPaySheet({ conversation: publicKey, ...(amountUt !== undefined && { amountUt }) }),
          );
        },
        showMessage: (conversation: string, { key, at }: Pick<ChatMessage, "key" | "at">) => {
          void import("#renderer/features/inbox/model/chat-intent-store.ts").then(({ jumpTo }) => jumpTo({ conversation, key, at }));
          void navigate({ to: "/inbox/$conversation", params: { conversation }, resetScroll: false });
        },
        rename: setNaming,
      },
    }),
    [navigate],
  );
  const isIdle = useIdle();
  const hasNotices = useSettings((settings) => settings.notices !== "off") && isIdle;
  return (
    <PeopleProvider people={people}>
      <MessengerHost>
        <Suspense fallback={null}>{desktopApi() !== undefined ? <DesktopLink /> : hasNotices && <BrowserNotices />}</Suspense>
        <ProgramMessages />
        <UnlockHost>
          <ConfirmHost>
            <Frame />
            <Suspense fallback={null}>
              {naming !== undefined && (
                <WithAllWords>
                  <NameDialog key={naming} publicKey={naming} onClose={(): void => setNaming(undefined)} />
                </WithAllWords>
              )}
            </Suspense>
          </ConfirmHost>
        </UnlockHost>
      </MessengerHost>
    </PeopleProvider>
  );
}

function Frame(): ReactElement {
  const t = useMessages();
  const keyring = useKeyring();
  const [overlay, setOverlay] = useState<Overlay>("none");
  const view = useRef<HTMLElement>(null);
  const isIdle = useIdle();
  const typedAhead = useRef<TypedAhead>(undefined);
  const openPalette = (): void => {
    typedAhead.current?.take();
    typedAhead.current = bufferTyping(window, () => setOverlay("none"));
    setOverlay("palette");
  };
  const takeTyped = useCallback(() => typedAhead.current?.take() ?? NOTHING_TYPED, []);
  const lock = (): void => void keyring.lock();
  useShortcut("mod+k", () => (overlay === "palette" ? closePalette() : openPalette()));
  useShortcut("mod+/", () => setOverlay(overlay === "shortcuts" ? "none" : "shortcuts"));
  const close = (isOpen: boolean): void => {
    if (!isOpen) setOverlay("none");
  };
  const closePalette = (): void => {
    takeTyped();
    setOverlay("none");
  };
  return (
    <div className={styles.shell}>
      <button type="button" className={styles.skip} onClick={(): void => view.current?.focus()}>
        {t("shell.skipToContent")}
      </button>
      <Rail onSearch={openPalette} onLock={lock} />
      <NoticeArea>
        <Notices />
        <Suspense fallback={null}>
          {isIdle && (
            <WithAllWords>
              <VoiceBar />
              <Calls />
            </WithAllWords>
          )}
        </Suspense>
      </NoticeArea>
      <main ref={view} className={styles.view} tabIndex={-1}>
        <Outlet />
      </main>
      <StatusStrip />
      <LiveRegion />
      <BackgroundWork />
      <Suspense fallback={null}>{isIdle && <ArrivalNotices />}</Suspense>
      <Suspense fallback={null}>{isIdle && <PaymentWork />}</Suspense>
      <Suspense fallback={null}>
        {(isIdle || overlay === "palette") && <ShellCommands onLock={lock} onShortcuts={(): void => setOverlay("shortcuts")} />}
      </Suspense>
      <Suspense fallback={null}>{(isIdle || overlay === "palette") && <MessageCommands isAsked={overlay === "palette"} />}</Suspense>
      <Suspense fallback={null}>
        {(isIdle || overlay === "palette") && (
          <WithAllWords>
            {isIdle && <WalletCommands />}
            <CommandPalette open={overlay === "palette"} onOpenChange={close} takeTyped={takeTyped} />
          </WithAllWords>
        )}
        {(isIdle || overlay === "shortcuts") && <ShortcutsSheet open={overlay === "shortcuts"} onOpenChange={close} />}
      </Suspense>
    </div>
  );
}
