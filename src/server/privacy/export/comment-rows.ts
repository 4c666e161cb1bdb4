import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
import { commentId } from '../../../shared/comment-id.ts';
import { isPast, type TimedCursor } from '../../database/cursors.ts';
import { findNames } from '../../database/mention-names.ts';
import { readText, toPlainText } from '../../database/stored-text.ts';
import { type Database, toInstant } from '../../database/tables.ts';
import { isNotMarkedForErasure } from '../../database/visible-rows.ts';
import { type CommentRowKey, isAt, thanksCount } from '../../forum/comments/comment-details.ts';
import type { StoredComment } from '../../forum/comments/stored-comments.ts';

/** Comments read per query, with at most 2 MB of text. */
const batchSize = 50;

/** Every comment of an account, including hidden and deleted ones, unless it or its channel is being erased. */
export async function* commentRows(
  db: Database,
  accountId: string,
  signal: AbortSignal,
): AsyncGenerator<object> {
  for await (const rows of readBatches(db, accountId, signal)) yield* await complete(db, rows);
}

/** Earlier versions of the comments that `commentRows` exports. A single comment can have thousands. */
export async function* commentVersionRows(
  db: Database,
  accountId: string,
  signal: AbortSignal,
): AsyncGenerator<object> {
  for await (const rows of readBatches(db, accountId, signal)) {
    for (const row of rows) if (row.revision > 1) yield* versionsOf(db, row);
  }
}

async function* versionsOf(
  db: Database,
  { channel_id, number }: CommentRowKey,
): AsyncGenerator<object> {
  for (let after = 0; ; ) {
    const versions = await db
      .selectFrom('comment_versions')
      .select(['revision', 'text', 'replaced_at_ms'])
      .where('channel_id', '=', channel_id)
      .where('number', '=', number)
      .where('revision', '>', after)
      .orderBy('revision')
      .limit(batchSize)
      .execute();
    const last = versions.at(-1);
    if (!last) return;
    after = last.revision;
    const names = await findNames(
      db,
      versions.map(({ text }) => text),
    );
    yield* versions.map(({ revision, text, replaced_at_ms }) => ({
      id: idOf({ channel_id, number }),
      revision,
      comment: toPlainText(text, names),
      replacedAt: toInstant(replaced_at_ms),
    }));
  }
}

/** Reads the comments in the order of an index. @param signal stops it between two batches */
async function* readBatches(
  db: Database,
  accountId: string,
  signal: AbortSignal,
): AsyncGenerator<CountedComment[]> {
  let after: TimedCursor | undefined;
  for (;;) {
    const rows = await db
      .selectFrom('comments')
      .selectAll()
      .select(thanksCount('comments').as('thanks_count'))
      .where('account_id', '=', accountId)
      .where(isNotMarkedForErasure)
      .where(({ exists, selectFrom }) =>
        exists(
          selectFrom('channels')
            .select('id')
            .whereRef('id', '=', 'comments.channel_id')
            .where(isNotMarkedForErasure),
        ),
      )
      .where(isPast('created_at_ms', '>', after))
      .orderBy('created_at_ms')
      .orderBy('channel_id')
      .orderBy('number')
      .limit(batchSize)
      .execute();
    const last = rows.at(-1);
    if (!last) return;
    after = { atMs: last.created_at_ms, channelId: last.channel_id, number: last.number };
    yield rows;
    // Queries on SQLite are synchronous, so yield to other requests.
    await yieldToEventLoop();
    signal.throwIfAborted();
  }
}

function stateOf({ deleted_at_ms, hidden_by }: StoredComment, author: Author | undefined): string {
  if (hidden_by !== null || (author && author.hidden_by !== null)) return 'hidden';
  return deleted_at_ms === null ? 'visible' : 'deleted';
}

/** `hidden_by` is the decision that hides everything of the account, if any. */
type Author = { hidden_by: string | null };

type CountedComment = StoredComment & { thanks_count: number };

async function complete(db: Database, rows: CountedComment[]): Promise<object[]> {
  const author: Author | undefined = await db
    .selectFrom('accounts')
    .select('hidden_by')
    .where('id', '=', rows[0]?.account_id ?? '')
    .executeTakeFirst();
  const names = await findNames(
    db,
    rows.map(({ text }) => text),
  );
  const images = rows.some((row) => row.image_count > 0)
    ? await db.selectFrom('comment_images').selectAll().where(isAt(rows)).execute()
    : [];
  const inOrder = images.sort((one, other) => one.position - other.position);
  const imagesOf = Map.groupBy(inOrder, idOf);
  return rows.map((row) => {
    const { text, mentions } = readText(row.text, names);
    return {
      id: idOf(row),
      channelId: row.channel_id,
      number: row.number,
      state: stateOf(row, author),
      comment: text,
      createdAt: toInstant(row.created_at_ms),
      editedAt: row.edited_at_ms === null ? null : toInstant(row.edited_at_ms),
      replyTo: row.reply_to,
      thanks: row.thanks_count,
      mentions: mentions.map(({ start, length, accountId }) => ({ start, length, accountId })),
      images: (imagesOf.get(idOf(row)) ?? []).map(({ url, alt }) => ({ url, alt })),
    };
  });
}

const idOf = ({ channel_id, number }: CommentRowKey) => commentId(channel_id, number);
