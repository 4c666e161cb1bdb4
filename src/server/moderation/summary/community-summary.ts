import { sql } from 'kysely';
import type { Summary, SummaryWeek } from '../../../shared/moderation.ts';
import { isMember } from '../../accounts/standing/members.ts';
import { type Database, toInstant } from '../../database/tables.ts';
import { communityZone } from '../../site-settings/site-settings.ts';
import { timeIn } from '../../system/zones.ts';
import { drawBars } from './week-bars.ts';

const weekCount = 12;
const keptMs = 60 * 60 * 1000;

const nothing = { comments: 0, writers: 0, channels: 0, newMembers: 0 };
type Counts = typeof nothing;

/**
 * Returns a function that says how the last twelve weeks of the community went. It counts once an hour at most, because
 * that reads all comments, and stores nothing.
 */
export function rememberedSummary(db: Database, now: () => number): () => Promise<Summary> {
  let last: { atMs: number; summary: Promise<Summary> } | undefined;
  return () => {
    const atMs = now();
    // A clock that was set back counts again.
    if (last && atMs >= last.atMs && atMs < last.atMs + keptMs) return last.summary;
    const summary = summarize(db, atMs);
    last = { atMs, summary };
    summary.catch(() => {
      last = undefined;
    });
    return summary;
  };
}

async function summarize(db: Database, nowMs: number): Promise<Summary> {
  const zone = await communityZone(db);
  const today = timeIn(zone, nowMs).toPlainDate();
  const monday = today.subtract({ days: today.dayOfWeek - 1 });
  const days = Array.from({ length: weekCount }, (_, index) =>
    monday.subtract({ weeks: weekCount - 1 - index }),
  );
  const starts = days.map((day) => day.toZonedDateTime(zone).epochMilliseconds);
  const comments = await countComments(db, starts);
  const members = await countMembers(db, starts, nowMs);
  const weeks = days.map((day, index): SummaryWeek => {
    const counts = { ...nothing, ...comments.get(index), ...members.get(index) };
    return { from: day.toString(), ...counts };
  });
  const barsOf = (key: keyof Counts) => drawBars(weeks.map((week) => week[key]));
  return {
    at: toInstant(nowMs),
    weeks,
    bars: {
      comments: barsOf('comments'),
      writers: barsOf('writers'),
      channels: barsOf('channels'),
      newMembers: barsOf('newMembers'),
    },
  };
}

/** SQL for the index of the week in which a row was made. @param starts when the weeks begin, in ms */
const weekOf = (starts: readonly number[]) =>
  sql<number>`case ${sql.join(
    starts.slice(1).map((start, index) => sql`when created_at_ms < ${start} then ${index}`),
    sql` `,
  )} else ${starts.length - 1} end`;

/** What can be read now: what was deleted or hidden since does not count. */
async function countComments(db: Database, starts: readonly number[]) {
  const rows = await db
    .selectFrom('visible_comments')
    .select((eb) => [
      weekOf(starts).as('week'),
      eb.fn.countAll<number>().as('comments'),
      eb.fn.count<number>('account_id').distinct().as('writers'),
      eb.fn.count<number>('channel_id').distinct().as('channels'),
    ])
    .where('created_at_ms', '>=', starts[0] ?? 0)
    // Nor what was written elsewhere, before a chat moved in.
    .where('person_id', 'is', null)
    .groupBy('week')
    .execute();
  return new Map(
    rows.map(({ week, comments, writers, channels }) => [
      Number(week),
      { comments: Number(comments), writers: Number(writers), channels: Number(channels) },
    ]),
  );
}

/** Accounts that were opened in a week and are members now. */
async function countMembers(db: Database, starts: readonly number[], nowMs: number) {
  const rows = await db
    .selectFrom('accounts')
    .select((eb) => [weekOf(starts).as('week'), eb.fn.countAll<number>().as('newMembers')])
    .where('created_at_ms', '>=', starts[0] ?? 0)
    .where('admission', 'is', null)
    .where(isMember(db, nowMs))
    .groupBy('week')
    .execute();
  return new Map(
    rows.map(({ week, newMembers }) => [Number(week), { newMembers: Number(newMembers) }]),
  );
}
