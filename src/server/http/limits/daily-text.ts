import { megabytesText } from '../../../shared/number-texts.ts';
import type { Database } from '../../database/tables.ts';
import { ApiError } from '../api-error.ts';
import { consumeInTransaction, waitText } from './budgets.ts';

/** Text that an account may write in a day: a book of a million words has 6 MB. */
const maxMegabytes = 20;
/** Shorter texts are not counted, which would take a tenth of the time of a comment: sixty a minute are about as much. */
const shortBytes = 300;

/**
 * Counts what an account writes: comments, channels, pending posts and edits. Call it in the transaction that stores the
 * content, with the account's row locked.
 * @throws ApiError `too_many_requests` with Retry-After
 */
export async function countText(
  trx: Database,
  accountId: string,
  content: object,
  nowMs: number,
): Promise<void> {
  const bytes = Buffer.byteLength(JSON.stringify(content));
  if (bytes < shortBytes) return;
  const max = maxMegabytes * 1024 * 1024;
  const seconds = await consumeInTransaction(trx, `text:${accountId}`, max, nowMs, bytes);
  if (seconds === 0) return;
  throw new ApiError('too_many_requests', {
    detail: `Has llegado a los ${megabytesText(maxMegabytes)} de texto que se pueden escribir en un día. Vuelve a intentarlo ${waitText(seconds)}.`,
    headers: { 'retry-after': String(seconds) },
  });
}
