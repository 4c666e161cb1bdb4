import { type Kysely, PostgresAdapter, sql } from 'kysely';

/**
 * Adds the images that cases show, so that they stay as long as the case; and erases surplus versions, which 1.0.0
 * stored without a bound, in one statement per table, because their rows need not be read.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  const isPostgres = db.getExecutor().adapter instanceof PostgresAdapter;
  const byteText = sql.raw(isPostgres ? 'text collate "C"' : 'text');
  await sql`
    create table case_images (
      case_id ${byteText} not null references cases (id) on delete cascade,
      url text not null,
      primary key (case_id, url)
    )
  `.execute(db);
  await sql`create index case_images_by_url on case_images (url)`.execute(db);
  const shown = isPostgres
    ? sql`select cases.id, image->>'url' as url from cases, jsonb_array_elements(images::jsonb) as image`
    : sql`select cases.id, image.value->>'url' as url from cases, json_each(images) as image`;
  await sql`
    insert into case_images (case_id, url)
    select distinct id, url from (${shown}) as shown where url like '/files/%'
  `.execute(db);
  await eraseSurplus(db, 'comment');
  await eraseSurplus(db, 'channel');
}

/** Leaves of each comment or channel the oldest version, the one with an open case, and the newest 48. */
async function eraseSurplus(db: Kysely<unknown>, kind: 'comment' | 'channel'): Promise<void> {
  const isComment = kind === 'comment';
  const table = sql.table(`${kind}_versions`);
  const owner = sql.raw(isComment ? 'channel_id, number' : 'channel_id');
  const subject = sql.raw(isComment ? "channel_id || '-' || number" : 'channel_id');
  const surplus = sql`
    select ${owner}, revision from (
      select ${owner}, revision,
        row_number() over (partition by ${owner} order by revision) as from_oldest,
        row_number() over (partition by ${owner} order by revision desc) as from_newest
      from ${table}) as version
    where from_oldest > 1 and from_newest > 48 and not exists (
      select 1 from cases where subject_kind = ${kind} and subject_id = ${subject}
        and cases.revision = version.revision and decided_at_ms is null)
  `;
  // The next sweep erases those of the images that nothing else uses, and until then nobody is shown them.
  const images = sql.raw(isComment ? 'comment_version_images' : 'channel_versions');
  const url = sql.raw(isComment ? 'url' : 'cover');
  await sql`
    update images set used_at_ms = 0
    where url in (select ${url} from ${images} where (${owner}, revision) in (${surplus}))
  `.execute(db);
  if (isComment)
    await sql`delete from ${images} where (${owner}, revision) in (${surplus})`.execute(db);
  await sql`delete from ${table} where (${owner}, revision) in (${surplus})`.execute(db);
}
