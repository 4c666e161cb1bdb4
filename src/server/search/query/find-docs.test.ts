import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { CompiledQuery, sql } from 'kysely';
import { type Engine, engines, Forum } from '../../../../test/forum/forum.ts';
import { openWatchedDatabase, rowsReadByPostgres } from '../../../../test/forum/query-plans.ts';
import { zipfTexts } from '../../../../test/forum/zipf-texts.ts';
import { openDatabase } from '../../database/engine.ts';
import type { Database } from '../../database/tables.ts';
import { channelToken } from '../../search-index/index-comment.ts';
import { tokensOf } from '../../search-index/words.ts';
import type { Config } from '../../system/settings/config.ts';
import { type DocSearch, findDocs } from './find-docs.ts';
import type { Match, Terms } from './terms.ts';

const corpus = zipfTexts(15, 3000);
const { random } = corpus;
const channels = 12;
/** `npm run test:faults` tries more queries. */
const queries = Number(process.env.SEARCH_QUERIES ?? 100);
/** Docs with gaps, such as erased comments leave. */
const docs = Array.from({ length: 6000 }, (_, index) => ({
  doc: index < 3000 ? 1 + index : 40_000 + 13 * index,
  channel: 1 + Math.floor(channels * random() ** 2),
  number: index,
  tokens: tokensOf(`${corpus.text(60)}${index % 1000 === 500 ? ' rara' : ''}`),
}));
const channelId = (channel: number) => `00000002-0000-7000-8000-00000000000${channel.toString(16)}`;
/**
 * A rare word, a word that does not occur, a rare word among frequent ones, an incomplete word, and two of four
 * words, two of which do not occur.
 */
const rareQueries: Terms[] = [
  ['rara'],
  ['nunca'],
  ['rara', 'de'],
  ['rara', 'de', 'la', 'que'],
  ['de', 'rara*'],
].map((words) => ({
  required: words.map((word) => [word]),
  excluded: [],
}));
const most = ['rara', 'nunca', 'jamas', 'de'].map((word) => [word]);
rareQueries.push({
  required: most,
  missing: 2,
  excluded: [],
  except: most,
});
const among = (count: number) => Math.floor(random() * count);

describe('a search of the index', () => {
  const forums: Partial<Record<Engine, Forum>> = {};
  before(async () => {
    for (const engine of engines) {
      const forum = await Forum.start(engine);
      forums[engine] = forum;
      await fill(engine, forum.services.db);
    }
  });
  after(() => Promise.all(engines.map((engine) => forums[engine]?.stop())));

  test('finds the same as a plain filter on both engines, page by page, for random queries', async () => {
    let found = 0;
    for (let index = 0; index < queries; index++) {
      const search = randomSearch();
      const expected = filtered(search);
      for (const engine of engines) {
        const db = forums[engine]?.services.db as Database;
        const pages = await pagesOf(db, search);
        assert.deepEqual(pages, expected, `${engine}: ${JSON.stringify(search)}`);
      }
      found += expected.flat().length;
    }
    assert.ok(found > 5 * queries, `${found} found`);
  });

  test('reads only the newest rows and those from the index on PostgreSQL', async () => {
    const { config } = (forums.postgres as Forum).services;
    // The statements are explained with the setting under which they run.
    const databaseUrl = `${config.databaseUrl}?options=-c%20enable_seqscan%3Doff`;
    const planned = openDatabase({ ...config, databaseUrl });
    for (const query of rareQueries) {
      const [statement, ...others] = await statementsFor(config, query);
      assert.ok(statement && others.length === 0);
      const rows = (await rowsReadByPostgres(planned, statement)).search_docs ?? 0;
      assert.ok(rows > 0 && rows < 350, `${rows} rows`);
    }
    await planned.destroy();
  });

  test('reads only the full-text index on SQLite, in its order', async () => {
    const { config, db } = (forums.sqlite as Forum).services;
    for (const query of rareQueries) {
      const statements = await statementsFor(config, query);
      assert.ok(statements.length > 0);
      for (const { sql: statement, parameters } of statements) {
        const explained = CompiledQuery.raw(`explain query plan ${statement}`, [...parameters]);
        const { rows } = await db.executeQuery<{ detail: string }>(explained);
        const plan = rows.map(({ detail }) => detail.replace(/INDEX .*/, 'INDEX'));
        assert.deepEqual(plan, ['SCAN search_docs_fts VIRTUAL TABLE INDEX']);
      }
    }
  });
});

/** Records the statements of a search, with the parameters of its last part. */
async function statementsFor(config: Config, query: Terms): Promise<CompiledQuery[]> {
  const { db, asked } = openWatchedDatabase(config);
  await findDocs(db, { query, limit: 20 });
  await db.destroy();
  return [...asked.values()].filter(({ sql }) => /tokens|match/.test(sql));
}

async function fill(engine: Engine, db: Database): Promise<void> {
  const ids = Array.from({ length: channels }, (_, index) => index + 1);
  const rows = ids.map((id) => ({ id, channel_id: channelId(id) }));
  await db.insertInto('search_channels').values(rows).execute();
  const withPartitions = docs.map((one) => ({
    ...one,
    tokens: [...one.tokens, channelToken(channelId(one.channel))],
  }));
  await db.transaction().execute(async (trx) => {
    for (let start = 0; start < docs.length; start += 500) {
      const some = withPartitions.slice(start, start + 500);
      if (engine === 'sqlite') {
        const rows = some.map(({ doc, channel, number }) => ({ doc, channel, number }));
        await trx.insertInto('search_docs').values(rows).execute();
        const texts = some.map(({ doc, tokens }) => sql`(${doc}, ${tokens.join(' ')})`);
        await sql`insert into search_docs_fts (rowid, tokens) values ${sql.join(texts)}`.execute(
          trx,
        );
      } else {
        const rows = some.map(
          ({ doc, channel, number, tokens }) =>
            sql`(${doc}, ${channel}, ${number}, array_to_tsvector(${tokens}))`,
        );
        await sql`insert into search_docs (doc, channel, number, tokens)
          values ${sql.join(rows)}`.execute(trx);
      }
    }
  });
  if (engine === 'postgres') await sql`analyze`.execute(db);
}

/** Creates a search of one to five words with prefixes, alternatives, exclusions, a channel or a cursor. */
function randomSearch(): DocSearch {
  const [token = ''] = tokensOf(corpus.word());
  const match = (): Match => {
    const [word = token] = tokensOf(corpus.word());
    const isPrefix = random() < 0.2;
    return isPrefix ? `${word.slice(0, 3 + among(3))}*` : word;
  };
  const required = Array.from({ length: 1 + among(5) ** 2 / 5 }, () =>
    random() < 0.1 ? [match(), match()] : [match()],
  );
  const excluded = random() < 0.3 ? [match().replace('*', ''), token] : [];
  const missing = required.length > 1 && random() < 0.5 ? 1 + among(required.length - 1) : 0;
  const except = missing > 0 && random() < 0.8 ? required : undefined;
  return {
    query: { required, missing, excluded, except },
    channelId: random() < 0.3 ? channelId(1 + among(channels + 1)) : undefined,
    before: random() < 0.3 ? 1 + among(130_000) : undefined,
    limit: 1 + among(30),
  };
}

/** Finds the first two consecutive pages. */
async function pagesOf(db: Database, search: DocSearch): Promise<number[][]> {
  const pages: number[][] = [];
  let before = search.before;
  while (pages.length < 2) {
    const { docs, rest } = await findDocs(db, { ...search, before });
    pages.push(docs);
    if (rest === null) break;
    before = rest;
  }
  return pages;
}

function filtered({ query, channelId: only, before, limit }: DocSearch): number[][] {
  const matches = docs
    .filter(({ doc }) => before === undefined || doc < before)
    .filter(({ channel }) => only === undefined || channelId(channel) === only)
    .filter(({ tokens }) => isMatch(tokens, query))
    .map(({ doc }) => doc)
    .sort((a, b) => b - a);
  return [0, 1]
    .map((page) => matches.slice(page * limit, (page + 1) * limit))
    .filter((page, index) => index === 0 || page.length > 0);
}

function isMatch(tokens: string[], { required, missing = 0, excluded, except }: Terms): boolean {
  const occurs = (match: Match) =>
    match.length > 3 && match.endsWith('*')
      ? tokens.some((each) => each.startsWith(match.slice(0, -1)))
      : tokens.includes(match.replace('*', ''));
  const found = required.filter((matches) => matches.some(occurs)).length;
  const lacks = required.length - found;
  // A word that is also excluded is never found.
  const isNowhere = required.some((matches) => matches.every((one) => excluded.includes(one)));
  return (
    !isNowhere &&
    lacks <= missing &&
    !(except && lacks === 0) &&
    !excluded.some((token) => tokens.includes(token))
  );
}
