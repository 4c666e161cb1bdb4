// Runs the searches of cases.json in a new forum with the comments of corpus.json, and prints the scores. A person
// judged the cases without knowing the code.
//
//   node_modules/.bin/node test/search-cases/measure.ts [--engine=postgres] [--half=open]
//     [--failures=open|held-out|all|none] [--json=FILE]
//
// By default only failures of the open half are listed: the held-out half shows whether improvements made for the
// open half also hold for searches that their author has not seen.
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { apiRoutes } from '../../src/shared/api-routes.ts';
import type { Channel } from '../../src/shared/channels.ts';
import type { Comment } from '../../src/shared/comments.ts';
import { limits } from '../../src/shared/limits.ts';
import { engines, Forum, type Person } from '../forum/forum.ts';
import { OwnPostgres } from '../postgres/own-postgres.ts';
import {
  type Answer,
  type Case,
  type Figures,
  isPassed,
  type Score,
  score,
  summarize,
} from './score.ts';

interface Corpus {
  people: { id: string; name: string }[];
  channels: { id: string; name: string; description: string; author: string }[];
  /** Oldest first. */
  comments: { id: string; channel: string; author: string; text: string }[];
}

interface SearchAnswer {
  data: { comment: { id: string } }[];
  people?: { name: string }[];
}

const halves = ['open', 'held-out'] as const;
const sorts = ['new', 'relevance'] as const;
const choices = {
  engine: engines,
  half: ['all', ...halves],
  failures: [...halves, 'all', 'none'],
} as const;

const { values: options } = parseArgs({
  options: {
    engine: { type: 'string', default: 'sqlite' },
    half: { type: 'string', default: 'all' },
    failures: { type: 'string', default: 'open' },
    json: { type: 'string' },
  },
});
for (const [name, allowed] of Object.entries(choices)) {
  const value = options[name as keyof typeof choices];
  if ((allowed as readonly string[]).includes(value)) continue;
  console.error(`--${name} is one of ${allowed.join(', ')}`);
  process.exit(2);
}
const engine = options.engine === 'postgres' ? 'postgres' : 'sqlite';

const corpus: Corpus = read('corpus.json');
const cases = read<Case[]>('cases.json').filter(
  ({ half }) => options.half === 'all' || half === options.half,
);
const texts = new Map(corpus.comments.map(({ id, author, text }) => [id, `${author}: ${text}`]));
const names = new Map(corpus.people.map(({ id, name }) => [id, name]));

const postgres = engine === 'postgres' ? await OwnPostgres.startInMemory() : undefined;
if (postgres) process.env.TEST_POSTGRES_URL = postgres.serverUrl;
try {
  const figures = await measure();
  if (options.json) writeFileSync(options.json, `${JSON.stringify(figures, null, 2)}\n`);
} finally {
  await postgres?.remove();
}

async function measure() {
  // Comments are a minute apart.
  let nowMs = Date.now() - 60_000 * corpus.comments.length;
  await using forum = await Forum.start(engine, {}, { now: () => nowMs });
  const idsOf = await fill(forum, () => {
    nowMs += 60_000;
  });
  const figures: Record<string, Record<string, Figures>> = {};
  for (const sort of sorts) {
    const results: { searched: Case; answer: Answer; result: Score }[] = [];
    for (const searched of cases) {
      const answer = await search(forum, searched.q, sort, idsOf);
      results.push({ searched, answer, result: score(searched, answer, names) });
    }
    const rows: Record<string, Figures> = {};
    const addRow = (title: string, isIn: (searched: Case) => boolean) => {
      const scores = results.filter(({ searched }) => isIn(searched)).map(({ result }) => result);
      if (scores.length > 0) rows[title] = summarize(scores);
    };
    for (const category of new Set(cases.map((searched) => searched.category))) {
      for (const half of halves) {
        addRow(`${category}, ${half}`, (of) => of.category === category && of.half === half);
      }
    }
    for (const half of halves) addRow(`all, ${half}`, (of) => of.half === half);
    addRow('all', () => true);
    figures[sort] = rows;
    printTable(`${engine}, sort=${sort}`, rows);
    for (const { searched, answer, result } of results) {
      const isListed = options.failures === 'all' || options.failures === searched.half;
      if (isListed && !isPassed(result)) printFailure(searched, answer, result);
    }
  }
  return { engine, figures };
}

/** Writes the corpus through the API. @returns the corpus's ids by the ids of the API */
async function fill(forum: Forum, wait: () => void): Promise<Map<string, string>> {
  const people = new Map<string, Person>();
  for (const { id, name } of corpus.people) people.set(id, await forum.person(name));
  const channels = new Map<string, Channel>();
  for (const { id, name, description, author } of corpus.channels) {
    const channel = await forum.json<Channel>('POST', apiRoutes.channels, {
      token: get(people, author).token,
      body: { name, description, cover: '/default-avatar.svg' },
    });
    channels.set(id, channel);
  }
  const ids = new Map<string, string>();
  for (const { id, channel, author, text } of corpus.comments) {
    wait();
    const { _id } = get(channels, channel);
    const comment: Comment = await forum.comment(get(people, author), _id, text);
    ids.set(comment.id, id);
  }
  return ids;
}

async function search(
  forum: Forum,
  q: string,
  sort: string,
  idsOf: ReadonlyMap<string, string>,
): Promise<Answer> {
  const query = new URLSearchParams({ q, sort, limit: String(limits.hitsPerPage) });
  const answer = await forum.json<SearchAnswer>('GET', `${apiRoutes.search}?${query}`);
  return {
    hits: answer.data.map(({ comment }) => get(idsOf, comment.id)),
    people: answer.people?.map(({ name }) => name) ?? [],
  };
}

function printTable(title: string, rows: Record<string, Figures>): void {
  const percent = (value: number | null) =>
    (value === null ? '' : `${Math.round(100 * value)} %`).padStart(6);
  const width = Math.max(...Object.keys(rows).map((row) => row.length));
  console.log(`\n## ${title}\n`);
  const columns = 'cases | recall | first right | best first | nothing | people | wrong | passed';
  console.log(`| ${'category, half'.padEnd(width)} | ${columns} |`);
  console.log(`|---${'|---:'.repeat(columns.split('|').length)}|`);
  for (const [row, figures] of Object.entries(rows)) {
    const cells = [
      row.padEnd(width),
      String(figures.cases).padStart(3),
      percent(figures.recall),
      percent(figures.firstRight),
      percent(figures.firstBest),
      percent(figures.nothingFound),
      percent(figures.peopleFound),
      String(figures.wrongHits).padStart(3),
      String(figures.passed).padStart(3),
    ];
    console.log(`| ${cells.join(' | ')} |`);
  }
}

function printFailure({ id, half, q, best, note }: Case, { hits }: Answer, result: Score): void {
  const show = (label: string, ids: string[]) => {
    for (const hit of ids) console.log(`    ${label} ${hit} ${texts.get(hit)?.slice(0, 90)}`);
  };
  console.log(`\n- ${id} (${half}): ${q}${note && `\n    ${note}`}`);
  show('missing', result.missing);
  if (result.isFirstRight === false) show('first', hits.slice(0, 1));
  if (result.isFirstBest === false) show('best', best);
  show('wrong', result.wrongHits);
  if (result.arePeopleFound === false) console.log('    the person was not found');
}

function read<T>(file: string): T {
  return JSON.parse(readFileSync(path.join(import.meta.dirname, file), 'utf8')) as T;
}

function get<K, V>(map: ReadonlyMap<K, V>, key: K): V {
  const value = map.get(key);
  if (value === undefined) throw new Error(`unknown: ${key}`);
  return value;
}
