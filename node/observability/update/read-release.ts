// The response of a release host as a release: GitHub, GitLab and Gitea each name the fields a little differently.
import type { LatestRelease } from "#shared/api/schemas/discovery.ts";

type Fields = Readonly<Record<string, unknown>>;

const MAX_FIELD_CHARS = 500;
const COMMIT = /^[0-9a-f]{7,64}$/i;

/**
 * Latest release of one release object, or of a list of them, newest first: drafts and pre-releases of a list are passed over.
 * Undefined when the value is neither.
 */
export function readRelease(value: unknown): LatestRelease | undefined {
  const release = Array.isArray(value)
    ? value.find((item: unknown) => isFields(item) && item.draft !== true && item.prerelease !== true)
    : value;
  if (!isFields(release)) return undefined;
  const tag = text(release.tag_name) ?? text(release.tag);
  if (tag === undefined || tag === "") return undefined;
  const commit = [release.commit, isFields(release.commit) ? release.commit.id : undefined, release.target_commitish].map(text);
  const url = [release.html_url, release.url].map(text).find((address) => address !== undefined && /^https?:\/\//.test(address));
  return {
    tag,
    commit: commit.find((id) => id !== undefined && COMMIT.test(id)) ?? "",
    url: url ?? "",
    published_at: text(release.published_at) ?? text(release.released_at) ?? "",
  };
}

function isFields(value: unknown): value is Fields {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function text(value: unknown): string | undefined {
  return typeof value === "string" && value.length <= MAX_FIELD_CHARS ? value : undefined;
}
