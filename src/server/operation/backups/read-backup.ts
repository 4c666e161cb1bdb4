import { createHash, type Hash } from 'node:crypto';
import { Value } from 'typebox/value';
import { requireKnown } from '../../database/migrations/migrate.ts';
import type { Row } from '../../database/read-rows.ts';
import { backedUpTables } from '../../database/table-register.ts';
import { readArchive } from './archive-reader.ts';
import { DamagedBackup, NoBackup } from './damaged-backup.ts';
import { ImageLine, type Manifest, manifestName, parseManifest } from './manifest.ts';

export type BackupPart =
  | { kind: 'rows'; table: string; rows: Row[] }
  | { kind: 'image'; key: string; bytes: Buffer }
  /** A line of the list of images. */
  | { kind: 'listed'; key: string; problem: string | null }
  | { kind: 'end'; manifest: Manifest };

/** Maximum number of problems that one error names. */
export const maxProblems = 20;

interface ReadList {
  hash: Hash;
  /** Number of lines. */
  count: number;
}

/**
 * Reads a backup from beginning to end and compares rows, images, the list of images and the manifest
 * with their checksums. The parts that it yields are verified only once it has yielded the end.
 * @throws DamagedBackup with all problems found, at the end or at the first unreadable entry; OtherVersion
 */
export async function* readBackup(file: string): AsyncGenerator<BackupPart> {
  const problems: string[] = [];
  const lists = new Map<string, ReadList>();
  /** Checksums of images whose line in the list has not been read yet; at most a few thousand. */
  const unlisted = new Map<string, string>();
  const names = new Set<string>();
  let images = 0;
  let manifest: Manifest | undefined;

  try {
    for await (const { name, bytes } of readArchive(file)) {
      if (names.has(name)) throw new DamagedBackup([`${name} is a duplicate entry`]);
      names.add(name);
      const [, imageKey] = /^images\/([\w-]+\.[\w.-]+)$/.exec(name) ?? [];
      const [, listName, table] = /^(pictures|rows\/(\w+))\.\d+\.ndjson$/.exec(name) ?? [];
      if (imageKey) {
        images++;
        unlisted.set(imageKey, createHash('sha256').update(bytes).digest('hex'));
        yield { kind: 'image', key: imageKey, bytes };
      } else if (listName) {
        const lines = parseLines(bytes);
        const list = lists.get(listName) ?? { hash: createHash('sha256'), count: 0 };
        list.hash.update(bytes);
        list.count += lines.length;
        lists.set(listName, list);
        if (table && !isTable(table)) {
          // The manifest, which comes last, may show that another version made the backup, which is thrown instead.
          problems.push(`${name}: unknown table`);
        } else if (table) {
          if (!lines.every(isRow)) throw new DamagedBackup([`${name}: a line is not a row`]);
          yield { kind: 'rows', table, rows: lines };
        } else {
          for (const line of lines) {
            if (!Value.Check(ImageLine, line)) continue;
            const { key, sha256, problem } = line;
            const found = unlisted.get(key) ?? null;
            if (found !== sha256) {
              const fault = found ? 'does not match its checksum' : 'is missing';
              problems.push(`the image ${key} ${fault}`);
            }
            unlisted.delete(key);
            yield { kind: 'listed', key, problem };
          }
        }
      } else if (name === manifestName) {
        manifest = parseManifest(bytes);
      } else {
        // An unknown first entry means that another program made the archive.
        if (names.size === 1) throw new NoBackup(file);
        problems.push(`${name} does not belong in a backup`);
      }
    }
  } catch (error) {
    if (!(error instanceof DamagedBackup) || error instanceof NoBackup) throw error;
    problems.push(...error.problems);
  }

  if (manifest) requireKnown(manifest.migrations);
  for (const key of unlisted.keys()) problems.push(`the image ${key} is not listed`);
  if (manifest) problems.push(...compareLists(manifest, lists));
  if (manifest && manifest.images !== images)
    problems.push(`it has ${images} image files instead of ${manifest.images}`);
  if (!manifest && problems.length === 0) problems.push(`${manifestName} is missing`);
  if (!manifest || problems.length > 0) throw new DamagedBackup(problems.slice(0, maxProblems));
  yield { kind: 'end', manifest };
}

function compareLists({ tables, pictures }: Manifest, found: Map<string, ReadList>): string[] {
  const unknown = Object.keys(tables).filter((name) => !isTable(name));
  if (unknown.length > 0) return unknown.map((name) => `rows/${name}: unknown table`);
  const expected = new Map(Object.entries(tables).map(([name, list]) => [`rows/${name}`, list]));
  if (pictures) expected.set('pictures', pictures);
  const none = { hash: createHash('sha256'), count: 0 };
  return [...new Set([...expected.keys(), ...found.keys()])].flatMap((name) => {
    const list = expected.get(name);
    if (!list) return [`${name} is not in ${manifestName}`];
    const { hash, count } = found.get(name) ?? none;
    if (count !== list.count) return [`${name} has ${count} lines instead of ${list.count}`];
    return hash.copy().digest('hex') === list.sha256 ? [] : [`${name} does not match its checksum`];
  });
}

/** Invalid JSON becomes null; the list's checksum or the check of rows reports the damage. */
function parseLines(bytes: Buffer): unknown[] {
  const lines = bytes.toString().split('\n').slice(0, -1);
  return lines.map((line) => {
    try {
      return JSON.parse(line) as unknown;
    } catch {
      return null;
    }
  });
}

/** Checks own properties, because the archive may name a table `constructor` or like another inherited property. */
function isTable(name: string): boolean {
  return Object.hasOwn(backedUpTables, name);
}

function isRow(line: unknown): line is Row {
  if (line === null || typeof line !== 'object' || Array.isArray(line)) return false;
  return Object.values(line).every(
    (value) => value === null || typeof value === 'string' || typeof value === 'number',
  );
}
