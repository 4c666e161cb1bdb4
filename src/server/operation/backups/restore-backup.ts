import { stat } from 'node:fs/promises';
import path from 'node:path';
import { sql } from 'kysely';
import { engineNamed } from '../../database/engine.ts';
import type { FillSteps } from '../../database/engine-type.ts';
import { type Migrations, migrate } from '../../database/migrations/migrate.ts';
import { tablesWith } from '../../database/table-register.ts';
import type { Database } from '../../database/tables.ts';
import { restartSecretPolls } from '../../forum/polls/restart-secret-polls.ts';
import type { ImageStore } from '../../images/stores/image-store.ts';
import { openImageStore } from '../../images/stores/open-image-store.ts';
import { contentTypeOf, imageIdOf, variantOf } from '../../images/stores/storage-keys.ts';
import { mailedUpTo } from '../../mail/queue-mail.ts';
import { type Applied, applyToRestored } from '../../privacy/erasure/apply-ledger.ts';
import {
  addToLedger,
  type LedgerLine,
  ledgerIn,
  requireLedger,
} from '../../privacy/erasure/erasure-ledger.ts';
import { OperatorError, type Print } from '../../system/operator-error.ts';
import type { Config } from '../../system/settings/config.ts';
import { describeDatabase, describeImageStore } from '../../system/settings/describe-stores.ts';
import { backupFolder } from './backup-folder.ts';
import { fillDatabase } from './fill-database.ts';
import type { Manifest } from './manifest.ts';
import { requireSpace } from './require-space.ts';
import { requireEmpty, requireNoImages } from './restore-target.ts';
import { verifyBackup } from './verify-backup.ts';

export interface Restored extends Manifest {
  /** The ledgers of erased accounts that were found, and what was changed by them. */
  ledger: { files: string[]; applied: Applied };
}

interface RestoreOptions {
  /** Also restores sessions, remembered browsers and password links, for moving a stopped site. */
  keepSessions?: boolean;
  /** A ledger of erased accounts to apply besides the one beside the backup and this machine's. */
  ledgerFile?: string | undefined;
  /** Prints which images are lost, and which files a failed restore leaves behind. */
  print?: Print;
  /** Overrides the program's migrations in tests. */
  migrations?: Migrations | undefined;
}

/**
 * Restores a backup of any engine and image store into those of the settings. The rows are committed after the
 * last image is written, and a failed restore removes no image. Sessions, and links that sign in without a
 * password, are omitted unless asked for, since some may have been revoked after the backup; the site's epoch
 * always is.
 * The ledgers of erased accounts (a named one, the one beside the backup and this machine's) are applied: the next start
 * erases the accounts that they list as erased.
 * @throws DamagedBackup, UnfitTarget, OtherVersion, InUse, having changed nothing
 */
export async function restoreBackup(
  config: Config,
  file: string,
  { keepSessions = false, ledgerFile, print = () => {}, migrations }: RestoreOptions = {},
): Promise<Restored> {
  const { files, lines } = await readLedgers(config, file, ledgerFile, print);
  const manifest = await verifyBackup(file);
  const images = await openImageStore(config);
  const leaveEmpty = keepSessions ? [] : tablesWith('backup', 'sign-in');
  let applied: Applied = { erased: 0, requested: 0, cancelled: 0 };
  let written = 0;
  const steps: FillSteps = {
    requireEmpty: (db) => requireEmpty(db, manifest),
    prepare: async () => {
      if (!config.s3) await requireSpace(config.dataDir, (await stat(file)).size, 'A restore');
      if (manifest.pictures) await requireNoImages(images);
      await addToLedger(backupFolder(config), lines);
    },
    fill: async (db) => {
      await fillDatabase(
        db,
        file,
        manifest,
        async (trx, part) => {
          if (part.kind === 'listed' && part.problem) {
            print(`lost: ${part.problem}`);
            await markLost(trx, imageIdOf(part.key));
          }
          if (part.kind !== 'image') return;
          await writeImage(trx, images, part.key, part.bytes);
          written++;
        },
        leaveEmpty,
      );
      await migrate(db, { migrations });
      // The next start creates another, and recognizes the site as restored.
      await db.updateTable('site').set({ epoch: null }).execute();
      applied = await applyToRestored(db, lines, Date.parse(manifest.madeAt), Date.now());
      await restartSecretPolls(db, Date.now());
      await markNotificationsMailed(db);
      if (!keepSessions) await markChannelsTold(db);
    },
  };
  try {
    await engineNamed(config).fillEmpty(config, steps);
    return { ...manifest, ledger: { files, applied } };
  } catch (error) {
    if (written > 0) {
      print(
        `The restore failed, and ${written} image files are left in ${describeImageStore(config)}, where there were none before. If ${describeDatabase(config)} is empty, they are nobody's: delete them all, and restore again.`,
      );
    }
    throw error;
  }
}

/** @throws OperatorError when the named file is no ledger; UnfitDatabase when one cannot be read */
async function readLedgers(
  config: Config,
  backup: string,
  named: string | undefined,
  print: Print,
) {
  const local = ledgerIn(backupFolder(config));
  const read = new Map<string, LedgerLine[]>();
  for (const file of new Set([named, ledgerIn(path.dirname(backup)), local])) {
    if (!file) continue;
    const warn = (count: number) => {
      if (count > 0)
        print(
          `${file}: lines that are not understood, and are left out: ${count}. A crash, or a newer version, leaves such lines.`,
        );
    };
    read.set(file, await requireLedger(file, warn));
  }
  if (named && read.get(named)?.length === 0) {
    throw new OperatorError(
      `${named} is missing or no ledger of erased accounts, the file ${path.basename(local)} beside the backups. Nothing was changed.`,
    );
  }
  const found = [...read].filter(([, lines]) => lines.length > 0);
  return { files: found.map(([file]) => file), lines: found.flatMap(([, lines]) => lines) };
}

/** Marks an image as lost, so that later backups of this site count as complete without it. */
async function markLost(db: Database, imageId: string): Promise<void> {
  const lost = db.updateTable('images').set({ is_lost: 1 });
  await lost.where('image_id', '=', imageId).execute();
}

/** Prevents duplicate mails: since the backup, mails may have been sent about any notification in it. */
async function markNotificationsMailed(db: Database): Promise<void> {
  const newest = sql<number>`(select coalesce(max(id), 0) from notifications)`;
  await db.updateTable('accounts').set(mailedUpTo(newest)).execute();
}

/** Likewise, people may have been told since the backup of what nobody was told of in it. */
async function markChannelsTold(db: Database): Promise<void> {
  await db
    .updateTable('channels')
    .set((eb) => ({ told_number: eb.ref('last_comment_number'), is_told: 1 }))
    .execute();
}

async function writeImage(
  db: Database,
  images: ImageStore,
  key: string,
  bytes: Buffer,
): Promise<void> {
  const row = await db
    .selectFrom('images')
    .select('content_type')
    .where('image_id', '=', imageIdOf(key))
    .executeTakeFirstOrThrow();
  await images.write(key, bytes, contentTypeOf(variantOf(key), row.content_type));
}
