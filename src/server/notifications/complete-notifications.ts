import type { Selectable } from 'kysely';
import { commentId, parseCommentId } from '../../shared/comment-id.ts';
import { limits } from '../../shared/limits.ts';
import type {
  AnyNotification,
  DecisionNotification,
  Notification,
} from '../../shared/notifications.ts';
import { ownWords } from '../../shared/own-words.ts';
import { findNames } from '../database/mention-names.ts';
import type { StoredText } from '../database/stored-text.ts';
import { type Database, type Tables, toInstant } from '../database/tables.ts';
import { beginning, readBeginning } from '../database/text-beginnings.ts';
import { type CommentRowKey, isAt } from '../forum/comments/comment-details.ts';
import { subjectFor } from '../moderation/decisions/decision-log.ts';
import type { Merged, NotificationRow } from './notification-rows.ts';

/** Adds to notifications what is shown of them: people, channels, excerpts and decisions. */
export async function completeNotifications(
  db: Database,
  accountId: string,
  page: Merged[],
): Promise<AnyNotification[]> {
  const byPeople = page.flatMap((rows) => placeOf(rows) ?? []);
  const people = await findPeople(
    db,
    byPeople.flatMap(({ actors }) => actors.slice(0, limits.notificationPeople)),
  );
  const decisions = await findDecisions(
    db,
    page.flatMap(([{ decision_id }]) => decision_id ?? []),
  );
  const published = [...decisions.values()].flatMap((decision) => publishedBy(decision) ?? []);
  const channels = await findChannels(db, [
    ...byPeople.map(({ channel_id }) => channel_id),
    ...published.map(({ channelId }) => channelId),
  ]);
  const excerpts = await findExcerpts(db, byPeople);

  return page.flatMap((rows): AnyNotification[] => {
    const [{ id, kind, decision_id, created_at_ms, is_new }] = rows;
    const common = { id, createdAt: toInstant(created_at_ms), isNew: is_new === 1 };
    const place = placeOf(rows);
    if (kind !== 'decision') {
      if (!place) return [];
      const { actors, channel_id, number } = place;
      const shown: Notification = {
        ...{ ...common, kind, number, count: actors.length },
        channel: channels.get(channel_id) ?? { _id: channel_id, name: '' },
        people: actors.slice(0, limits.notificationPeople).flatMap((id) => people.get(id) ?? []),
        excerpt: excerpts.get(commentId(channel_id, number)) ?? '',
      };
      return [shown];
    }
    const decision = decisions.get(decision_id ?? '');
    if (!decision) return [];
    const post = publishedBy(decision);
    const channel = channels.get(post?.channelId ?? '') ?? null;
    const shown: DecisionNotification = {
      ...{ ...common, kind, decisionId: decision.id, action: decision.action, channel },
      subject: subjectFor(decision, accountId).kind,
      number: (channel && post?.number) ?? null,
      excerpt: decision.reason,
    };
    return [shown];
  });
}

/** The people and the comment of notifications that are shown as one: the first comment if they are new, else the last. */
function placeOf(rows: Merged) {
  const [{ channel_id, is_new }] = rows;
  const numbers = rows.flatMap(({ number }) => number ?? []);
  const number = is_new === 1 ? Math.min(...numbers) : numbers[0];
  if (channel_id === null || number === undefined) return undefined;
  const actors = [...new Set(rows.flatMap(({ actor_id }: NotificationRow) => actor_id ?? []))];
  return { channel_id, number, actors };
}

async function findPeople(db: Database, ids: string[]) {
  if (ids.length === 0) return new Map<string, never>();
  const people = await db
    .selectFrom('accounts')
    .select(['id', 'name', 'img'])
    .where('id', 'in', [...new Set(ids)])
    .execute();
  return new Map(people.map(({ img, ...one }) => [one.id, { ...one, img: img ?? '' }]));
}

type DecisionRow = Pick<
  Selectable<Tables['decisions']>,
  'id' | 'action' | 'subject_kind' | 'subject_id' | 'reason'
>;

async function findDecisions(db: Database, ids: string[]): Promise<Map<string, DecisionRow>> {
  if (ids.length === 0) return new Map();
  const rows = await db
    .selectFrom('decisions')
    .select(['id', 'action', 'subject_kind', 'subject_id', 'reason'])
    .where('id', 'in', ids)
    .execute();
  return new Map(rows.map((row) => [row.id, row]));
}

/** The place of a post that a decision published. */
function publishedBy({ action, subject_kind, subject_id }: DecisionRow) {
  if (action !== 'approve') return undefined;
  if (subject_kind === 'channel') return { channelId: subject_id, number: null };
  return subject_kind === 'comment' ? parseCommentId(subject_id) : undefined;
}

async function findChannels(db: Database, ids: string[]) {
  if (ids.length === 0) return new Map<string, never>();
  const channels = await db
    .selectFrom('visible_channels')
    .select(['id', 'name'])
    .where('id', 'in', [...new Set(ids)])
    .execute();
  return new Map(channels.map(({ id, name }) => [id, { _id: id, name }]));
}

/** Excerpts from the start of comments, by comment id. */
async function findExcerpts(db: Database, keys: CommentRowKey[]): Promise<Map<string, string>> {
  if (keys.length === 0) return new Map();
  const rows = await db
    .selectFrom('visible_comments')
    .select(['channel_id', 'number', readBeginning('text').as('text')])
    .where(isAt(keys))
    .execute();
  const names = await findNames(
    db,
    rows.map(({ text }) => text),
  );
  return new Map(
    rows.map(({ channel_id, number, text }) => [
      commentId(channel_id, number),
      beginning(ownWords(text) as StoredText, names),
    ]),
  );
}
