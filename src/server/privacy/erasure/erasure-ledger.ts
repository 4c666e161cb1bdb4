import { createHash } from 'node:crypto';
import { mkdir, open, readFile } from 'node:fs/promises';
import path from 'node:path';
import type { DeletedContent } from '../../../shared/account-settings.ts';
import { UnfitDatabase } from '../../database/errors.ts';
import { toInstant } from '../../database/tables.ts';
import { sync } from '../../system/files.ts';
import { userName } from '../../system/user-name.ts';
import { contentOf } from '../deletion/deletion-receipt.ts';

/**
 * The ledger of erased accounts is stored beside the backups, so that restoring an older backup neither brings accounts
 * back nor forgets who asked to be deleted. Lines are only added. Each machine completes its file from the database
 * (complete-ledger.ts).
 */
const ledgerName = 'erased-accounts.txt';

/**
 * A line of the ledger. `accountHash` is the SHA-256 of the account's id, base64url. A request is named by the time at
 * which it was made, so that files of several machines can be merged in any order.
 */
export type LedgerLine =
  | { kind: 'erased'; accountHash: string; content: DeletedContent }
  | (Requested & { kind: 'requested'; accountHash: string })
  | { kind: 'cancelled'; accountHash: string; requestedAtMs: number };

interface Requested {
  content: DeletedContent;
  requestedAtMs: number;
  endsAtMs: number;
}

/** The requests of an account in the ledgers. */
export interface Requests {
  /** Requests that were neither cancelled nor replaced by another one, newest first. */
  open: Requested[];
  /** Times of the requests that were cancelled or replaced. */
  cancelled: Set<number>;
}

/** No beginning of a line is another kind of line: a crash that truncates a request must not make it an erasure. */
const lineShape =
  /^([\w-]{43}) (?:(anonymous|erase)|requested (anonymous|erase) ([\d:.TZ-]{24}) until ([\d:.TZ-]{24})|cancelled ([\d:.TZ-]{24}))$/;

export function ledgerIn(folder: string): string {
  return path.join(folder, ledgerName);
}

export function hashAccount(accountId: string): string {
  return createHash('sha256').update(accountId).digest('base64url');
}

function formatLine(line: LedgerLine): string {
  const { accountHash } = line;
  if (line.kind === 'erased') return `${accountHash} ${line.content}`;
  const requestedAt = toInstant(line.requestedAtMs);
  if (line.kind === 'cancelled') return `${accountHash} cancelled ${requestedAt}`;
  return `${accountHash} requested ${line.content} ${requestedAt} until ${toInstant(line.endsAtMs)}`;
}

/** Skips lines truncated by a crash, and lines of newer versions. */
function parseLine(text: string): LedgerLine[] {
  const [, accountHash, erased, content, requestedAt, endsAt, cancelled] =
    lineShape.exec(text) ?? [];
  if (!accountHash) return [];
  if (erased) return [{ kind: 'erased', accountHash, content: contentOf(erased) }];
  const requestedAtMs = Date.parse(cancelled ?? requestedAt ?? '');
  if (Number.isNaN(requestedAtMs)) return [];
  if (cancelled) return [{ kind: 'cancelled', accountHash, requestedAtMs }];
  const endsAtMs = Date.parse(endsAt ?? '');
  if (!content || Number.isNaN(endsAtMs)) return [];
  return [{ kind: 'requested', accountHash, content: contentOf(content), requestedAtMs, endsAtMs }];
}

/**
 * Reads a ledger; empty when the file or folder is missing. A copy may have passed through a program that writes other
 * line ends, or spaces behind them.
 * @param onSkipped is told how many lines were not understood
 */
export async function readLedger(
  file: string,
  onSkipped: (count: number) => void = () => {},
): Promise<LedgerLine[]> {
  const text = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT' || error.code === 'ENOTDIR') return '';
    throw error;
  });
  const texts = text.split(/[\r\n]+/).map((line) => line.trim());
  const parsed = texts.filter((line) => line !== '').map(parseLine);
  onSkipped(parsed.filter((lines) => lines.length === 0).length);
  return parsed.flat();
}

/** Reads this machine's ledger. @throws UnfitDatabase when it cannot be read */
export function readLocalLedger(folder: string): Promise<LedgerLine[]> {
  return requireLedger(ledgerIn(folder));
}

/** Reads a ledger. @throws UnfitDatabase when it exists and cannot be read */
export async function requireLedger(
  file: string,
  onSkipped?: (count: number) => void,
): Promise<LedgerLine[]> {
  return readLedger(file, onSkipped).catch((error: Error) => {
    throw new UnfitDatabase(
      `The ledger of erased accounts, ${file}, cannot be read: ${error.message}. Without it, erased accounts could be shown again. Make it and its folder readable to the user ${userName()}, or restore the file from a copy of the backups. Nothing was changed.`,
      { cause: error },
    );
  });
}

/** Groups the requests in ledgers, whose lines may be in any order, by the hash of the account. */
export function groupRequests(lines: LedgerLine[]): Map<string, Requests> {
  const grouped = new Map<string, Requests>();
  for (const [accountHash, ofAccount = []] of Map.groupBy(lines, (line) => line.accountHash)) {
    const cancelled = new Set(
      ofAccount.filter((line) => line.kind === 'cancelled').map((line) => line.requestedAtMs),
    );
    const open = ofAccount
      .filter((line) => line.kind === 'requested')
      .filter(({ requestedAtMs }) => !cancelled.has(requestedAtMs))
      .sort((a, b) => b.requestedAtMs - a.requestedAtMs);
    grouped.set(accountHash, { open, cancelled });
  }
  return grouped;
}

/** Adds the lines that this machine's ledger lacks, and syncs it to disk. */
export async function addToLedger(folder: string, lines: LedgerLine[]): Promise<void> {
  const file = ledgerIn(folder);
  const known = new Set((await readLedger(file)).map(formatLine));
  const missing = [...new Set(lines.map(formatLine))].filter((line) => !known.has(line));
  if (missing.length === 0) return;
  await mkdir(folder, { recursive: true });
  const handle = await open(file, 'a', 0o600);
  try {
    // The leading line break ends a line truncated by a crash.
    await handle.writeFile(`\n${missing.join('\n')}\n`);
    await handle.sync();
  } finally {
    await handle.close();
  }
  await sync(folder);
}
