import Type, { type Static } from 'typebox';
import { Value } from 'typebox/value';
import { DamagedBackup } from './damaged-backup.ts';

export const manifestName = 'manifest.json';

const List = Type.Object({
  /** Number of lines. */
  count: Type.Integer(),
  /** Checksum of all lines, in order. */
  sha256: Type.String(),
});

/** The key of an object, followed by its fault in parentheses unless it is missing. */
const Problem = Type.String({ pattern: '^[\\w.() -]{1,200}$' });

const Manifest = Type.Object({
  format: Type.Literal(1),
  /** ISO time of the snapshot. */
  madeAt: Type.String(),
  /** Names of the migrations that the database has run, oldest first. */
  migrations: Type.Array(Type.String()),
  tables: Type.Record(Type.String(), List),
  /** The list of images; null when only rows were backed up. */
  pictures: Type.Union([List, Type.Null()]),
  /** Number of image files in the archive. */
  images: Type.Integer(),
  /** Missing or damaged files of images in use, with the first keys as examples. Any such file makes the backup incomplete. */
  lost: Type.Object({
    count: Type.Integer({ minimum: 0 }),
    examples: Type.Array(Problem),
  }),
});
export type ListSummary = Static<typeof List>;
export type Manifest = Static<typeof Manifest>;

/** A line of the list of images. `bytes` is null when the file could not be read when the backup was made. */
export const ImageLine = Type.Object({
  key: Type.String({ pattern: '^[\\w-]+\\.[\\w.-]+$' }),
  bytes: Type.Union([Type.Integer(), Type.Null()]),
  sha256: Type.Union([Type.String(), Type.Null()]),
  /** Only for images in use that are not already known to be lost. */
  problem: Type.Union([Problem, Type.Null()]),
});

export function summarize({ tables, images }: Manifest): string {
  const rows = Object.values(tables).reduce((sum, { count }) => sum + count, 0);
  return `${rows} rows and ${images} image files`;
}

/** A line of a list, exactly as the list's checksum covers it. */
export function toLine(item: unknown): string {
  return `${JSON.stringify(item)}\n`;
}

/** @throws DamagedBackup */
export function parseManifest(bytes: Buffer): Manifest {
  try {
    const manifest: unknown = JSON.parse(bytes.toString());
    if (Value.Check(Manifest, manifest)) return manifest;
  } catch {
    // Invalid JSON is reported below, like a manifest with another schema.
  }
  throw new DamagedBackup([`${manifestName} is damaged, or of another version of tertulia`]);
}
