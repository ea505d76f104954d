// A route that shows a view, whose code is fetched when it is first shown.
import { type AnyRoute, createRoute, lazyRouteComponent, type Route, type RouteComponent } from "@tanstack/react-router";

/** The route of the view that a module exports by a name, at a path below another route. */
export function viewRoute<Parent extends AnyRoute, const Path extends string, const Name extends string>(
  parent: Parent,
  path: Path,
  load: () => Promise<{ readonly [N in Name]: RouteComponent }>,
  name: Name,
): Route<unknown, Parent, Path> {
  return createRoute({ getParentRoute: () => parent, path, component: lazyRouteComponent(load, name) });
}
