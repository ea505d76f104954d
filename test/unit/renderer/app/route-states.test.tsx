// What replaces a view is the page then, and has its heading.
import { createMemoryHistory, createRootRoute, createRouter, RouterContextProvider } from "@tanstack/react-router";
import type { ReactElement } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { expect, it } from "vitest";
import { RouteError, RouteNotFound } from "#renderer/app/route-states.tsx";

const router = createRouter({ routeTree: createRootRoute(), history: createMemoryHistory() });

it.each([
  ["a view that failed", <RouteError key="failed" error={new Error("its code did not come")} reset={(): void => undefined} />],
  ["an address without a view", <RouteNotFound key="missing" />],
])("%s has one heading, of the first level", (_what, state: ReactElement) => {
  const html = renderToStaticMarkup(<RouterContextProvider router={router}>{state}</RouterContextProvider>);
  expect(html.match(/<h\d/g)).toEqual(["<h1"]);
});
