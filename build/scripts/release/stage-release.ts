// A staged release: the feed names the share of installations that are offered it. The app draws its own position once and stores it, so
// raising the share offers the release to more.

/** The text of a feed file (`latest*.yml`) for this share in percent. @throws RangeError for what is no share. */
export function stageRelease(feed: string, percent: number): string {
  if (!Number.isInteger(percent) || percent < 1 || percent > 100)
    throw new RangeError("PARLEY_UPDATE_STAGE is a whole number of percent, 1 to 100");
  const lines = feed.split("\n").filter((line) => line !== "" && !line.startsWith("stagingPercentage:"));
  return `${[...lines, ...(percent === 100 ? [] : [`stagingPercentage: ${percent}`])].join("\n")}\n`;
}
