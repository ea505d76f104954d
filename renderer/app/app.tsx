// The providers around the router, in order of need.
import { CSPProvider } from "@base-ui/react/csp-provider";
import { Tooltip } from "@base-ui/react/tooltip";
import { type QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { RouterProvider } from "@tanstack/react-router";
import type { ReactElement } from "react";
import { ToastProvider } from "#renderer/components/toast.tsx";
import { type AppKeyring, KeyringProvider } from "#renderer/lib/keyring/keyring-context.tsx";
import type { LoadedLanguage } from "#renderer/lib/messages/languages.ts";
import { MessagesProvider } from "#renderer/lib/messages/messages-context.tsx";
import { useChosenLanguage } from "#renderer/lib/messages/use-chosen-language.ts";
import type { NodeAccess } from "#renderer/lib/node/node-access.ts";
import { NodeProvider } from "#renderer/lib/node/node-context.tsx";
import { useTheme } from "#renderer/lib/theme.ts";
import type { AppRouter } from "./router.tsx";

/** Pointer rests this long before a hint opens. */
const TOOLTIP_DELAY_MS = 450;

/** What the app runs on; built once in main.tsx. */
export interface AppProps {
  readonly router: AppRouter;
  readonly keyring: AppKeyring;
  readonly node: NodeAccess;
  readonly queryClient: QueryClient;
  /** Language at the start. */
  readonly language: LoadedLanguage;
}

/** The whole app. */
export function App(props: AppProps): ReactElement {
  const { router, keyring, node, queryClient } = props;
  const { locale, catalogue } = useChosenLanguage(props.language);
  useTheme();
  return (
    <CSPProvider disableStyleElements>
      <MessagesProvider locale={locale} catalogue={catalogue}>
        <Tooltip.Provider delay={TOOLTIP_DELAY_MS}>
          <ToastProvider>
            <QueryClientProvider client={queryClient}>
              <NodeProvider node={node}>
                <KeyringProvider keyring={keyring}>
                  <RouterProvider router={router} />
                </KeyringProvider>
              </NodeProvider>
            </QueryClientProvider>
          </ToastProvider>
        </Tooltip.Provider>
      </MessagesProvider>
    </CSPProvider>
  );
}
