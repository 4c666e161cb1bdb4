import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { demoPeople } from './people.ts';

interface DemoComment {
  /** Key of a demo person. */
  author: string;
  text: string;
}

export interface DemoChannel {
  slug: string;
  name: string;
  description: string;
  /** Key of a demo person. */
  author: string;
  /** Seed of the cover's tile pattern. */
  coverSeed: string;
  openedDaysAgo: number;
  /** Age of the newest comment. */
  latestHoursAgo: number;
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
 * Parses the file of a channel: lines of `field: value`, an empty line, the description, a line of
 * dashes, and the comments, each with `@` and the key of its author in front. Texts may have paragraphs.
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
  const comments = conversation
    .split(/^(?=@)/m)
    .filter((part) => part.trim() !== '')
    .map((part): DemoComment => {
      const [, author = '', text = ''] = /^@(\w+) (.+)$/s.exec(part.trim()) ?? [];
      return { author: requirePerson(slug, author), text };
    });
  return {
    slug,
    name: requireField('name'),
    description: description.trim(),
    author: requirePerson(slug, requireField('author')),
    coverSeed: requireField('cover'),
    openedDaysAgo: Number(requireField('opened-days-ago')),
    latestHoursAgo: comments.length > 0 ? Number(requireField('latest-hours-ago')) : 0,
    comments,
  };
}

function requirePerson(slug: string, key: string): string {
  if (!keys.has(key)) throw new Error(`${slug}: no person "${key}"`);
  return key;
}
