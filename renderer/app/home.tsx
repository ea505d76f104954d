// Everything behind the gate: the router with the shell around its views, toasts and hints above them.
import { Tooltip } from "@base-ui/react/tooltip";
import { RouterProvider } from "@tanstack/react-router";
import type { ReactElement } from "react";
import { ToastProvider } from "#renderer/components/toast.tsx";
import type { AppRouter } from "./router.tsx";

/** Pointer rests this long before a hint opens. */
const TOOLTIP_DELAY_MS = 450;

/** The app of an open account. */
export function Home(props: { readonly router: AppRouter }): ReactElement {
  return (
    <Tooltip.Provider delay={TOOLTIP_DELAY_MS}>
      <ToastProvider>
        <RouterProvider router={props.router} />
      </ToastProvider>
    </Tooltip.Provider>
  );
}
