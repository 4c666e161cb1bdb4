import Type, { type Static } from 'typebox';
import { Value } from 'typebox/value';
import { DamagedBackup } from './damaged-backup.ts';

export const manifestName = 'manifest.json';

const List = Type.Object({
  count: Type.Integer(),
  /** Of all lines, as the archive has them. */
  sha256: Type.String(),
});

const Manifest = Type.Object({
  format: Type.Literal(1),
  /** ISO time at which its rows were as they are here. */
  madeAt: Type.String(),
  /** What the database had gone through, oldest first. */
  migrations: Type.Array(Type.String()),
  tables: Type.Record(Type.String(), List),
  /** null when only rows were kept. */
  pictures: Type.Union([List, Type.Null()]),
});
export type ListSummary = Static<typeof List>;
export type Manifest = Static<typeof Manifest>;

/** A line of the list of pictures; null bytes: its object was not there when the backup was made. */
export const ImageLine = Type.Object({
  key: Type.String({ pattern: '^[\\w-]+\\.[\\w.-]+$' }),
  bytes: Type.Union([Type.Integer(), Type.Null()]),
  sha256: Type.Union([Type.String(), Type.Null()]),
});

export function parseManifest(bytes: Buffer): Manifest {
  try {
    const manifest: unknown = JSON.parse(bytes.toString());
    if (Value.Check(Manifest, manifest)) return manifest;
  } catch {
    // Said below.
  }
  throw new DamagedBackup([`${manifestName} is damaged, or of another version of tertulia`]);
}
