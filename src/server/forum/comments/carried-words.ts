import { carriedText } from '../events/event-content.ts';

/**
 * The words of what a comment carries, for searches, excerpts and moderators: those of its dates, then the names of its
 * files.
 */
export function carriedWords({
  event,
  files,
}: {
  event: Parameters<typeof carriedText>[0] | null;
  files: { name: string }[];
}): string {
  return [...(event ? [carriedText(event)] : []), ...files.map(({ name }) => name)].join('\n');
}
