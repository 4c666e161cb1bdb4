import { type RawBuilder, sql } from 'kysely';
import type { Database } from '../../src/server/database/tables.ts';

interface Place {
  /** The account that wrote the comments. */
  accountId: string;
  /** The account that opened the channels. */
  openerId: string;
  /** A channel of somebody else, in which nobody has commented yet. */
  channelId: string;
  nowMs: number;
}

/** Ids in ascending order, distinct for each kind. @param i a number from 1 */
const idOf = (kind: number, i: RawBuilder<unknown>) =>
  sql`${`0000000${kind}-0000-7000-8000-`} || cast(100000000000 + ${i} as text)`;

/** Inserts rows of each kind that belong to one account, comment or channel, each kind in one statement. */
export async function fillAccount(
  db: Database,
  { accountId, openerId, channelId, nowMs }: Place,
  count: number,
): Promise<void> {
  const i = sql.ref('i');
  const [text, at, author, channel] = [
    sql`cast('Hola' as text)`,
    sql`cast(${nowMs} as bigint)`,
    sql`cast(${accountId} as text)`,
    sql`cast(${channelId} as text)`,
  ];
  const url = (kind: string) => sql`${`/files/images/${kind}-`} || i`;
  /** Inserts `count` rows with these values of the columns. */
  const insert = (table: string, values: Record<string, RawBuilder<unknown> | string | number>) =>
    sql`
      insert into ${sql.table(table)} (${sql.join(Object.keys(values).map((name) => sql.ref(name)))})
      with recursive numbers (i) as (select 1 union all select i + 1 from numbers where i < ${sql.lit(count)})
      select ${sql.join(
        Object.values(values).map((value) => (typeof value === 'object' ? value : sql.lit(value))),
      )} from numbers
    `.execute(db);

  const person = idOf(1, i);
  await insert('accounts', {
    id: person,
    name: text,
    email: person,
    email_key: person,
    password_hash: '',
    created_at_ms: at,
  });
  const channelRow = { name: text, description: text, cover_alt: '' };
  await insert('channels', {
    id: idOf(2, i),
    account_id: sql`cast(${openerId} as text)`,
    ...channelRow,
    cover: url('cover'),
    comment_count: 0,
    last_comment_number: 0,
    created_at_ms: at,
  });
  const imported = { state: 'done', plan: '', source_key: 'k', left_out: '{}' };
  await insert('imports', {
    channel_id: idOf(2, i),
    account_id: sql`cast(${openerId} as text)`,
    ...imported,
    started_at_ms: at,
    changed_at_ms: at,
  });
  await insert('imported_people', { channel_id: idOf(2, i), source_hash: 'h', account_id: person });
  const first = idOf(2, sql`1`);
  await insert('channel_versions', {
    channel_id: first,
    revision: i,
    ...channelRow,
    cover: url('former'),
    replaced_at_ms: at,
  });
  const key = { channel_id: channel, number: i };
  await insert('comments', {
    ...key,
    account_id: author,
    text,
    created_at_ms: at,
    image_count: 1,
    file_count: 1,
    carries: 'event',
    carried_text: text,
    reply_to: sql`case i when 1 then null else 1 end`,
  });
  await sql`
    update channels set comment_count = ${count}, last_comment_number = ${count} where id = ${channelId}
  `.execute(db);
  await insert('comment_images', { ...key, position: 0, url: url('comment'), alt: '' });
  await insert('comment_files', { ...key, position: 0, url: url('file') });
  // The versions of the first comment expire soon, those of the second with the comment.
  for (const [number, replacedAt] of [
    [1, at],
    [2, sql`${at} + 10000000000`],
  ] as const) {
    const version = { channel_id: channel, number, revision: i };
    await insert('comment_versions', { ...version, text, replaced_at_ms: replacedAt });
    await insert('comment_version_images', {
      ...version,
      position: 0,
      url: url(`version-${number}`),
      alt: '',
    });
  }
  await insert('comment_thanks', { ...key, account_id: author, created_at_ms: at });
  const ofFirst = { channel_id: channel, number: 1 };
  await insert('comment_thanks', { ...ofFirst, account_id: person, created_at_ms: at });
  // Past dates, of which nobody has to be told before they are erased.
  const event = { title: text, location: text, zone: 'Europe/Madrid', all_day: 0 };
  await insert('comment_events', { ...key, ...event, changed_at_ms: at });
  const [start, startsAt] = ['2026-01-01T20:30', sql`${at} - 86400000`];
  await insert('event_dates', {
    ...key,
    position: 0,
    ...{ start_time: start, starts_at_ms: startsAt, ends_at_ms: startsAt, phase: 'over' },
    ...{ told_start: start, told_location: text },
  });
  const rsvp = { position: 0, answer: 'yes', people: 1, answered_at_ms: at };
  await insert('event_rsvps', { ...key, ...rsvp, account_id: author, turn: 1 });
  await insert('event_rsvps', { ...ofFirst, ...rsvp, account_id: person, turn: sql`i + 1` });
  await insert('notifications', {
    ...key,
    account_id: author,
    kind: 'mention',
    actor_id: person,
    created_at_ms: at,
  });
  await insert('notifications', {
    ...ofFirst,
    account_id: person,
    kind: 'reply',
    actor_id: author,
    created_at_ms: at,
  });
  await insert('reading_positions', { account_id: author, channel_id: idOf(2, i), number: 0 });
  await insert('reading_positions', { account_id: person, channel_id: first, number: 0 });

  for (const kind of ['cover', 'former', 'comment', 'file', 'version-1', 'version-2', 'unused'])
    await insert('images', {
      full_path: url(kind),
      path_key: url(kind),
      url: url(kind),
      image_id: url(kind),
      account_id: author,
      use: 'comment',
      content_type: 'image/png',
      size_bytes: 1,
      stored_bytes: 1,
      md5: '',
      content_hash: '',
      width: 1,
      height: 1,
      largest_variant: 1,
      created_at_ms: at,
      updated_at_ms: at,
      used_at_ms: at,
    });
  const object = { use: 'comment', largest_variant: 1 };
  await insert('unconfirmed_objects', { image_id: idOf(3, i), ...object, created_at_ms: at });

  const decision = idOf(4, i);
  await insert('decisions', {
    id: decision,
    at_ms: at,
    action: 'hide',
    category: 'other',
    reason: text,
    subject_kind: 'comment',
    subject_id: sql`${channel} || '-' || i`,
    decided_by: person,
  });
  await insert('decision_accounts', {
    decision_id: decision,
    account_id: author,
    case_id: decision,
  });
  await insert('notifications', {
    account_id: author,
    kind: 'decision',
    decision_id: decision,
    created_at_ms: at,
  });
  await insert('appeals', {
    id: decision,
    decision_id: decision,
    account_id: author,
    text,
    at_ms: at,
  });
  for (const [kind, decided] of [
    [5, sql`cast(null as bigint)`],
    [6, at],
  ] as const) {
    const id = idOf(kind, i);
    await insert('cases', {
      id,
      subject_kind: 'comment',
      subject_id: sql`${channel} || '-' || i`,
      account_id: author,
      text,
      images: '[]',
      revision: 1,
      report_count: 1,
      opened_at_ms: at,
      decided_at_ms: decided,
    });
    await insert('case_images', { case_id: id, url: url('comment') });
    await insert('reports', {
      id,
      case_id: id,
      receipt: id,
      account_id: author,
      reporter_key: author,
      reason: 'spam',
      text,
      name: '',
      email: '',
      created_at_ms: at,
    });
  }
  const content = JSON.stringify({ name: 'Uno', description: '', cover: '', cover_alt: '' });
  await insert('pending_posts', {
    id: idOf(7, i),
    account_id: author,
    kind: 'channel',
    content,
    reason: 'first_post',
    created_at_ms: at,
    expires_at_ms: at,
  });
  await insert('pending_post_images', { pending_post_id: idOf(7, i), url: url('pending') });
  const used = { created_at_ms: at, last_used_at_ms: at, expires_at_ms: sql`${at} + 100000000` };
  const device = idOf(8, i);
  await insert('devices', {
    id: device,
    token_hash: device,
    account_id: author,
    browser: '',
    ...used,
  });
  await insert('sessions', {
    token_hash: device,
    id: device,
    account_id: author,
    device_id: device,
    ...used,
  });
  await insert('invitations', {
    id: device,
    code_hash: device,
    account_id: author,
    uses: 1,
    created_at_ms: at,
    ends_at_ms: at,
  });
}
