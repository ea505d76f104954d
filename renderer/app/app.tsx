// What lives as long as the window: language, node, keyring. Router and shell are loaded once the account is open.
import { CSPProvider } from "@base-ui/react/csp-provider";
import { DirectionProvider } from "@base-ui/react/direction-provider";
import { type QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { type ComponentType, lazy, type ReactElement, Suspense, useMemo, useState } from "react";
import { type AppKeyring, KeyringProvider } from "#renderer/lib/keyring/keyring-context.tsx";
import { directionOf } from "#renderer/lib/messages/direction.ts";
import type { LanguageInUse } from "#renderer/lib/messages/language-in-use.ts";
import { AllWordsProvider, MessagesProvider } from "#renderer/lib/messages/messages-context.tsx";
import { useChosenLanguage } from "#renderer/lib/messages/use-chosen-language.ts";
import type { NodeAccess } from "#renderer/lib/node/access/node-access.ts";
import { NodeProvider } from "#renderer/lib/node/access/node-context.tsx";
import { useAppearance } from "#renderer/lib/settings/appearance.ts";
import { Gate } from "./gate.tsx";

/** What the app runs on; built once in main.tsx. */
export interface AppProps {
  readonly keyring: AppKeyring;
  readonly node: NodeAccess;
  readonly queryClient: QueryClient;
  readonly language: LanguageInUse;
  /** Where the build has the gallery: it is shown without an account. */
  readonly gallery: "none" | "available" | "shown";
}

/** The whole app. */
export function App(props: AppProps): ReactElement {
  const { keyring, node, queryClient, language, gallery } = props;
  const { locale, catalogue, extent } = useChosenLanguage(language);
  const allWords = useMemo(
    () => ({ areLoaded: extent === "all", load: (): void => void language.extend("all").catch(() => undefined) }),
    [extent, language],
  );
  const [Home] = useState(() => lazyHome(language, gallery !== "none"));
  useAppearance();
  return (
    <CSPProvider disableStyleElements>
      <DirectionProvider direction={directionOf(locale)}>
        <MessagesProvider locale={locale} catalogue={catalogue}>
          <AllWordsProvider value={allWords}>
            <QueryClientProvider client={queryClient}>
              <NodeProvider node={node}>
                <KeyringProvider keyring={keyring}>
                  <Suspense fallback={null}>
                    {gallery === "shown" ? (
                      <Home />
                    ) : (
                      <Gate>
                        <Home />
                      </Gate>
                    )}
                  </Suspense>
                </KeyringProvider>
              </NodeProvider>
            </QueryClientProvider>
          </AllWordsProvider>
        </MessagesProvider>
      </DirectionProvider>
    </CSPProvider>
  );
}

/** Router, shell and the words until the inbox, loaded when they are first shown; the router outlives the lock. */
function lazyHome(language: LanguageInUse, withGallery: boolean): ComponentType {
  return lazy(async (): Promise<{ readonly default: ComponentType }> => {
    const [{ Home }, { createAppRouter }] = await Promise.all([
      import("./home.tsx"),
      import("./router.tsx"),
      language.extend(withGallery ? "all" : "inbox"),
    ]);
    const router = createAppRouter(withGallery, () => language.extend("all"));
    return { default: (): ReactElement => <Home router={router} /> };
  });
}
