import { type Kysely, PostgresAdapter, sql } from 'kysely';

/** Stores with each date how many answered, instead of counting the answers whenever a page shows the date. */
export async function up(db: Kysely<unknown>): Promise<void> {
  const isPostgres = db.getExecutor().adapter instanceof PostgresAdapter;
  for (const column of ['yes', 'waiting', 'maybe', 'no']) {
    const check = isPostgres ? '' : ` check (typeof("${column}") = 'integer')`;
    await sql
      .raw(`alter table event_dates add column "${column}" integer not null default 0${check}`)
      .execute(db);
  }
  await sql
    .raw(
      `update event_dates set yes = fresh.yes, waiting = fresh.wanted - fresh.yes, maybe = fresh.maybe, no = fresh.no
      from (
        select answers.*, case when capacity is null or wanted <= capacity then wanted else coalesce((
          select max(total) from (
            select sum(own.people) over (order by own.turn) as total from event_rsvps as own
            where own.channel_id = answers.channel_id and own.number = answers.number
              and own.position = answers.position and own.answer = 'yes'
              and (select hidden_by from accounts where accounts.id = own.account_id) is null
          ) as totals where total <= capacity), 0) end as yes
        from (
          select channel_id, number, position,
            sum(case answer when 'yes' then people else 0 end) as wanted,
            sum(case answer when 'maybe' then 1 else 0 end) as maybe,
            sum(case answer when 'no' then 1 else 0 end) as no,
            (select capacity from comment_events where comment_events.channel_id = event_rsvps.channel_id
              and comment_events.number = event_rsvps.number) as capacity
          from event_rsvps
          where (select hidden_by from accounts where accounts.id = event_rsvps.account_id) is null
          group by channel_id, number, position
        ) as answers
      ) as fresh
      where event_dates.channel_id = fresh.channel_id and event_dates.number = fresh.number
        and event_dates.position = fresh.position`,
    )
    .execute(db);
}
