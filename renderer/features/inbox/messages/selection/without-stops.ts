// A row that is in the document for its text alone is no stop of the keys: they would scroll far away from what one reads.

/** Takes all controls of an element out of the order of Tab; returns the way to put them back. */
export function withoutStops(element: Element): () => void {
  const stops = [...element.querySelectorAll("a[href], button, input, textarea, video, audio, [tabindex]")];
  const before = stops.map((stop) => [stop, stop.getAttribute("tabindex")] as const);
  for (const stop of stops) stop.setAttribute("tabindex", "-1");
  return (): void => {
    for (const [stop, index] of before) {
      if (index === null) stop.removeAttribute("tabindex");
      else stop.setAttribute("tabindex", index);
    }
  };
}
