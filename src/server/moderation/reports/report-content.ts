import { createHmac, randomBytes } from 'node:crypto';
import { sql } from 'kysely';
import { v7 as uuidv7 } from 'uuid';
import { visibleName } from '../../../shared/clean-text.ts';
import { limits } from '../../../shared/limits.ts';
import type { NewReport } from '../../../shared/moderation.ts';
import { lockAccountRow } from '../../accounts/standing/open-account.ts';
import type { Database } from '../../database/tables.ts';
import type { WithTransaction } from '../../database/transactions.ts';
import { ApiError } from '../../http/api-error.ts';
import { FieldParser } from '../../http/field-parser.ts';
import { emailKey } from '../../mail/email-key.ts';
import { openCase } from './open-case.ts';
import { reportSecret } from './report-secret.ts';
import { readSubjects, subjectKey } from './report-subjects.ts';

/** Reports stored per case; further reports by unnamed guests are neither stored nor counted. */
const maxReports = 100;
/** Maximum length of one reporter's text on one case, over several reports. */
const maxChars = 3 * limits.reasonChars;

type ParsedReport = Pick<NewReport, 'kind' | 'id' | 'reason'> &
  Record<'text' | 'name' | 'email', string>;

/** @throws ApiError `invalid_fields`, also for a guest who reports illegal content without giving a name */
export function parseReport(body: NewReport, isGuest: boolean): ParsedReport {
  const { kind, id, reason, text = '', name = '', email = '', goodFaith } = body;
  const fields = new FieldParser();
  const isNamed = isGuest && reason === 'illegal';
  const report = {
    kind,
    id,
    reason,
    text: isNamed
      ? fields.text('text', text, limits.reasonChars)
      : fields.optionalText('text', text, limits.reasonChars),
    name: isNamed ? fields.text('name', visibleName(name), limits.userNameChars) : '',
    email: isNamed ? fields.email('email', email) : '',
  };
  if (isNamed && goodFaith !== true) {
    fields.reject('goodFaith', 'Confirma que lo que dices es cierto hasta donde sabes.');
  }
  fields.done();
  return report;
}

type Report = ParsedReport & { account_id: string | null; reporter_key: string; said: string };

/**
 * Reports visible content or a visible person. Reports on the same subject share a case until it is decided.
 * @param reporter `accountId` is null for guests; `addressKey` from http/limits/concurrency.ts
 * @returns the receipt, which is the same when a person repeats a report
 * @throws ApiError `comment_not_found`, `channel_not_found`, `user_not_found`; `invalid_request` for one's own content
 */
export async function reportContent(
  {
    db,
    withTransaction,
    now,
  }: { db: Database; withTransaction: WithTransaction; now: () => number },
  reporter: { accountId: string | null; addressKey: string },
  report: ParsedReport,
): Promise<string> {
  const { kind, id } = report;
  const found = (await readSubjects(db, [{ kind, id }])).get(subjectKey(report));
  if (found?.state !== 'visible') throw new ApiError(`${kind}_not_found`);
  if (found.accountId === reporter.accountId) {
    throw new ApiError('invalid_request', { detail: 'No puedes denunciar lo tuyo.' });
  }
  const secret = await reportSecret(db);
  return withTransaction(`account ${found.accountId}`, async (trx) => {
    const nowMs = now();
    await lockAccountRow(trx, found.accountId);
    const isIllegal = report.reason === 'illegal';
    const open = await openCase(trx, { kind, id }, found.accountId, found, nowMs, isIllegal);
    const { accountId: account_id, addressKey } = reporter;
    const reporter_key = account_id ?? guestKey(secret, open.id, addressKey, report.email);
    // Texts, not revisions, which do not change with the dates that a comment carries.
    const said = open.text === found.text ? '' : found.text;
    return storeReport(trx, open, { ...report, account_id, reporter_key, said }, nowMs);
  });
}

/**
 * Depends on the case, so that nobody can tell which cases one guest reported. Guests who give their e-mail address are
 * distinct even if they share a network address; `sourceOfReport` is the part they share.
 */
function guestKey(secret: string, caseId: string, addressKey: string, email: string): string {
  const hash = (text: string) =>
    createHmac('sha256', secret).update(`${caseId} ${text}`).digest('base64url');
  return email ? `${hash(addressKey)}.${hash(emailKey(email))}` : hash(addressKey);
}

/**
 * The part of a reporter key shared by all reports on a case from one account, or from guests at one address: an id or
 * a hash.
 */
export const sourceOfReport = sql`substr(reporter_key, 1, 43)`;

async function storeReport(
  trx: Database,
  open: { id: string; report_count: number },
  { reason, text, name, email, said, account_id, reporter_key }: Report,
  nowMs: number,
): Promise<string> {
  const earlier = await trx
    .selectFrom('reports')
    .select(['id', 'receipt', 'text', 'said'])
    .where('case_id', '=', open.id)
    .where('reporter_key', '=', reporter_key)
    .executeTakeFirst();
  if (earlier) {
    const isNew = text !== '' && !earlier.text.includes(text);
    const both = isNew ? [earlier.text, text].filter(Boolean).join('\n\n') : earlier.text;
    await trx
      .updateTable('reports')
      .set({
        reason,
        text: both.length > maxChars ? earlier.text : both,
        // The text that was reported first stays; later ones are versions while the case is open.
        said: earlier.said || said,
      })
      .where('id', '=', earlier.id)
      .execute();
    return earlier.receipt;
  }
  if (open.report_count >= maxReports && account_id === null && name === '') {
    const { receipt } = await trx
      .selectFrom('reports')
      .select('receipt')
      .where('case_id', '=', open.id)
      .limit(1)
      .executeTakeFirstOrThrow();
    return receipt;
  }
  await trx
    .updateTable('cases')
    .set((eb) => ({ report_count: eb('report_count', '+', 1) }))
    .where('id', '=', open.id)
    .execute();
  const receipt = randomBytes(16).toString('base64url');
  await trx
    .insertInto('reports')
    .values({
      id: uuidv7(),
      case_id: open.id,
      receipt,
      account_id,
      reporter_key,
      reason,
      text,
      said,
      name,
      email,
      created_at_ms: nowMs,
    })
    .execute();
  return receipt;
}
