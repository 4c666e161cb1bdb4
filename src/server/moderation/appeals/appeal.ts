import { v7 as uuidv7 } from 'uuid';
import { limits } from '../../../shared/limits.ts';
import type { OwnDecision } from '../../../shared/moderation.ts';
import { lockAccountRow } from '../../accounts/standing/open-account.ts';
import type { Database } from '../../database/tables.ts';
import type { WithTransaction } from '../../database/transactions.ts';
import { ApiError } from '../../http/api-error.ts';
import { FieldParser } from '../../http/field-parser.ts';
import { readOwnDecisions } from './own-decisions.ts';

const appealable = ['hide', 'silence', 'suspend', 'hideAll'];

/**
 * Appeals against a decision about the account, once and while it is in force. Repeating the same text changes nothing.
 * @throws ApiError `decision_not_found`; `already_decided` when it is not in force, was already appealed against or
 * cannot be appealed against
 */
export async function appeal(
  { withTransaction, now }: { withTransaction: WithTransaction; now: () => number },
  accountId: string,
  decisionId: string,
  rawText: string,
): Promise<OwnDecision> {
  const fields = new FieldParser();
  const text = fields.text('text', rawText, limits.reasonChars);
  fields.done();
  const nowMs = now();
  return withTransaction(`account ${accountId}`, async (trx) => {
    await lockAccountRow(trx, accountId);
    const find = async () =>
      (await readOwnDecisions(trx, accountId, nowMs, decisionId))[0] ?? notFound();
    const { isInForce, action, appeal: earlier } = await find();
    if (earlier?.text === text) return find();
    if (earlier) throw refused('Ya habías pedido que se revise.');
    if (!isInForce) throw refused('Esa decisión ya no está en vigor.');
    if (!appealable.includes(action))
      throw refused('No se puede pedir que se revise esa decisión.');
    await insertAppeal(trx, { decision_id: decisionId, account_id: accountId, text }, nowMs);
    return find();
  });
}

async function insertAppeal(
  trx: Database,
  appeal: { decision_id: string; account_id: string; text: string },
  at_ms: number,
): Promise<void> {
  await trx
    .insertInto('appeals')
    .values({ ...appeal, id: uuidv7(), at_ms, answer: null })
    .execute();
}

const refused = (detail: string) => new ApiError('already_decided', { detail });

function notFound(): never {
  throw new ApiError('decision_not_found');
}
