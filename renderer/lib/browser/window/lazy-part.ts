// A part of a view that is loaded when it is first drawn. Where the node that serves it is away just then, it is waited for: React would
// remember a failure for as long as the page lives.
import { type ComponentType, type LazyExoticComponent, lazy } from "react";
import { untilLoaded } from "./until-loaded.ts";

/** `const Sheet = lazyPart(async () => (await import("./sheet.tsx")).Sheet);` */
export function lazyPart<Props>(load: () => Promise<ComponentType<Props>>): LazyExoticComponent<ComponentType<Props>> {
  return lazy(async () => ({ default: await untilLoaded(load) }));
}
