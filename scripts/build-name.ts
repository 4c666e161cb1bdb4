/**
 * Names a build of a commit without a tag, so that Debian sorts it behind the release of its version, by the time of its
 * commit, and before the next release.
 */
export function nameUntagged(version: string, committedAtS: number, commit: string): string {
  const [date = '', time = ''] = new Date(committedAtS * 1000).toISOString().split(/T|\./);
  return `${version}+${date.replaceAll('-', '')}.${time.replaceAll(':', '')}.${commit}`;
}

/** Debian compares what follows a hyphen as a revision; a version with ~ comes before the one without. */
export function debianVersion(build: string): string {
  return build.replace('-', '~');
}
