// What a walk is made of.
import type { Page } from "playwright-core";
import type { Desk } from "./desk.ts";
import type { Walk } from "./walk.ts";

/** Ann at the desk with the screen reader, and Bob at a browser of his own, which nothing listens to. */
export interface Scene {
  readonly walk: Walk;
  readonly desk: Desk;
  readonly bob: Page;
  readonly baseUrl: string;
}
