import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { type DemoComment, parseComments } from './parse-comments.ts';
import { demoPeople } from './people.ts';

export interface DemoChannel {
  slug: string;
  name: string;
  description: string;
  /** Key of a demo person. */
  author: string;
  /** Seed of the cover's tile pattern. */
  coverSeed: string;
  openedDaysAgo: number;
  /** Age of the newest comment, in hours. */
  latestHoursAgo: number;
  /** Hours since the author closed the channel. */
  closedHoursAgo?: number;
  /** Number of the newest comments that the first demo person has not read. */
  unread: number;
  comments: DemoComment[];
}

const contentDir = path.join(import.meta.dirname, 'content');
const keys = new Set(demoPeople.map(({ key }) => key));

/** The channels of the demo, one for each file in `content/`. */
export function readDemoChannels(): DemoChannel[] {
  return readdirSync(contentDir)
    .sort()
    .map((file) =>
      parseChannel(path.parse(file).name, readFileSync(path.join(contentDir, file), 'utf8')),
    );
}

/**
 * Parses the file of a channel: lines of `field: value`, an empty line, the description, a line of dashes, and the
 * comments (see parse-comments.ts).
 * @throws when a field is missing or an author is unknown
 */
export function parseChannel(slug: string, source: string): DemoChannel {
  const [head = '', conversation = ''] = source.split(/^---$/m);
  const [, fieldLines = '', description = ''] = /^((?:[^\n]+\n)+)\n(.*)$/s.exec(head) ?? [];
  const fields = new Map(
    fieldLines.split('\n').map((line) => {
      const [name = '', value = ''] = line.split(/: (.*)/);
      return [name, value];
    }),
  );
  const requireField = (name: string) => {
    const value = fields.get(name);
    if (!value) throw new Error(`${slug}: no "${name}"`);
    return value;
  };
  const comments = parseComments(conversation, (key) => requirePerson(slug, key));
  const closedHoursAgo = fields.get('closed-hours-ago');
  return {
    slug,
    name: requireField('name'),
    description: description.trim(),
    author: requirePerson(slug, requireField('author')),
    coverSeed: requireField('cover'),
    openedDaysAgo: Number(requireField('opened-days-ago')),
    latestHoursAgo: comments.length > 0 ? Number(requireField('latest-hours-ago')) : 0,
    ...(closedHoursAgo ? { closedHoursAgo: Number(closedHoursAgo) } : {}),
    unread: Number(fields.get('unread') ?? 0),
    comments,
  };
}

function requirePerson(slug: string, key: string): string {
  if (!keys.has(key)) throw new Error(`${slug}: no person "${key}"`);
  return key;
}
