import { type SqlBool, sql } from 'kysely';
import type { Readers } from '../../../shared/site-settings.ts';
import { type Database, toInstant } from '../../database/tables.ts';
import { ApiError } from '../../http/api-error.ts';

/** The effect of moderators' decisions on an account. */
export interface Restriction {
  /** `silenced` accounts may read and change their own data; `suspended` ones may only see the decision, and leave. */
  code: 'silenced' | 'suspended';
  /** Whether everything that the account wrote is hidden as well. */
  isHidden: boolean;
  decisionId: string;
  /** Null when it has no end. */
  untilMs: number | null;
  /** Written by the moderator. */
  reason: string;
}

/**
 * Checks that an account may publish, and locks its row: a decision that restricts it either was made before or waits
 * until the transaction ends, and so do its other writes. Call it before taking any other lock.
 * @throws ApiError `not_signed_in`, `silenced`, `suspended`
 */
export async function requireWriter(trx: Database, accountId: string, nowMs: number) {
  const account = await trx
    .selectFrom('accounts')
    .select(['id', 'role', 'approved_at_ms', 'created_at_ms'])
    .where('id', '=', accountId)
    .where('disabled_at_ms', 'is', null)
    .where('erased_at_ms', 'is', null)
    .forNoKeyUpdate()
    .executeTakeFirst();
  if (!account) throw new ApiError('not_signed_in');
  // A separate query, which sees a decision that the lock waited for.
  const restriction = await findRestriction(trx, accountId, nowMs);
  if (restriction) throw restrictionError(restriction);
  return account;
}

/** The effect of all decisions in force on an account that is neither disabled nor erased. */
export interface Standing {
  /** Undefined while no decision restricts the account. */
  restriction: Restriction | undefined;
  /** Whether everything that the account wrote is hidden. */
  isHidden: boolean;
}

/** Whether an account may read: what only accounts see and, in a community of members, all that members wrote. */
export const mayRead = ({ restriction, isHidden }: Standing, readers: Readers): boolean =>
  restriction?.code !== 'suspended' && !(isHidden && readers === 'members');

/** @returns undefined when the account is disabled or erased */
export async function findStanding(
  db: Database,
  accountId: string,
  nowMs: number,
): Promise<Standing | undefined> {
  const account = await db
    .selectFrom('accounts')
    .select('hidden_by')
    .where('id', '=', accountId)
    .where('disabled_at_ms', 'is', null)
    .where('erased_at_ms', 'is', null)
    .executeTakeFirst();
  if (!account) return undefined;
  const restriction = await findRestriction(db, accountId, nowMs);
  return { restriction, isHidden: account.hidden_by !== null };
}

/** The strictest decision in force for an account; among equally strict ones, the one that ends last. */
export async function findRestriction(
  db: Database,
  accountId: string,
  nowMs: number,
): Promise<Restriction | undefined> {
  const row = await restrictionsInForce(db, nowMs)
    .where('account_id', '=', accountId)
    .select(['decisions.id', 'action', 'until_ms', 'reason'])
    .orderBy(sql`case action when 'suspend' then 0 else 1 end`)
    .orderBy(sql`case when until_ms is null then 0 else 1 end`)
    .orderBy('until_ms', 'desc')
    .limit(1)
    .executeTakeFirst();
  if (!row) return undefined;
  const code = row.action === 'suspend' ? 'suspended' : 'silenced';
  const isHidden = row.action === 'hideAll';
  return { code, isHidden, decisionId: row.id, untilMs: row.until_ms, reason: row.reason };
}

/** Decisions about accounts that no later decision has undone. */
export const decisionsInForce = (db: Database) =>
  db
    .selectFrom('decision_accounts')
    .innerJoin('decisions', 'decisions.id', 'decision_accounts.decision_id')
    .where(isNotUndone('decisions'));

/** SQL condition: no later decision has undone this one. @param decision alias of the table `decisions` */
export const isNotUndone = (decision: string) => sql<SqlBool>`not exists (
  select 1 from decisions as later where later.undoes = ${sql.ref(`${decision}.id`)})`;

/** Decisions in force that prevent accounts from writing. */
export const restrictionsInForce = (db: Database, nowMs: number) =>
  decisionsInForce(db)
    .where('action', 'in', ['silence', 'suspend', 'hideAll'])
    .where((eb) => eb.or([eb('until_ms', 'is', null), eb('until_ms', '>', nowMs)]));

/**
 * The error with the reason and the end of a restriction. `until` is separate, because the page shows it in the
 * reader's time zone.
 */
export function restrictionError({
  code,
  untilMs,
  reason,
}: Pick<Restriction, 'code' | 'untilMs' | 'reason'>): ApiError {
  const what = code === 'suspended' ? 'Tu cuenta está suspendida' : 'No puedes escribir en el foro';
  const why = reason === '' ? '' : ` Motivo: ${asSentence(reason)}`;
  return new ApiError(code, {
    detail: `${what}.${why} En Ajustes puedes ver la decisión y pedir que se revise.`,
    until: untilMs === null ? null : toInstant(untilMs),
  });
}

/** Ends a text with a full stop unless it already ends with other punctuation. */
export const asSentence = (text: string) => `${text}${/[.!?…]$/.test(text) ? '' : '.'}`;
