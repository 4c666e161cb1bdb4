import { sql } from 'kysely';
import { commentId, parseCommentId } from '../../../shared/comment-id.ts';
import type { CommentImage } from '../../../shared/comments.ts';
import type { CommentFile } from '../../../shared/files.ts';
import type { Subject } from '../../../shared/moderation.ts';
import { isListed } from '../../accounts/standing/listed.ts';
import type { Database } from '../../database/tables.ts';
import { isAt } from '../../forum/comments/comment-keys.ts';
import { findCommentFiles } from '../../forum/files/comment-files.ts';
import { isMarkedForErasure, type Visibility } from '../../forum/visible-rows.ts';
import { type StoredText, toStoredText } from '../../texts/stored-text.ts';
import { wholeText } from '../../texts/whole-text.ts';

type State = 'visible' | 'hidden' | 'deleted';

/** Current state of content or a person, visible or not. */
export interface SubjectNow {
  /** The author of the content, or the person. */
  accountId: string;
  /** Text of a comment, name and description of a channel, or name of a person. */
  text: StoredText;
  images: CommentImage[];
  files: CommentFile[];
  /** 0 for a person. */
  revision: number;
  /** Whether visitors can see it, and if not, why. */
  state: State;
  /** The state it would have if its channel were visible. */
  ownState: State;
  /** The channel itself, or the comment's channel; null for a person. */
  channel: { _id: string; name: string } | null;
}

export const subjectKey = ({ kind, id }: Subject) => `${kind} ${id}`;

/** Reads content and people by their `subjectKey`, in at most six queries. Unknown and erased ones are missing. */
export async function readSubjects(
  db: Database,
  subjects: Subject[],
): Promise<Map<string, SubjectNow>> {
  const idsOf = (kind: Subject['kind']) =>
    subjects.filter((one) => one.kind === kind).map(({ id }) => id);
  const keys = idsOf('comment').flatMap((id) => {
    const key = parseCommentId(id);
    return key ? [{ channel_id: key.channelId, number: key.number }] : [];
  });
  const channels = await readChannels(db, [
    ...idsOf('channel'),
    ...keys.map(({ channel_id }) => channel_id),
  ]);
  const comments = keys.length > 0 ? await readComments(db, keys) : [];
  const people = await readPeople(db, idsOf('user'));
  const found = new Map<string, SubjectNow>();
  for (const { id, name, img, is_listed } of people) {
    found.set(subjectKey({ kind: 'user', id }), {
      accountId: id,
      text: toStoredText(name),
      revision: 0,
      channel: null,
      images: img ? [{ url: img, alt: '' }] : [],
      files: [],
      ...inState(is_listed === 1 ? 'visible' : 'hidden'),
    });
  }
  for (const row of channels.values()) {
    found.set(subjectKey({ kind: 'channel', id: row.id }), {
      accountId: row.account_id,
      revision: row.revision,
      ...inState(stateOf(row)),
      text: toStoredText(`${row.name}\n\n${row.description}`),
      images: row.cover === '' ? [] : [{ url: row.cover, alt: row.cover_alt }],
      files: [],
      channel: { _id: row.id, name: row.name },
    });
  }
  for (const { images, files, ...row } of comments) {
    const channel = channels.get(row.channel_id);
    if (!channel) continue;
    const own = stateOf(row);
    found.set(subjectKey({ kind: 'comment', id: commentId(row.channel_id, row.number) }), {
      accountId: row.account_id,
      text: row.text,
      images,
      files,
      revision: row.revision,
      ...inState(own, own === 'visible' ? stateOf(channel) : own),
      channel: { _id: channel.id, name: channel.name },
    });
  }
  return found;
}

const inState = (ownState: State, state = ownState) => ({ ownState, state });

function stateOf({
  hidden_by,
  author_hidden_by,
  deleted_at_ms,
}: Visibility & { author_hidden_by: string | null }): State {
  if (hidden_by !== null || author_hidden_by !== null) return 'hidden';
  return deleted_at_ms === null ? 'visible' : 'deleted';
}

async function readChannels(db: Database, ids: string[]) {
  if (ids.length === 0) return new Map<string, never>();
  const rows = await db
    .selectFrom('channels')
    .select(['id', 'account_id', 'name', 'description', 'cover', 'cover_alt', 'revision'])
    .select(['hidden_by', 'deleted_at_ms', authorHiddenBy('channels')])
    .where('id', 'in', [...new Set(ids)])
    .execute();
  return new Map(rows.filter((row) => !isMarkedForErasure(row)).map((row) => [row.id, row]));
}

async function readComments(db: Database, keys: { channel_id: string; number: number }[]) {
  const rows = await db
    .selectFrom('comments')
    .select(['channel_id', 'number', 'account_id', wholeText('comments').as('text')])
    .select(['revision', 'image_count', 'file_count'])
    .select(['hidden_by', 'deleted_at_ms', authorHiddenBy('comments')])
    .where(isAt(keys))
    .execute();
  const withImages = rows.filter(({ image_count }) => image_count > 0);
  const images =
    withImages.length > 0
      ? await db.selectFrom('comment_images').selectAll().where(isAt(withImages)).execute()
      : [];
  const files = await findCommentFiles(db, rows);
  const inOrder = images.sort((one, other) => one.position - other.position);
  return rows
    .filter((row) => !isMarkedForErasure(row))
    .map((row) => ({
      ...row,
      images: inOrder
        .filter(({ channel_id, number }) => channel_id === row.channel_id && number === row.number)
        .map(({ url, alt }) => ({ url, alt })),
      files: files.get(commentId(row.channel_id, row.number)) ?? [],
    }));
}

const authorHiddenBy = (table: 'channels' | 'comments') =>
  sql<string | null>`(select author.hidden_by from accounts as author
    where author.id = ${sql.ref(`${table}.account_id`)})`.as('author_hidden_by');

async function readPeople(db: Database, ids: string[]) {
  if (ids.length === 0) return [];
  const listedFlag = sql<number>`case when ${isListed} then 1 else 0 end`;
  return db
    .selectFrom('accounts')
    .select(['id', 'name', 'img', listedFlag.as('is_listed')])
    .where('id', 'in', ids)
    .where('erased_at_ms', 'is', null)
    .execute();
}
