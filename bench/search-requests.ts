import { apiRoutes } from '../src/shared/api-routes.ts';
import type { SearchResults } from '../src/shared/search.ts';
import { filled } from '../test/forum/fill-forum.ts';
import { neverTogether, type SearchForum } from './search-forum.ts';

/** Budget for all ordinary searches together. */
export const anyQuery = { p50Ms: 10, p99Ms: 60 };
const anyKind = { p99Ms: 60 };
const frequentWord = { p99Ms: 20 };

/** The name of the costliest kind. */
export const neverMeet = 'two words in 30 % each, never together';

export interface SearchKind {
  name: string;
  budget: { p50Ms?: number; p99Ms: number };
  /** Whether it counts towards all ordinary searches. */
  isOrdinary: boolean;
  urls: string[];
}

/** Searches of each kind, all different. */
export async function searchKinds(forum: SearchForum, count: number): Promise<SearchKind[]> {
  const { texts, client } = forum;
  const { random, words } = texts;
  const first = await client.json<SearchResults>('GET', urlOf({ q: 'de' }));
  // Half of the time people search for frequent words, otherwise for words of any rank.
  const word = () =>
    random() < 0.5 ? texts.word() : (words[Math.floor(words.length ** random())] ?? '');
  const several = (number: number) => Array.from({ length: number }, word).join(' ');
  const channel = () => filled.channelId(Math.floor(10_000 * random() ** 3));
  const frequent = () => words[Math.floor(100 * random())] ?? '';
  // The number after the letters of the cursor is a position in the index.
  const deep = () =>
    (first.next ?? '').replace(/(?<=^[^.]+\.[a-z]+)\d+/, (doc) =>
      String(Number(doc) - Math.floor(forum.comments * random())),
    );
  const begun = () => {
    const long = longWord(word);
    return long.slice(0, 3 + Math.floor((long.length - 2) * random()));
  };
  /** A word with two adjacent letters swapped. */
  const misspelt = () => {
    const long = longWord(() => words[200 + Math.floor(20_000 * random())] ?? '', 7);
    const at = 2 + Math.floor((long.length - 4) * random());
    return long.slice(0, at) + long.charAt(at + 1) + long.charAt(at) + long.slice(at + 2);
  };
  const urls = (make: (index: number) => Record<string, string>) =>
    Array.from({ length: count }, (_, index) => urlOf(make(index)));
  const ordinary = (name: string, urls: string[]): SearchKind => ({
    name,
    budget: anyKind,
    isOrdinary: true,
    urls,
  });
  return [
    ...[1, 2, 3, 4, 5].map((number) =>
      ordinary(
        number === 1 ? '1 word' : `${number} words`,
        urls(() => ({ q: several(number) })),
      ),
    ),
    ordinary(
      'a prefix of 3 letters or more',
      urls(() => ({ q: begun(), typing: '1' })),
    ),
    ordinary(
      '1-3 words and a prefix',
      urls((index) => ({ q: `${several(1 + (index % 3))} ${begun()}`, typing: '1' })),
    ),
    ordinary(
      'in a channel',
      urls((index) => ({ q: several(1 + (index % 2)), channel: channel() })),
    ),
    ordinary(
      'in a channel, a prefix',
      urls(() => ({ q: begun(), typing: '1', channel: channel() })),
    ),
    ordinary('pages 2-10', await nextPages(forum, word, count)),
    ordinary(
      'an absent word',
      urls((index) => ({ q: `${several(index % 4)} xyz${index}xyz`, exact: '1' })),
    ),
    ordinary(
      'a phrase of 2 words',
      urls(() => ({ q: `"${frequent()} ${word()}"` })),
    ),
    ordinary(
      'most relevant',
      urls((index) => ({ q: several(1 + (index % 3)), sort: 'relevance' })),
    ),
    ordinary(
      'of an author',
      urls((index) => ({ q: several(1 + (index % 2)), author: filled.accountId(index % 8) })),
    ),
    ordinary(
      'a word and not another',
      urls(() => ({ q: `${word()} -${word()}` })),
    ),
    {
      name: 'a misspelt word, and up to two others',
      budget: { p99Ms: 100 },
      isOrdinary: false,
      urls: urls((index) => ({ q: `${misspelt()} ${several(index % 3)}` })),
    },
    {
      name: 'two misspelt words',
      budget: { p99Ms: 100 },
      isOrdinary: false,
      urls: urls(() => ({ q: `${misspelt()} ${misspelt()}` })),
    },
    {
      name: 'a word in 68 % of all comments',
      budget: frequentWord,
      isOrdinary: true,
      urls: urls((index) => ({ q: 'de', limit: String(1 + (index % 50)) })),
    },
    {
      name: 'the same, deep down',
      budget: frequentWord,
      isOrdinary: true,
      urls: urls(() => ({ q: 'de', after: deep() })),
    },
    {
      name: 'a word in 1-30 % of them, deep down',
      budget: frequentWord,
      isOrdinary: true,
      urls: urls(() => ({ q: frequent(), after: deep() })),
    },
    {
      name: neverMeet,
      budget: { p99Ms: 250 },
      isOrdinary: false,
      urls: urls(() => ({ q: neverTogether.join(' '), after: deep() })),
    },
    ordinary(
      'two frequent words and not a third',
      urls(() => ({ q: `${frequent()} ${frequent()} -${frequent()}` })),
    ),
    {
      name: 'a word that is excluded too',
      budget: { p99Ms: 1000 },
      isOrdinary: false,
      urls: urls(() => ({ q: 'de -de', after: deep() })),
    },
  ];
}

/** Consecutive pages, up to the tenth, of several searches. */
async function nextPages(
  { client }: SearchForum,
  word: () => string,
  count: number,
): Promise<string[]> {
  const urls: string[] = [];
  while (urls.length < count) {
    const q = word();
    let after: string | null | undefined;
    for (let page = 1; page <= 10 && after !== null; page++) {
      const url = urlOf(after ? { q, after } : { q });
      if (after) urls.push(url);
      after = (await client.json<SearchResults>('GET', url)).next;
    }
  }
  return urls.slice(0, count);
}

function longWord(word: () => string, least = 3): string {
  for (;;) {
    const one = word();
    if (one.length >= least) return one;
  }
}

function urlOf(query: Record<string, string>): string {
  return `${apiRoutes.search}?${new URLSearchParams(query)}`;
}
