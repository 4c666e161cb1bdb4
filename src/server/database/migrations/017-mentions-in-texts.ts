import { type Kysely, PostgresAdapter, sql } from 'kysely';
import { mentionNames, Names, tokenOf } from './names-in-texts.ts';
import { makeViews } from './views.ts';

/**
 * Mentions become tokens in the texts of comments, in their earlier versions and in what replies quote. What
 * replies quote from earlier texts, which nobody is shown, is emptied. Frozen.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  // These two read the texts as they were.
  await convertExcerpts(db);
  await convertVersions(db);
  await convertTexts(db);
  await createIndexes(db);
  for (const view of ['visible_comments', 'visible_channels']) {
    await db.schema.dropView(view).execute();
  }
  await dropCount(db);
  await makeViews(db, { visible_channels: channelColumns, visible_comments: commentColumns });
  await db.schema.dropTable('comment_mentions').execute();
  if (isPostgres(db)) await gatherStatistics(db);
}

/** Without statistics of the new columns PostgreSQL expects next to no visible rows, and plans badly. */
async function gatherStatistics(db: Kysely<unknown>): Promise<void> {
  // Three thousand rows say how many are visible, in a tenth of the time of the usual thirty thousand.
  await sql`set local default_statistics_target = 10`.execute(db);
  await sql`
    analyze comments (deleted_at_ms, hidden_at_ms), channels (deleted_at_ms, hidden_at_ms)
  `.execute(db);
}

/**
 * Makes the indexes of migration 016, which had made them itself before: PostgreSQL takes twice as long to
 * change texts with them.
 */
async function createIndexes(db: Kysely<unknown>): Promise<void> {
  const visible = 'deleted_at_ms is null and hidden_at_ms is null';
  const inBin = 'deleted_at_ms is not null and hidden_at_ms is null';
  for (const [name, columns, condition] of [
    // Its columns are those of the primary key: with another one SQLite would prefer that key.
    ['visible_comments_by_number', 'channel_id, number', visible],
    ['visible_comments_by_account', 'account_id, created_at_ms, channel_id, number', visible],
    [
      'visible_comments_by_reply_to',
      'channel_id, reply_to, number',
      `${visible} and reply_to is not null`,
    ],
    ['bin_by_account', 'account_id, deleted_at_ms, channel_id, number', inBin],
    ['bin_by_time', 'deleted_at_ms', inBin],
  ]) {
    await sql
      .raw(`create index if not exists ${name} on comments (${columns}) where ${condition}`)
      .execute(db);
  }
}

/** Rows that are read at once: some hundred texts of 40 kB at most. */
const batchRows = 500;
/** Excerpts are short, and PostgreSQL may join all comments to find them. */
const batchExcerpts = 10_000;

interface Place {
  channel_id: string;
  number: number;
}

type Reply = Place & { reply_to: number; excerpt: string };

interface Range {
  /** UTF-16 code units. */
  start: number;
  length: number;
  account_id: string;
  /** The account's current name. */
  name: string;
}

/** A comment with its mentions, in the order of its text. */
interface Text {
  place: Place;
  text: string;
  ranges: Range[];
}

/** The part of a text with tokens in place of mentions. @param ranges in the order of the text */
function toStored(text: string, ranges: Omit<Range, 'name'>[], from = 0, to = text.length): string {
  let stored = '';
  let end = from;
  for (const { start, length, account_id } of ranges) {
    if (start < end || start + length > to) continue;
    stored += text.slice(end, start) + tokenOf(account_id);
    end = start + length;
  }
  return stored + text.slice(end, to);
}

type Mention = Place & Omit<Range, 'name'> & { text: string };

async function convertTexts(db: Kysely<unknown>): Promise<void> {
  for (let after: Place | undefined = { channel_id: '', number: 0 }; after; ) {
    const { rows }: { rows: Mention[] } = await sql<Mention>`
      select m.channel_id, m.number, c.text, m.start, m.length, m.account_id
      from comment_mentions m
      join comments c on c.channel_id = m.channel_id and c.number = m.number
      where (m.channel_id, m.number) > (${after.channel_id}, ${after.number})
      order by m.channel_id, m.number, m.start
      limit ${sql.lit(batchRows)}
    `.execute(db);
    const texts = Map.groupBy(rows, keyOf);
    const last: Mention | undefined = rows.length === batchRows ? rows.at(-1) : undefined;
    // The next batch reads the last comment again, since the limit may have cut its mentions off. No comment
    // has more than 50.
    if (last) texts.delete(keyOf(last));
    const changed = [...texts.values()].flatMap((mentions): [Place, string][] =>
      mentions.slice(0, 1).map((place) => [place, toStored(place.text, mentions)]),
    );
    await write(db, changed, 'text');
    after = last && changed.at(-1)?.[0];
  }
}

/** Skips replies to comments that were never edited and mention nobody: their excerpts stay as they are. */
async function convertExcerpts(db: Kysely<unknown>): Promise<void> {
  const first = { channel_id: '', reply_to: 0, number: 0, excerpt: '' };
  for (let after: Reply | undefined = first; after; ) {
    // In the order of an index of replies alone.
    const { rows }: { rows: Reply[] } = await sql<Reply>`
      select r.channel_id, r.number, r.reply_to, r.reply_excerpt as excerpt
      from comments r
      left join comments o on o.channel_id = r.channel_id and o.number = r.reply_to
      where r.reply_to is not null and r.reply_excerpt is not null
        and (r.channel_id, r.reply_to, r.number)
          > (${after.channel_id}, ${after.reply_to}, ${after.number})
        and (o.revision is null or o.revision > 1 or o.mention_count > 0)
      order by r.channel_id, r.reply_to, r.number
      limit ${sql.lit(batchExcerpts)}
    `.execute(db);
    for (let start = 0; start < rows.length; start += batchRows) {
      const replies = rows.slice(start, start + batchRows);
      const originals = await readTexts(db, replies.map(originalOf));
      const changed = replies.flatMap((reply): [Place, string | null][] => {
        const excerpt = convertExcerpt(reply.excerpt, originals.get(keyOf(originalOf(reply))));
        return excerpt === reply.excerpt ? [] : [[reply, excerpt]];
      });
      await write(db, changed, 'reply_excerpt');
    }
    after = rows.length === batchExcerpts ? rows.at(-1) : undefined;
  }
}

const originalOf = ({ channel_id, reply_to }: Reply) => ({ channel_id, number: reply_to });

/** @returns the excerpt widened to whole mentions; null when it does not occur in the text */
function convertExcerpt(excerpt: string, original: Text | undefined): string | null {
  const { text = '', ranges = [] } = original ?? {};
  const at = text.indexOf(excerpt);
  if (at < 0) return null;
  const end = at + excerpt.length;
  const within = ranges.filter(({ start, length }) => start < end && start + length > at);
  const [first, last] = [within.at(0), within.at(-1)];
  if (!first || !last) return excerpt;
  return toStored(text, within, Math.min(at, first.start), Math.max(end, last.start + last.length));
}

/** The earlier versions have no ranges: names of accounts behind an `@` become mentions. */
async function convertVersions(db: Kysely<unknown>): Promise<void> {
  const everybody = await readNames(db);
  const first = { channel_id: '', number: 0, revision: 0, text: '' };
  for (let after: Version | undefined = first; after; ) {
    const { rows }: { rows: Version[] } = await sql<Version>`
      select channel_id, number, revision, text from comment_versions
      where (channel_id, number, revision)
          > (${after.channel_id}, ${after.number}, ${after.revision})
        and text like '%@%'
      order by channel_id, number, revision
      limit ${sql.lit(batchRows)}
    `.execute(db);
    const comments = await readTexts(db, rows);
    const changed = rows.flatMap((row) => {
      // First the accounts that the comment mentions now, then all others: it may have mentioned them before.
      const text = mentionNames(row.text, [namesIn(comments.get(keyOf(row))), everybody]);
      return text === row.text ? [] : [[row.channel_id, row.number, row.revision, text]];
    });
    await sql`
      update comment_versions set text = p.value->>3 from ${listAs(db, changed)}
      where channel_id = p.value->>0 and number = cast(p.value->>1 as integer)
        and revision = cast(p.value->>2 as integer)
    `.execute(db);
    after = rows.length === batchRows ? rows.at(-1) : undefined;
  }
}

interface Version extends Place {
  revision: number;
  text: string;
}

/** All accounts, since one whose erasure was interrupted may still have its name. */
async function readNames(db: Kysely<unknown>): Promise<Names> {
  const { rows } = await sql<{ id: string; name: string }>`select id, name from accounts`.execute(
    db,
  );
  const names = new Names();
  for (const { id, name } of rows) names.add(name, id);
  return names;
}

/** The names of those whom a comment mentions, as they are now and as they were written. */
function namesIn({ text, ranges }: Omit<Text, 'place'> = { text: '', ranges: [] }): Names {
  const names = new Names();
  for (const { start, length, account_id, name } of ranges) {
    names.add(name, account_id);
    names.add(text.slice(start + 1, start + length), account_id);
  }
  return names;
}

/** The comments at these places, by `keyOf`. */
async function readTexts(db: Kysely<unknown>, places: Place[]): Promise<Map<string, Text>> {
  const { rows } = await sql<Place & { text: string }>`
    select c.channel_id, c.number, c.text from ${placesIn(db, places)}
    join comments c on c.channel_id = p.value->>0 and c.number = cast(p.value->>1 as integer)
  `.execute(db);
  const { rows: mentions } = await sql<Place & Range>`
    select m.channel_id, m.number, m.start, m.length, m.account_id, a.name
    from ${placesIn(db, places)}
    join comment_mentions m on m.channel_id = p.value->>0 and m.number = cast(p.value->>1 as integer)
    join accounts a on a.id = m.account_id
    order by m.start
  `.execute(db);
  const ranges = Map.groupBy(mentions, keyOf);
  return new Map(
    rows.map((row) => [
      keyOf(row),
      { place: row, text: row.text, ranges: ranges.get(keyOf(row)) ?? [] },
    ]),
  );
}

/** Places as the table `p`, each once: `value` is a list of the channel and the number. */
function placesIn(db: Kysely<unknown>, places: Place[]) {
  const distinct = new Map(places.map((place) => [keyOf(place), place]));
  return listAs(
    db,
    [...distinct.values()].map(({ channel_id, number }) => [channel_id, number]),
  );
}

function listAs(db: Kysely<unknown>, items: unknown[]) {
  const json = JSON.stringify(items);
  return isPostgres(db) ? sql`jsonb_array_elements(${json}::jsonb) p` : sql`json_each(${json}) p`;
}

async function write(
  db: Kysely<unknown>,
  changed: [Place, string | null][],
  column: 'text' | 'reply_excerpt',
): Promise<void> {
  const items = changed.map(([{ channel_id, number }, text]) => [channel_id, number, text]);
  await sql`
    update comments set ${sql.ref(column)} = p.value->>2
    from ${listAs(db, items)}
    where channel_id = p.value->>0 and number = cast(p.value->>1 as integer)
  `.execute(db);
}

async function dropCount(db: Kysely<unknown>): Promise<void> {
  if (isPostgres(db)) {
    await sql`alter table comments drop column mention_count`.execute(db);
    return;
  }
  // SQLite drops no column that a constraint names: migration 015 made this one.
  await sql`alter table comments drop constraint comments_whole_numbers`.execute(db);
  await sql`alter table comments drop column mention_count`.execute(db);
  const isWhole = wholeNumbers.map((name) => sql`typeof(${sql.ref(name)}) in ('integer', 'null')`);
  await sql`
    alter table comments
    add constraint comments_whole_numbers check (${sql.join(isWhole, sql` and `)})
  `.execute(db);
}

const isPostgres = (db: Kysely<unknown>) => db.getExecutor().adapter instanceof PostgresAdapter;

const keyOf = ({ channel_id, number }: Place) => `${channel_id} ${number}`;

const list = (names: string) => names.split(/\s+/);

const wholeNumbers = list(
  `number created_at_ms revision edited_at_ms reply_to reply_count image_count thanks_count
  deleted_at_ms hidden_at_ms`,
);
const commentColumns = list(
  `channel_id number account_id text created_at_ms revision edited_at_ms reply_to reply_excerpt
  reply_count image_count thanks_count`,
);
const channelColumns = list(
  `id account_id name description cover cover_alt comment_count last_comment_number created_at_ms
  closed_at_ms edited_at_ms revision last_change_number active_at_ms`,
);
