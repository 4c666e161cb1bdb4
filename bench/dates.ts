import type { Database } from '../src/server/database/tables.ts';
import { apiRoutes } from '../src/shared/api-routes.ts';
import { calendarUrl, pageRoutes } from '../src/shared/routes.ts';
import { fillDates, filled } from '../test/forum/fill-forum.ts';
import { createPostgresDatabase } from '../test/forum/forum.ts';
import { OwnPostgres } from '../test/postgres/own-postgres.ts';
import { type BenchForum, startForum } from './forum.ts';
import { format, median, type Section, verdict } from './section.ts';

const filling = { accounts: 200, channels: 50, comments: 1000, longest: 20 };
const filledDates = { number: 1, channels: 40, dates: 25, accounts: filling.accounts };
const singleDate = { ...filledDates, number: 3, channels: 1, dates: 1 };
const samples = { count: 100, warmUps: 10 };
const budgets = { read: 1.1, answer: 1.1 };

const channelId = filled.channelId(0);
const otherChannelId = filled.channelId(filledDates.channels + 5);
/** A month in which there are dates. */
const month = new Date(Date.now() + 7 * 86_400_000).toISOString().slice(0, 7);
/** Without a budget where the page shows more with dates. */
const pages: Record<string, { path: string; budget?: number }> = {
  'home page': { path: pageRoutes.home, budget: budgets.read },
  'a channel without dates': { path: pageRoutes.channel(otherChannelId), budget: budgets.read },
  [`a channel whose first comment has ${filledDates.dates} dates`]: {
    path: pageRoutes.channel(channelId),
  },
  'the calendar: nothing, or a hundred dates': { path: calendarUrl(month) },
};
const answered = {
  thanks: '`Gracias`',
  rsvp: 'an answer to the only date of a comment',
  rsvpOfMany: `an answer to one of ${filledDates.dates} dates, all of which it returns`,
};

/** Compares a forum with many dates and answers with one that has none, and an answer with thanks. */
export async function dates(): Promise<Section[]> {
  const sqlite = await compare('SQLite', async () => undefined);
  // Unlike the tests, this uses fsync, because it also measures writes.
  const postgres = await OwnPostgres.start('fsync=on');
  try {
    process.env.TEST_POSTGRES_URL = postgres.serverUrl;
    return [sqlite, await compare('PostgreSQL', async () => (await createPostgresDatabase()).url)];
  } finally {
    await postgres.remove();
  }
}

async function compare(
  engine: string,
  newDatabase: () => Promise<string | undefined>,
): Promise<Section> {
  const forums: BenchForum[] = [];
  try {
    forums.push(await startForum(filling, await newDatabase()));
    const fill = async (db: Database) => {
      for (const each of [filledDates, singleDate]) await fillDates(db, each, Date.now());
    };
    forums.push(await startForum(filling, await newDatabase(), fill));
    const [without, withDates] = await timeInTurn(forums);
    const rows = Object.entries(pages).map(([name, { budget }]) => {
      const [before = Number.NaN, now = Number.NaN] = [without?.[name], withDates?.[name]];
      return [name, format.ms(before), format.ms(now), ...ratioOf(now / before, budget)];
    });
    const thanks = withDates?.[answered.thanks] ?? Number.NaN;
    for (const [name, budget] of [
      [answered.rsvp, budgets.answer],
      [answered.rsvpOfMany, undefined],
    ] as const) {
      const rsvp = withDates?.[name] ?? Number.NaN;
      const cells = [format.ms(thanks), format.ms(rsvp), ...ratioOf(rsvp / thanks, budget)];
      rows.push([`${name}, beside ${answered.thanks}`, ...cells]);
    }
    return {
      title: `Dates, ${engine}`,
      columns: ['median', 'without dates', 'with dates', 'ratio', 'budget'],
      rows,
      notes:
        `${format.count(filledDates.channels * filledDates.dates)} dates to come, ${filledDates.dates} in a comment, each with ` +
        `${filledDates.accounts} answers; ${samples.count} requests of each kind to both forums in turns, one at a time. A page is read ` +
        'after thanks were given or withdrawn, which empties the caches. The last rows compare an answer with thanks in the forum with dates.',
    };
  } finally {
    for (const forum of forums) await forum.stop();
  }
}

const ratioOf = (ratio: number, most?: number) => [
  ratio.toFixed(2),
  most === undefined ? '' : verdict(`<= ${most}`, ratio <= most),
];

/** Alternates between the forums, so that other load on the machine affects both. @returns medians in ms, by name */
async function timeInTurn(forums: BenchForum[]): Promise<Record<string, number>[]> {
  const timesMs = forums.map((): Record<string, number[]> => ({}));
  for (let i = 0; i < samples.count + samples.warmUps; i++) {
    for (const [forum, { client, token }] of forums.entries()) {
      const times = timesMs[forum] ?? {};
      const time = async (name: string, send: () => Promise<Response>) => {
        const startMs = performance.now();
        const response = await send();
        await response.arrayBuffer();
        if (!response.ok) throw new Error(`${response.url}: ${response.status}`);
        if (i >= samples.warmUps)
          times[name] = [...(times[name] ?? []), performance.now() - startMs];
      };
      const isGiven = i % 2 === 0;
      if (forum > 0) {
        const body = { date: 0, answer: isGiven ? 'no' : 'yes' };
        for (const [name, { number }] of [
          [answered.rsvp, singleDate],
          [answered.rsvpOfMany, filledDates],
        ] as const)
          await time(name, () =>
            client.call('PUT', apiRoutes.rsvp(channelId, number), { token, body }),
          );
      }
      const method = isGiven ? 'PUT' : 'DELETE';
      await time(answered.thanks, () =>
        client.call(method, apiRoutes.thanks(channelId, 2), { token }),
      );
      // Empties the cache of the other channel, too.
      await client.call(method, apiRoutes.thanks(otherChannelId, 2), { token });
      for (const [name, { path }] of Object.entries(pages))
        await time(name, () => client.call('GET', path));
    }
  }
  return timesMs.map((times) =>
    Object.fromEntries(Object.entries(times).map(([name, each]) => [name, median(each)])),
  );
}
