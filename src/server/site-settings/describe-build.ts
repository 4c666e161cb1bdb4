import type { Build, Release } from '../../shared/site-settings.ts';
import { buildDate, buildName, isOldBuild } from '../system/version.ts';

/** @param newest the newest entry of the feed of releases, if one was read */
export function describeBuild(newest: Release | undefined, nowMs: number): Build {
  const name = buildName();
  const madeAt = buildDate() ?? null;
  const isNewer =
    newest !== undefined &&
    madeAt !== null &&
    Date.parse(newest.at) > Date.parse(madeAt) &&
    !namesVersion(newest, name);
  return { name, madeAt, isOld: isOldBuild(nowMs), newer: isNewer ? newest : null };
}

const versions = /\d{1,9}(?:\.\d{1,9}){1,4}(?:[-+][\w.+-]{1,50})?/g;

/** Whether an entry is the one of this build: it is published some time after the commit. */
function namesVersion({ title, url }: Release, name: string): boolean {
  const [version = ''] = name.split('+');
  return [title, url].some((text) => text.match(versions)?.includes(version));
}
