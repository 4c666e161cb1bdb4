import type { Config } from '../config.ts';
import { lockDataDir } from '../database/data-dir-lock.ts';
import { openDatabase, openToRead } from '../database/database.ts';
import { migrate } from '../database/migrate.ts';
import type { Database } from '../database/tables.ts';
import { openImageStore } from '../images/open-image-store.ts';
import { carryPictures, requireOwnPictures } from './carry-pictures.ts';
import { carryRows, proveRows, requireCopyOf } from './carry-rows.ts';
import { Differences } from './differences.ts';
import { MoveRefused } from './move-refused.ts';
import type { Move } from './move-settings.ts';
import { hasOurTables } from './schema-state.ts';
import { requireNotServed } from './served-from.ts';
import { inSnapshot } from './table-rows.ts';

type Say = (line: string) => void;

/**
 * Carries a community to another database, another image store or both, beside a server that goes
 * on writing, and proves that the target holds the same. Run again, it carries what came since.
 * @returns what differs
 * @throws MoveRefused before anything is written
 * @throws DataDirInUse when a server serves from the target's folder
 */
export async function moveHouse(move: Move, say: Say): Promise<Differences> {
  await using opened = new AsyncDisposableStack();
  const source = openToRead(move.source);
  if (!source) throw new MoveRefused(`There is no community in ${move.source.dataDir}.`);
  opened.defer(() => source.destroy());
  if (!(await hasOurTables(source, 'source'))) {
    throw new MoveRefused("There is no community in the source's database.");
  }
  // Folders are made on the way, so what may refuse comes first.
  if (move.database && !move.check && !move.target.databaseUrl) {
    opened.defer(lockDataDir(move.target.dataDir));
  }
  if (move.database) await requireFitDatabase(source, move);
  const stores = {
    db: source,
    source: await openImageStore(move.source, true),
    target: await openImageStore(move.target, true),
  };
  if (move.pictures) await requireOwnPictures(stores);

  const differences = new Differences();
  if (move.database) {
    say(`database: ${databaseOf(move.source)} → ${databaseOf(move.target)}`);
    await moveDatabase(source, move, differences, say);
  }
  if (move.pictures) {
    say(`pictures: ${picturesOf(move.source)} → ${picturesOf(move.target)}`);
    await carryPictures(stores, move.check, differences, say);
  }
  return differences;
}

/** @throws MoveRefused when the target's database is not empty, and not an earlier copy either */
async function requireFitDatabase(source: Database, { target, check }: Move): Promise<void> {
  const there = openToRead(target);
  try {
    const isBegun = there && (await hasOurTables(there, 'target'));
    if (check && !isBegun) throw new MoveRefused('There is nothing at the target to compare with.');
    if (!isBegun || check) return;
    await requireNotServed(there);
    await inSnapshot(source, (snapshot) => requireCopyOf(snapshot, there));
  } finally {
    await there?.destroy();
  }
}

async function moveDatabase(
  source: Database,
  { target, check }: Move,
  differences: Differences,
  say: Say,
): Promise<void> {
  await using opened = new AsyncDisposableStack();
  const writer = check ? undefined : openDatabase(target, { patient: true });
  if (writer) {
    opened.defer(() => writer.destroy());
    await migrate(writer);
  }
  const there = openToRead(target);
  if (!there) throw new Error('the database that was just made is not there');
  opened.defer(() => there.destroy());
  await inSnapshot(source, async (snapshot) => {
    if (writer) await carryRows(snapshot, there, writer, say);
    await proveRows(snapshot, there, differences, say);
  });
}

/** Without the password that an address may hold. */
function databaseOf({ databaseUrl, dataDir }: Config): string {
  if (!databaseUrl) return `SQLite in ${dataDir}`;
  const { host, pathname } = new URL(databaseUrl);
  return `PostgreSQL at ${host}${pathname}`;
}

function picturesOf({ s3, dataDir }: Config): string {
  return s3 ? `bucket ${s3.bucket} at ${new URL(s3.endpoint).host}` : `the folder ${dataDir}`;
}
