import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
import { type Insertable, type Kysely, sql } from 'kysely';
import type { Database, Tables } from '../../src/server/database/tables.ts';
import { insertEvent, storeCounts } from '../../src/server/forum/events/event-rows.ts';
import { timeIn } from '../../src/server/system/zones.ts';
import { toStoredText } from '../../src/server/texts/stored-text.ts';

export interface Filling {
  accounts: number;
  channels: number;
  /** Approximate total number. */
  comments: number;
  /** Number of comments in the longest channel. */
  longest: number;
}

/** Rows per statement: the widest have 17 columns, and SQLite accepts 32,766 values. */
const batch = 1000;
const dayMs = 86_400_000;

/** Ids in ascending order, distinct for each table. */
const idOf = (kind: number, index: number) =>
  `0000000${kind}-0000-7000-8000-${index.toString(16).padStart(12, '0')}`;

export const filled = {
  /** E-mail of an account. Its password is the one hashed in `passwordHash`. */
  email: (index: number) => `vecina-${index}@ejemplo.es`,
  accountId: (index: number) => idOf(1, index),
  channelId: (index: number) => idOf(2, index),
  imageUrl: (index: number) => `/files/images/foto-${index}.jpg`,
  text: 'Yo también pasé por ahí el jueves y estaba cerrado; ¿alguien sabe si abren los sábados por la mañana?',
  /** Number of comments in a channel. The first channel is the longest. */
  commentCount: ({ channels, comments, longest }: Filling, index: number) =>
    index === 0 ? longest : index % (Math.round((2 * (comments - longest)) / channels) + 1),
};

/**
 * Fills a forum directly in its database with people, who are signed in and have an image, and their channels, each
 * with a cover. `fillComments` writes the comments that the channels count.
 */
export async function fillChannels(
  db: Database,
  filling: Filling,
  { passwordHash, nowMs }: { passwordHash: string; nowMs: number },
): Promise<void> {
  const author = authorIn(filling);
  const longAgoMs = nowMs - 100 * dayMs;
  const site = await db.selectFrom('site').select('epoch').executeTakeFirst();
  await insert(db, 'accounts', filling.accounts, (index) => ({
    id: author(index),
    name: `Vecina ${index}`,
    email: filled.email(index),
    email_key: filled.email(index),
    password_hash: passwordHash,
    img: filled.imageUrl(index),
    created_at_ms: longAgoMs,
    name_key: `vecina ${index}`,
  }));
  await insert(db, 'sessions', filling.accounts, (index) => ({
    token_hash: `token-${index}`,
    id: idOf(9, index),
    account_id: author(index),
    created_at_ms: nowMs,
    last_used_at_ms: nowMs,
    expires_at_ms: nowMs + dayMs + index,
  }));
  await insert(db, 'images', Math.max(filling.accounts, filling.channels), (index) => ({
    full_path: `images/foto-${index}.jpg`,
    path_key: `images/foto-${index}.jpg`,
    url: filled.imageUrl(index),
    image_id: idOf(3, index),
    account_id: author(index),
    use: 'cover' as const,
    content_type: 'image/jpeg',
    size_bytes: 90_000,
    stored_bytes: 200_000,
    md5: 'MmVmMTc4Y2Q5YjE4ZQ==',
    content_hash: 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855',
    width: 1000,
    height: 400,
    largest_variant: 1000,
    created_at_ms: longAgoMs,
    updated_at_ms: longAgoMs,
    used_at_ms: longAgoMs,
  }));
  await insert(db, 'image_names', Math.max(filling.accounts, filling.channels), (index) => ({
    name_hash: `name-${index}`,
    content_hash: 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855',
    // The site's own epoch, so that no name has an older one.
    epoch: site?.epoch ?? '',
  }));
  await insert(db, 'channels', filling.channels, (index) => ({
    id: filled.channelId(index),
    // This account also owns the cover.
    account_id: author(index),
    name: `Canal número ${index}`,
    description: 'Un canal de los muchos que hay, para ver qué pasa cuando son tantos.',
    cover: filled.imageUrl(index),
    cover_alt: '',
    comment_count: filled.commentCount(filling, index),
    last_comment_number: filled.commentCount(filling, index),
    created_at_ms: longAgoMs + index,
    active_at_ms: longAgoMs + index,
    ...filledKey(`${index}`),
  }));
  // Five hundred people have visited a hundred channels each.
  const visited = Math.min(filling.channels, 100);
  await insert(db, 'reading_positions', Math.min(filling.accounts, 500) * visited, (index) => ({
    account_id: author(Math.floor(index / visited)),
    channel_id: filled.channelId(index % visited),
    number: 5,
  }));
}

/** Inserts the comments that the channels of `fillChannels` count. */
export async function fillComments(db: Database, filling: Filling, nowMs: number): Promise<void> {
  const author = authorIn(filling);
  const longAgoMs = nowMs - 100 * dayMs;
  for (let channel = 0, before = 0; channel < filling.channels; before = channel) {
    // Collects whole channels until there are enough rows for several statements.
    const rows: (readonly [channel: number, number: number])[] = [];
    for (; channel < filling.channels && rows.length < 10 * batch; channel++) {
      const count = filled.commentCount(filling, channel);
      for (let number = 1; number <= count; number++) rows.push([channel, number]);
    }
    await insert(db, 'comments', rows.length, (index) => {
      const [channel = 0, number = 0] = rows[index] ?? [];
      return {
        channel_id: filled.channelId(channel),
        number,
        account_id: author(before + index),
        text: toStoredText(filled.text),
        created_at_ms: longAgoMs + number,
        ...filledKey(`${channel}-${number}`),
      };
    });
  }
}

/**
 * Adds replies, mentions of their authors, images, files and thanks to many of the comments. Call it after `fillComments`.
 */
export async function fillDetails(db: Database): Promise<void> {
  const ofFilled = `${idOf(2, 0).slice(0, 8)}-%`;
  await sql`
    update comments set reply_to = number - 1,
      text = ${'\u0002'} || account_id || ${'\u0003 '} || text, image_count = 1, revision = 2
    where number % 4 = 0 and channel_id like ${ofFilled}
  `.execute(db);
  await sql`
    update comments set revision = 2
    where number % 4 = 3 and channel_id like ${ofFilled}
  `.execute(db);
  await sql`
    insert into comment_images (channel_id, number, position, url, alt)
    select channel_id, number, 0, '/files/images/foto-' || number || '.jpg', '' from comments
    where image_count > 0 and channel_id like ${ofFilled}
  `.execute(db);
  await sql`
    update comments set file_count = 1, carried_text = 'foto.jpg'
    where number % 20 = 3 and channel_id like ${ofFilled}
  `.execute(db);
  await sql`
    insert into comment_files (channel_id, number, position, url)
    select channel_id, number, 0, '/files/images/foto-' || number || '.jpg' from comments
    where file_count > 0 and channel_id like ${ofFilled}
  `.execute(db);
  await sql`
    insert into comment_thanks (channel_id, number, account_id, created_at_ms)
    select channel_id, number, account_id, created_at_ms from comments
    where image_count > 0 and channel_id like ${ofFilled}
  `.execute(db);
}

/**
 * Adds dates to the comment with this number of each of the first channels: one a week, each with an answer of each
 * account. In every other channel ten of them wait for a place. Call it after `fillComments`.
 */
export async function fillDates(
  db: Database,
  filling: { number: number; channels: number; dates: number; accounts: number },
  nowMs: number,
): Promise<void> {
  const { number, channels, dates, accounts } = filling;
  const zone = 'Europe/Madrid';
  const coming = Math.floor(accounts / 2);
  const today = timeIn(zone, nowMs).toPlainDate();
  const starts = Array.from({ length: dates }, (_, week) => today.add({ days: 1 + 7 * week }));
  const event = {
    ...{ title: 'Ensayo', location: 'Local', zone, allDay: false },
    dates: starts.map((day) => ({ start: `${day}T20:30`, end: null })),
  };
  for (let channel = 0; channel < channels; channel++)
    await insertEvent(
      db,
      { channelId: filled.channelId(channel), number },
      { ...event, capacity: channel % 2 === 0 ? null : coming },
      nowMs,
    );
  await sql`
    update comments set carries = 'event', carried_text = 'Ensayo Local'
    where number = cast(${number} as integer) and channel_id < ${filled.channelId(channels)} and channel_id >= ${filled.channelId(0)}
  `.execute(db);
  await sql`
    insert into event_rsvps
      (channel_id, number, position, account_id, answer, people, turn, is_waiting, answered_at_ms)
    select channel_id, number, position, account_id, case when turn <= ${coming} + 10 then 'yes' else 'maybe' end,
      1, case when turn <= ${coming} + 10 then turn else 0 end,
      case when capacity is not null and turn between ${coming} + 1 and ${coming} + 10 then 1 else 0 end,
      cast(${nowMs} as bigint)
    from event_dates join comment_events using (channel_id, number) cross join (
      select id as account_id, row_number() over (order by id) as turn from accounts
      where id >= ${filled.accountId(0)} and id < ${filled.accountId(accounts)}) as people
    where number = cast(${number} as integer)
  `.execute(db);
  await storeCounts(db, sql`number = cast(${number} as integer)`);
}

/**
 * Adds a mention of the author of each comment, and as many replies to one person as the longest channel has
 * comments. Call it after `fillComments`.
 * @param atMs time of the notifications
 */
export async function fillNotifications(
  db: Database,
  accountId: string,
  atMs: number,
): Promise<void> {
  const at = sql`cast(${atMs} as bigint)`;
  const columns = sql`notifications (account_id, channel_id, number, kind, actor_id, created_at_ms)`;
  await sql`
    insert into ${columns} select account_id, channel_id, number, 'mention', account_id, ${at}
    from comments
  `.execute(db);
  await sql`
    insert into ${columns} select ${accountId}, channel_id, number, 'reply', account_id, ${at}
    from comments where channel_id = ${filled.channelId(0)}
  `.execute(db);
  await sql`
    insert into ${columns} select ${accountId}, channel_id, number, 'thanks', account_id, ${at}
    from comment_thanks where channel_id = ${filled.channelId(0)}
  `.execute(db);
}

/** Adds a decision by and about each account, an open and a decided case of it, and a report by it on each case. */
export async function fillModeration(db: Database, atMs: number): Promise<void> {
  const at = sql`cast(${atMs} as bigint)`;
  await sql`
    insert into decisions
      (id, at_ms, action, category, reason, subject_kind, subject_id, decided_by, until_ms)
    select id, ${at}, 'silence', 'other', '', 'user', id, id, 1 from accounts
  `.execute(db);
  await sql`insert into decision_accounts (decision_id, account_id) select id, id from accounts`.execute(
    db,
  );
  await sql`
    insert into appeals (id, decision_id, account_id, text, at_ms)
    select id, id, id, '', ${at} from accounts
  `.execute(db);
  await sql`
    insert into invitations (id, code_hash, account_id, uses, created_at_ms, ends_at_ms)
    select id, id, id, 1, ${at}, ${at} from accounts
  `.execute(db);
  for (const [version, decidedAt] of [
    ['1', null],
    ['2', at],
  ] as const) {
    const id = sql`substr(id, 1, 14) || ${sql.lit(version)} || substr(id, 16)`;
    await sql`
      insert into cases (id, subject_kind, subject_id, account_id, text, images, revision,
        report_count, opened_at_ms, decided_at_ms, decision_id)
      select ${id}, 'user', id, id, '', '[]', 0, 1, ${at}, ${decidedAt}, ${decidedAt && sql`id`}
      from accounts
    `.execute(db);
    await sql`
      insert into reports (id, case_id, receipt, account_id, reporter_key, reason, text, name, email,
        created_at_ms)
      select ${id}, ${id}, ${id}, id, id, 'spam', '', '', '', ${at} from accounts
    `.execute(db);
  }
  await sql`insert into case_images (case_id, url) select id, '/files/' || id from cases`.execute(
    db,
  );
}

/** Adds a pending and a rejected channel of each account, each with an image. @param atMs when they were created */
export async function fillPendingPosts(db: Database, atMs: number): Promise<void> {
  const at = sql`cast(${atMs} as bigint)`;
  const content = { name: 'Uno', description: '', cover: '/default-avatar.svg', cover_alt: '' };
  for (const [version, rejectedBy] of [
    ['3', null],
    ['4', sql`id`],
  ] as const) {
    const id = sql`substr(id, 1, 14) || ${sql.lit(version)} || substr(id, 16)`;
    await sql`
      insert into pending_posts (id, account_id, kind, content, reason, created_at_ms, expires_at_ms,
        rejected_by)
      select ${id}, id, 'channel', ${JSON.stringify(content)}, 'first_post', ${at}, ${at}, ${rejectedBy}
      from accounts
    `.execute(db);
  }
  await sql`insert into pending_post_images (pending_post_id, url) select id, '/files/' || id from pending_posts`.execute(
    db,
  );
}

/**
 * Adds a deleted and a hidden comment, an earlier version and a change for each comment, and a version of each
 * channel. Call it after `fillComments`.
 * @param atMs time of the deletions, replacements and changes
 */
export async function fillHistory(db: Database, atMs: number): Promise<void> {
  const at = sql`cast(${atMs} as bigint)`;
  for (const [column, value, firstNumber] of [
    ['deleted_at_ms', at, 100_000],
    ['hidden_by', sql`'hidden'`, 200_000],
  ] as const) {
    await sql`
      insert into comments (channel_id, number, account_id, text, created_at_ms, ${sql.ref(column)})
      select channel_id, number + ${sql.lit(firstNumber)}, account_id, text, created_at_ms, ${value}
      from visible_comments
    `.execute(db);
  }
  await sql`
    insert into comment_versions (channel_id, number, revision, text, replaced_at_ms)
    select channel_id, number, 0, text, ${at} from visible_comments
  `.execute(db);
  await sql`
    insert into comment_version_images (channel_id, number, revision, position, url, alt)
    select channel_id, number, 0, 0, '/files/' || channel_id || number, '' from visible_comments
  `.execute(db);
  await sql`
    insert into channel_versions
      (channel_id, revision, name, description, cover, cover_alt, replaced_at_ms)
    select id, 0, name, description, cover, cover_alt, ${at} from channels
  `.execute(db);
}

/** Appends all channels and comments to the search index. */
export async function fillIndex(db: Database): Promise<void> {
  await sql`
    insert into search_channels (channel_id) select id from channels
    where id not in (select channel_id from search_channels) order by id
  `.execute(db);
  const { count } = await db
    .selectFrom('search_channels')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow();
  for (let channel = 0; channel < count; channel += batch) {
    await sql`
      insert into search_docs (channel, number)
      select s.id, c.number from search_channels s
      join comments c on c.channel_id = s.channel_id
      where s.id > ${channel} and s.id <= ${channel + batch} and not exists (
        select 1 from search_docs d where d.channel = s.id and d.number = c.number)
    `.execute(db);
    await yieldToEventLoop();
  }
}

/** Hashes as long as those stored for requests of browsers. */
const filledKey = (key: string) => ({
  key_hash: key.padEnd(43, 'k'),
  request_hash: key.padEnd(43, 'r'),
});

const authorIn =
  ({ accounts }: Filling) =>
  (index: number) =>
    idOf(1, index % accounts);

async function insert<T extends keyof Tables>(
  db: Database,
  table: T,
  count: number,
  rowOf: (index: number) => Insertable<Tables[T]>,
): Promise<void> {
  await (db as unknown as Kysely<Tables>).transaction().execute(async (trx) => {
    for (let start = 0; start < count; start += batch) {
      const rows = Array.from({ length: Math.min(batch, count - start) }, (_, i) =>
        rowOf(start + i),
      );
      await trx.insertInto(table).values(rows).execute();
      // SQLite runs synchronously and would block a server in this process.
      await yieldToEventLoop();
    }
  });
}
