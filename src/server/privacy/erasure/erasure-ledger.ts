import { createHash } from 'node:crypto';
import { mkdir, open, readFile } from 'node:fs/promises';
import path from 'node:path';
import type { DeletedContent } from '../../../shared/account-settings.ts';
import { UnfitDatabase } from '../../database/errors.ts';
import type { Database } from '../../database/tables.ts';
import { sync } from '../../system/files.ts';
import { userName } from '../../system/user-name.ts';
import { contentOf } from '../deletion/deletion-receipt.ts';

/**
 * The ledger of erased accounts is stored beside the backups, so that restoring an older backup does not bring the
 * accounts back. The database has the same list as rows of erased accounts, from which each machine completes its file.
 */
const ledgerName = 'erased-accounts.txt';

export interface Erasure {
  /** SHA-256 of the account's id, base64url. */
  accountHash: string;
  content: DeletedContent;
}

export function ledgerIn(folder: string): string {
  return path.join(folder, ledgerName);
}

export function hashAccount(accountId: string): string {
  return createHash('sha256').update(accountId).digest('base64url');
}

/** Reads a ledger; empty when the file or folder is missing. Skips lines truncated by a crash. */
export async function readLedger(file: string): Promise<Erasure[]> {
  const text = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT' || error.code === 'ENOTDIR') return '';
    throw error;
  });
  return text.split('\n').flatMap((line) => {
    const [, accountHash, content] = /^([\w-]{43}) (anonymous|erase)$/.exec(line) ?? [];
    return accountHash ? [{ accountHash, content: content as DeletedContent }] : [];
  });
}

/** Reads this machine's ledger. @throws UnfitDatabase when it cannot be read */
export async function readLocalLedger(folder: string): Promise<Erasure[]> {
  const file = ledgerIn(folder);
  return readLedger(file).catch((error: Error) => {
    throw new UnfitDatabase(
      `The ledger of erased accounts, ${file}, cannot be read: ${error.message}. Without it, erased accounts could be shown again. Make it and its folder readable to the user ${userName()}, or restore the file from a copy of the backups.`,
      { cause: error },
    );
  });
}

export async function readLedgerBeside(backup: string): Promise<Erasure[]> {
  return readLedger(ledgerIn(path.dirname(backup)));
}

/** Adds missing erasures to this machine's ledger and syncs it to disk. */
export async function addToLedger(folder: string, erasures: Erasure[]): Promise<void> {
  const file = ledgerIn(folder);
  const known = new Set((await readLedger(file)).map(({ accountHash }) => accountHash));
  const missing = erasures.filter(({ accountHash }) => !known.has(accountHash));
  if (missing.length === 0) return;
  const lines = missing.map(({ accountHash, content }) => `${accountHash} ${content}\n`);
  await mkdir(folder, { recursive: true });
  const handle = await open(file, 'a', 0o600);
  try {
    // The leading line break ends a line truncated by a crash.
    await handle.writeFile(`\n${lines.join('')}`);
    await handle.sync();
  } finally {
    await handle.close();
  }
  await sync(folder);
}

/** Adds all erased accounts in the database to this machine's ledger. */
export async function completeLedger(folder: string, db: Database): Promise<void> {
  const accounts = await db
    .selectFrom('accounts')
    .select(['id', 'deletion_content'])
    .where('erased_at_ms', 'is not', null)
    .execute();
  const erasures = accounts.map(({ id, deletion_content }) => ({
    accountHash: hashAccount(id),
    content: contentOf(deletion_content),
  }));
  await addToLedger(folder, erasures);
}
