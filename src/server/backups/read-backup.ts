import { createHash, type Hash } from 'node:crypto';
import { Value } from 'typebox/value';
import type { Row } from '../database/read-rows.ts';
import { tableKeys } from '../database/table-keys.ts';
import { readArchive } from './archive-reader.ts';
import { DamagedBackup } from './damaged-backup.ts';
import { ImageLine, type Manifest, manifestName, parseManifest } from './manifest.ts';

type BackupPart =
  | { kind: 'rows'; table: string; rows: Row[] }
  | { kind: 'picture'; key: string; bytes: Buffer }
  /** What the backup says it has, or null bytes for what was lost before it was made. */
  | { kind: 'listed'; key: string; bytes: number | null }
  | { kind: 'end'; manifest: Manifest };

/** Of very many the rest is not told. */
const maxProblems = 20;

/**
 * Reads a backup from one end to the other, comparing everything with its checksums: rows first,
 * then pictures, its manifest last. What it yields before its end is not yet proven.
 * @throws DamagedBackup at the end, or where it cannot go on, naming all that it found
 */
export async function* readBackup(file: string): AsyncGenerator<BackupPart> {
  const problems: string[] = [];
  const lists = new Map<string, { hash: Hash; count: number }>();
  /** Checksums of pictures that their list has not come to yet: some thousand at most. */
  const unlisted = new Map<string, string>();
  const names = new Set<string>();
  let manifest: Manifest | undefined;

  try {
    for await (const { name, bytes } of readArchive(file)) {
      if (names.has(name)) throw new DamagedBackup([`${name} is in it twice`]);
      names.add(name);
      const [, picture] = /^images\/([\w-]+\.[\w.-]+)$/.exec(name) ?? [];
      const [, listName = '', table = ''] =
        /^(pictures|rows\/(\w+))\.\d+\.ndjson$/.exec(name) ?? [];
      if (picture) {
        unlisted.set(picture, createHash('sha256').update(bytes).digest('hex'));
        yield { kind: 'picture', key: picture, bytes };
      } else if (listName) {
        const list = lists.get(listName) ?? { hash: createHash('sha256'), count: 0 };
        list.hash.update(bytes);
        const lines = parseLines(bytes);
        list.count += lines.length;
        lists.set(listName, list);
        if (table) {
          if (!isTable(table)) throw new DamagedBackup([`${name}: no such table is known`]);
          if (!lines.every(isRow)) throw new DamagedBackup([`${name}: a line of it is no row`]);
          yield { kind: 'rows', table, rows: lines };
        } else {
          for (const line of lines) {
            if (!Value.Check(ImageLine, line)) continue;
            const { key, bytes, sha256 } = line;
            const found = unlisted.get(key) ?? null;
            if (found !== sha256) {
              const what = found ? 'is not what it was when it was kept' : 'is missing';
              problems.push(`the picture ${key} ${what}`);
            }
            unlisted.delete(key);
            yield { kind: 'listed', key, bytes };
          }
        }
      } else if (name === manifestName) {
        manifest = parseManifest(bytes);
      } else {
        problems.push(`${name} is no part of a backup`);
      }
    }
  } catch (error) {
    if (!(error instanceof DamagedBackup)) throw error;
    problems.push(...error.problems);
  }

  for (const key of unlisted.keys()) problems.push(`the picture ${key} is in no list`);
  if (manifest) problems.push(...compareLists(manifest, lists));
  else if (problems.length === 0) problems.push(`it has no ${manifestName}`);
  if (!manifest || problems.length > 0) throw new DamagedBackup(problems.slice(0, maxProblems));
  yield { kind: 'end', manifest };
}

/** @throws DamagedBackup @returns what the backup says of itself, once all of it agrees */
export async function checkBackup(file: string): Promise<Manifest> {
  for await (const part of readBackup(file)) if (part.kind === 'end') return part.manifest;
  throw new DamagedBackup(['it has no end']);
}

function compareLists(
  { tables, pictures }: Manifest,
  found: Map<string, { hash: Hash; count: number }>,
): string[] {
  const unknown = Object.keys(tables).filter((name) => !isTable(name));
  if (unknown.length > 0) return unknown.map((name) => `rows/${name}: no such table is known`);
  const expected = new Map(Object.entries(tables).map(([name, list]) => [`rows/${name}`, list]));
  if (pictures) expected.set('pictures', pictures);
  const none = { hash: createHash('sha256'), count: 0 };
  return [...new Set([...expected.keys(), ...found.keys()])].flatMap((name) => {
    const list = expected.get(name);
    if (!list) return [`${name} is not named in ${manifestName}`];
    const { hash, count } = found.get(name) ?? none;
    if (count !== list.count) return [`${name} has ${count} lines, not ${list.count}`];
    return hash.copy().digest('hex') === list.sha256 ? [] : [`${name} is not what it was`];
  });
}

/** A line that is no JSON is left out, which its list's checksum tells of. */
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

/** The name comes from the archive: properties that every object has are no tables. */
function isTable(name: string): boolean {
  return Object.hasOwn(tableKeys, name);
}

function isRow(line: unknown): line is Row {
  if (line === null || typeof line !== 'object' || Array.isArray(line)) return false;
  return Object.values(line).every(
    (value) => value === null || typeof value === 'string' || typeof value === 'number',
  );
}
