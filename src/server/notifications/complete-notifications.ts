import { type Selectable, sql } from 'kysely';
import { commentId, parseCommentId } from '../../shared/comment-id.ts';
import { limits } from '../../shared/limits.ts';
import type {
  AnyNotification,
  DecisionNotification,
  Notification,
} from '../../shared/notifications.ts';
import { ownWords } from '../../shared/own-words.ts';
import { resultText } from '../../shared/poll-texts.ts';
import { type Database, type Tables, toInstant } from '../database/tables.ts';
import { type CommentRowKey, isAt } from '../forum/comments/comment-keys.ts';
import { findPolls } from '../forum/polls/poll-rows.ts';
import { subjectFor } from '../moderation/decisions/decision-log.ts';
import { findNames } from '../texts/mention-names.ts';
import type { StoredText } from '../texts/stored-text.ts';
import { beginning, readBeginning } from '../texts/text-beginnings.ts';
import { wholeText } from '../texts/whole-text.ts';
import { findEventsOf } from './event-notifications.ts';
import type { Merged } from './notification-rows.ts';

/** Adds to notifications what is shown of them: people, channels, excerpts and decisions. */
export async function completeNotifications(
  db: Database,
  accountId: string,
  page: Merged[],
): Promise<AnyNotification[]> {
  const events = await findEventsOf(db, accountId, page);
  const subjects = await findSubjects(db, accountId, page);
  const decisions = await findDecisions(
    db,
    page.flatMap(([{ decision_id }]) => decision_id ?? []),
  );
  const people = await findPeople(
    db,
    subjects.flatMap((subject) => subject?.actors.slice(0, limits.notificationPeople) ?? []),
  );
  const published = [...decisions.values()].flatMap((decision) => publishedBy(decision) ?? []);
  const channels = await findChannels(db, [
    ...subjects.flatMap((subject) => subject?.channel_id ?? []),
    ...published.map(({ channelId }) => channelId),
  ]);
  const excerpts = await findExcerpts(
    db,
    subjects.flatMap((subject) =>
      subject && subject.number !== null ? { ...subject, number: subject.number } : [],
    ),
  );
  const polls = await findPolls(
    db,
    page.flatMap(([{ kind, channel_id, number }]) =>
      kind === 'poll' && channel_id !== null && number !== null ? { channel_id, number } : [],
    ),
  );

  return page.flatMap((rows, index): AnyNotification[] => {
    const [{ id, kind, decision_id, created_at_ms, is_new }] = rows;
    const common = { id, createdAt: toInstant(created_at_ms), isNew: is_new === 1 };
    const subject = subjects[index];
    if (kind === 'event' || kind === 'place' || kind === 'reminder') {
      const event = events[index];
      if (!event) return [];
      const { channelId, ...ofEvent } = event;
      return [{ ...common, ...ofEvent, channel: channels.get(channelId) ?? null }];
    }
    if (kind !== 'decision') {
      if (!subject) return [];
      const { actors, channel_id, number } = subject;
      const id = number === null ? '' : commentId(channel_id, number);
      const poll = kind === 'poll' ? polls.get(id) : undefined;
      const shown: Notification = {
        ...common,
        kind,
        number,
        count: kind === 'channel' ? rows.length : actors.length,
        channel: channels.get(channel_id) ?? { _id: channel_id, name: '' },
        people: actors.slice(0, limits.notificationPeople).flatMap((id) => people.get(id) ?? []),
        excerpt: poll ? resultText(poll) : (excerpts.get(id) ?? ''),
      };
      return [shown];
    }
    const decision = decisions.get(decision_id ?? '');
    if (!decision) return [];
    const post = publishedBy(decision);
    const channel = channels.get(post?.channelId ?? '') ?? null;
    const shown: DecisionNotification = {
      ...common,
      kind,
      decisionId: decision.id,
      action: decision.action,
      channel,
      subject: subjectFor(decision, accountId).kind,
      number: (channel && post?.number) ?? null,
      excerpt: decision.reason,
    };
    return [shown];
  });
}

interface Subject {
  channel_id: string;
  /** The first comment if they are new, else the last; null when they are about channels. */
  number: number | null;
  /** Ids of the people, the last one first. */
  actors: string[];
}

/** Finds the channel, comment and people of each merged notification; undefined for a decision. */
async function findSubjects(
  db: Database,
  accountId: string,
  page: Merged[],
): Promise<(Subject | undefined)[]> {
  const subjects = page.map((rows): Subject | undefined => {
    const [{ channel_id, is_new }] = rows;
    if (channel_id === null) return undefined;
    const numbers = rows.flatMap(({ number }) => number ?? []);
    const number = (is_new === 1 ? numbers.at(-1) : numbers[0]) ?? null;
    const actors = [...new Set(rows.flatMap(({ actor_id }) => actor_id ?? []))];
    return { channel_id, number, actors };
  });
  const isComment = (index: number) => page[index]?.[0].kind === 'comment';
  const followed = subjects.filter((_, index) => isComment(index));
  const writers = await findWriters(
    db,
    accountId,
    followed.flatMap((one) => one ?? []),
  );
  return subjects.map((subject, index) => {
    const found = subject && isComment(index) && writers.get(subject);
    return found ? { channel_id: subject.channel_id, ...found } : subject;
  });
}

/** Comments of a channel that say who wrote in it. */
const readComments = 200;

/** The people who wrote in channels from a number on, and the first comment that is still there. */
async function findWriters(
  db: Database,
  accountId: string,
  subjects: Subject[],
): Promise<Map<Subject, Pick<Subject, 'number' | 'actors'>>> {
  if (subjects.length === 0) return new Map();
  const reads = subjects.map(
    ({ channel_id, number }, index) => sql`
      select * from (select cast(${index} as integer) as subject, number, account_id
        from visible_comments where channel_id = ${channel_id} and number >= ${number}
          and account_id <> ${accountId}
        order by number limit ${sql.lit(readComments)}) as written`,
  );
  const { rows } = await sql<{ subject: number; number: number; account_id: string }>`
    ${sql.join(reads, sql` union all `)}`.execute(db);
  const found = Map.groupBy(rows, (row) => row.subject);
  return new Map(
    subjects.flatMap((subject, index) => {
      const written = found.get(index);
      if (!written) return [];
      const newestFirst = written.toSorted((one, other) => other.number - one.number);
      const actors = [...new Set(newestFirst.map((row) => row.account_id))];
      return [[subject, { number: newestFirst.at(-1)?.number ?? subject.number, actors }] as const];
    }),
  );
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
    .select(['channel_id', 'number', readBeginning(wholeText('visible_comments')).as('text')])
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
