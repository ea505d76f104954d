// The browser test of all views opens every route of the router.
import { describe, expect, it, vi } from "vitest";
import { PLACES } from "#test/e2e/support/views.ts";

// What is drawn around the views needs a browser.
vi.mock("#renderer/app/shell/shell.tsx", () => ({ Shell: () => null }));

describe("views that the browser tests open", () => {
  it("are those of every route, with a place that fits it", async () => {
    const { createAppRouter } = await import("#renderer/app/router.tsx");
    const router = createAppRouter(false, () => Promise.resolve());
    expect(Object.keys(PLACES).toSorted()).toEqual(Object.keys(router.routesByPath).toSorted());
    for (const [route, places] of Object.entries(PLACES))
      for (const place of places) {
        const [, , found] = router.getMatchedRoutes(place.split("?")[0] ?? "");
        expect(found?.fullPath.replace(/(?<=.)\/$/, ""), place).toBe(route);
      }
  });
});
