import path from 'node:path';
import {
  type LedgerLine,
  ledgerIn,
  readLedger,
  readLocalLedger,
  readNamedLedger,
} from '../../privacy/erasure/erasure-ledger.ts';
import type { Config } from '../../system/settings/config.ts';
import { backupFolder } from './backup-folder.ts';

/**
 * Reads the ledgers of erased accounts for a restore: one that the operator names, the one beside the backup, and this
 * machine's.
 * @returns the files that are ledgers, and all their lines
 * @throws OperatorError when the named file is none; UnfitDatabase when this machine's cannot be read
 */
export async function readLedgers(
  config: Config,
  backup: string,
  named: string | undefined,
): Promise<{ files: string[]; lines: LedgerLine[] }> {
  const [beside, local] = [ledgerIn(path.dirname(backup)), ledgerIn(backupFolder(config))];
  const read = new Map<string, LedgerLine[]>();
  if (named) read.set(named, await readNamedLedger(named));
  if (!read.has(beside)) read.set(beside, await readLedger(beside));
  if (!read.has(local)) read.set(local, await readLocalLedger(backupFolder(config)));
  const found = [...read].filter(([, lines]) => lines.length > 0);
  return { files: found.map(([file]) => file), lines: found.flatMap(([, lines]) => lines) };
}
