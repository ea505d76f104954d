// How much room a scrollbar takes here: nothing where it lies over the content. Style sheets take it off the padding beside it, so that both
// sides are equal.

/** Puts the width into `--scrollbar-width` of the document. */
export function measureScrollbar(page: Document): void {
  const probe = page.createElement("div");
  probe.style.cssText = "position: absolute; visibility: hidden; width: 6rem; height: 6rem; overflow: auto; scrollbar-gutter: stable;";
  page.body.append(probe);
  page.documentElement.style.setProperty("--scrollbar-width", `${probe.offsetWidth - probe.clientWidth}px`);
  probe.remove();
}
