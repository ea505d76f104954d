// Everything behind the gate: the router with the shell around its views, toasts above them.
import { RouterProvider } from "@tanstack/react-router";
import type { ReactElement } from "react";
import { ToastHost } from "#renderer/components/feedback/toast.tsx";
import type { AppRouter } from "./router.tsx";

/** The app of an open account. */
export function Home(props: { readonly router: AppRouter }): ReactElement {
  return (
    <>
      <RouterProvider router={props.router} />
      <ToastHost />
    </>
  );
}
