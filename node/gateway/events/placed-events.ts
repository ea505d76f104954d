// Events on their way to a program.
import type { AppEvent } from "#shared/apps/api/app-schemas.ts";
import type { EventPlace } from "./event-places.ts";

/** An event before it has its cursor, and the place behind it. */
export interface PlacedEvent {
  readonly event: Omit<AppEvent, "cursor">;
  readonly place: EventPlace;
}

/** Some events, and where the next ones begin. */
export interface EventPage {
  readonly events: readonly PlacedEvent[];
  readonly next: EventPlace;
  /** There may be more at once. */
  readonly hasMore: boolean;
}
