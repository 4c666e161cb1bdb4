import type { SelectQueryBuilder } from 'kysely';
import { fieldsOf } from '../../../shared/fields-of.ts';
import { engineOf } from '../../database/engine.ts';
import { findNames } from '../../database/mention-names.ts';
import { toPlainText } from '../../database/stored-text.ts';
import { type Database, toInstant } from '../../database/tables.ts';
import { isNotMarkedForErasure } from '../../database/visible-rows.ts';
import { imagesOf, type PendingRow, postOf, textOf } from '../../forum/pending/pending-rows.ts';
import { exportedImage } from './exported-images.ts';

/** Renames the columns of a row as in the API, and formats times: `created_at_ms` becomes `createdAt`. */
function exported(row: object): object {
  const fields = Object.entries(fieldsOf(row)).map(([column, value]): [string, unknown] => {
    const isTime = column.endsWith('_ms');
    const name = (isTime ? column.slice(0, -'_ms'.length) : column).replace(/_[a-z]/g, (match) =>
      match.slice(1).toUpperCase(),
    );
    return [name, isTime && typeof value === 'number' ? toInstant(value) : value];
  });
  return Object.fromEntries(fields);
}

/**
 * Streams the rows of a query that selects the columns to export. @param change applied to each row before it is
 * exported
 */
async function* exportedRows<DB, Table extends keyof DB, Row extends object>(
  db: Database,
  query: SelectQueryBuilder<DB, Table, Row>,
  change: (row: Row) => object = (row) => row,
): AsyncGenerator<object> {
  for await (const rows of engineOf(db).stream(db, query))
    yield* rows.map((row) => exported(change(row)));
}

/** The account itself, and when it will be erased. */
export async function* accountRow(db: Database, id: string): AsyncGenerator<object> {
  const account = await db
    .selectFrom('accounts')
    .select(['id', 'name', 'email', 'img', 'created_at_ms', 'name_changed_at_ms'])
    .select(['email_confirmed_at_ms', 'mail_every', 'mail_moderation'])
    .select(['push_excerpts', 'quiet_nights', 'zone', 'follow', 'tells_channels'])
    .select(['deletion_at_ms', 'deletion_requested_at_ms', 'deletion_content'])
    .where('id', '=', id)
    .executeTakeFirstOrThrow();
  yield exported(account);
}

/** Sessions, remembered browsers, those that are sent push messages, and passkeys of the account. */
export async function* sessionRows(db: Database, id: string): AsyncGenerator<object> {
  for (const table of ['sessions', 'devices'] as const) {
    const kind = table === 'devices' ? 'remembered browser' : 'session';
    const rows = await db
      .selectFrom(table as 'devices')
      .select(['browser', 'created_at_ms', 'last_used_at_ms', 'expires_at_ms'])
      .where('account_id', '=', id)
      .execute();
    yield* rows.map((row) => ({ kind, ...exported(row) }));
  }
  const pushed = await db
    .selectFrom('push_subscriptions')
    .innerJoin('devices', 'devices.id', 'push_subscriptions.device_id')
    .select(['browser', 'push_subscriptions.created_at_ms'])
    .where('push_subscriptions.account_id', '=', id)
    .execute();
  yield* pushed.map((row) => ({ kind: 'push messages', ...exported(row) }));
  const passkeys = await db
    .selectFrom('passkeys')
    .select(['name', 'created_at_ms', 'last_used_at_ms'])
    .where('account_id', '=', id)
    .execute();
  yield* passkeys.map((row) => ({ kind: 'passkey', ...exported(row) }));
}

/** Channels of the account, including hidden and deleted ones, except those being erased. */
export function channelRows(db: Database, id: string): AsyncGenerator<object> {
  const channels = db
    .selectFrom('channels')
    .select(['id', 'name', 'description', 'cover', 'cover_alt', 'created_at_ms', 'edited_at_ms'])
    .select(['closed_at_ms', 'deleted_at_ms', 'pinned_at_ms'])
    .select(({ fn, selectFrom }) =>
      fn
        .coalesce('hidden_by', selectFrom('accounts').select('hidden_by').where('id', '=', id))
        .as('hidden_by'),
    )
    .where('account_id', '=', id)
    .where(isNotMarkedForErasure)
    .orderBy('id');
  return exportedRows(db, channels, ({ hidden_by, ...channel }) => ({
    ...channel,
    isHidden: hidden_by !== null,
  }));
}

/** Earlier versions of the channels that `channelRows` exports. */
export function channelVersionRows(db: Database, id: string): AsyncGenerator<object> {
  const versions = db
    .selectFrom('channels')
    .innerJoin('channel_versions as version', 'version.channel_id', 'channels.id')
    .select(['channels.id', 'version.revision', 'version.name', 'version.description'])
    .select(['version.cover', 'version.cover_alt', 'replaced_at_ms'])
    .where('channels.account_id', '=', id)
    .where(isNotMarkedForErasure)
    .orderBy('channels.id')
    .orderBy('version.revision');
  return exportedRows(db, versions);
}

/** Comments that the account gave thanks for. */
export function thanksRows(db: Database, id: string): AsyncGenerator<object> {
  const thanks = db
    .selectFrom('comment_thanks')
    .select(['channel_id', 'number', 'created_at_ms'])
    .where('account_id', '=', id)
    .orderBy('channel_id')
    .orderBy('number');
  return exportedRows(db, thanks);
}

export function readingRows(db: Database, id: string): AsyncGenerator<object> {
  const positions = db
    .selectFrom('reading_positions')
    .select(['channel_id', 'number', 'level'])
    .where('account_id', '=', id)
    .orderBy('channel_id');
  return exportedRows(db, positions);
}

/** Notifications of the account, for the 90 days that they are stored. The export lists decisions separately. */
export function notificationRows(db: Database, id: string): AsyncGenerator<object> {
  const notifications = db
    .selectFrom('notifications')
    .select(['kind', 'channel_id', 'number', 'created_at_ms'])
    .where('account_id', '=', id)
    .where('kind', '<>', 'decision')
    .orderBy('id');
  return exportedRows(db, notifications);
}

/** Decisions about the account and its content, with its appeals. */
export function decisionRows(db: Database, id: string): AsyncGenerator<object> {
  const decisions = db
    .selectFrom('decision_accounts')
    .innerJoin('decisions', 'decisions.id', 'decision_accounts.decision_id')
    .leftJoin('decisions as later', 'later.undoes', 'decisions.id')
    .leftJoin('appeals', (join) =>
      join
        .onRef('appeals.decision_id', '=', 'decision_accounts.decision_id')
        .onRef('appeals.account_id', '=', 'decision_accounts.account_id'),
    )
    .select(['decisions.id', 'decisions.at_ms', 'decisions.action', 'decisions.category'])
    .select(['decisions.reason', 'decisions.until_ms', 'decisions.undoes'])
    .select(['decisions.subject_kind', 'decisions.subject_id', 'later.at_ms as undone_at_ms'])
    .select(['appeals.text as appeal', 'appeals.at_ms as appealed_at_ms'])
    .where('decision_accounts.account_id', '=', id)
    .orderBy('decisions.id');
  return exportedRows(db, decisions, ({ subject_kind, subject_id, ...decision }) => ({
    ...decision,
    // A decision about several accounts would name the others.
    subject: subject_kind === 'users' ? id : subject_id,
  }));
}

/** Reports by the account, as long as they are stored, without the reported content, which others wrote. */
export function reportRows(db: Database, id: string): AsyncGenerator<object> {
  const reports = db
    .selectFrom('reports')
    .innerJoin('cases', 'cases.id', 'reports.case_id')
    .select(['receipt', 'subject_kind as kind', 'subject_id as id', 'reason', 'reports.text'])
    .select(['created_at_ms', 'decided_at_ms'])
    .where('reports.account_id', '=', id)
    .orderBy('reports.id');
  return exportedRows(db, reports);
}

/** Invitations by the account, as long as they are stored. */
export function invitationRows(db: Database, id: string): AsyncGenerator<object> {
  const invitations = db
    .selectFrom('invitations')
    .select(['uses', 'used', 'created_at_ms', 'ends_at_ms', 'revoked_at_ms'])
    .where('account_id', '=', id);
  return exportedRows(db, invitations);
}

/** Pending posts read per query. */
const pendingPerRead = 20;

/** Comments and channels of the account that are pending or were rejected. */
export async function* pendingRows(db: Database, id: string): AsyncGenerator<object> {
  // Not streamed, because names are read in between and SQLite has one connection.
  for (let after: string | undefined = ''; after !== undefined; ) {
    const rows: PendingRow[] = await db
      .selectFrom('pending_posts')
      .selectAll()
      .where('account_id', '=', id)
      .where('id', '>', after)
      .orderBy('id')
      .limit(pendingPerRead)
      .execute();
    const texts = rows.map((row) => textOf(postOf(row)));
    const names = await findNames(db, texts);
    yield* rows.map((row, index) => ({
      kind: row.kind,
      channelId: row.channel_id,
      text: toPlainText(texts[index] ?? null, names),
      images: imagesOf(postOf(row)),
      createdAt: toInstant(row.created_at_ms),
      isRejected: row.rejected_by !== null,
    }));
    after = rows.at(-1)?.id;
  }
}

/** Images of the account, with their file names in the archive. */
export function imageRows(db: Database, id: string): AsyncGenerator<object> {
  const images = db
    .selectFrom('images')
    .select(['full_path', 'image_id', 'url', 'use', 'content_type', 'size_bytes as bytes'])
    .select(['width', 'height', 'created_at_ms'])
    .where('account_id', '=', id);
  return exportedRows(db, images, ({ full_path, image_id, ...image }) => ({
    file: exportedImage({ full_path, image_id }).name,
    ...image,
  }));
}
