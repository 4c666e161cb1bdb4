import { apiRoutes } from '../../src/shared/api-routes.ts';
import { searchUrl, withQuery } from '../../src/shared/routes.ts';
import type { SearchResults } from '../../src/shared/search.ts';
import type { Step } from './account-steps.ts';
import type { Community } from './community.ts';
import * as texts from './hard-texts.ts';

/** Words and parts of words from the script's texts, and some that occur in none. */
const words = [...texts.userNames, ...texts.longTexts, 'nada', 'sangria', 'etrever']
  .flatMap((text) => text.split(/[\s<>'";]+/))
  .filter((word) => word !== '')
  .map((word) => [...word].slice(0, 40).join(''));

/** Maximum number of pages read of each search, to stay below the rate limit of searches. */
const mostPages = 3;

const parameters = (community: Community) => ({
  channel: community.chance(0.4) ? (community.channel()?.id ?? 'nada') : null,
  sort: community.pick([null, 'new', 'relevance']),
});

/** Reads several pages of a search for one or two words or a phrase, sometimes with an excluded word. */
async function search(community: Community): Promise<void> {
  const pick = () => community.pick(words);
  const q = community.pick([pick(), pick(), `${pick()} ${pick()}`, `"${pick()} ${pick()}"`]);
  const limit = community.between(1, 30);
  const typing = community.pick([null, 1]);
  const without = community.chance(0.2) ? ` -${pick()}` : '';
  const query = { q: q + without, limit, typing, ...parameters(community) };
  const { transcript } = community;
  let after: string | null | undefined;
  for (let page = 0; page < mostPages && after !== null; page++) {
    const { json } = await transcript.call('GET', withQuery(apiRoutes.search, { ...query, after }));
    after = (json as Partial<SearchResults>).next ?? null;
  }
  const { channel } = query;
  await transcript.call('GET', searchUrl({ q, ...(channel ? { channel } : {}) }));
}

async function searchWithBadInput(community: Community): Promise<void> {
  const { transcript } = community;
  const q = community.pick([...texts.badTexts, '"'.repeat(200), '-a', 'a '.repeat(100), '* NEAR(']);
  const after = community.pick([null, ...texts.madeUpCursors, '0123456789abcdef.9999999999']);
  const query = { q, after, ...parameters(community) };
  const url = withQuery(apiRoutes.search, query);
  await transcript.call(community.pick(['GET', 'HEAD']), url);
  await transcript.call('GET', url.replace(apiRoutes.search, '/search'));
}

export const searchSteps: Step[] = [
  { name: 'search', times: 10, take: search },
  { name: 'search with bad input', times: 6, take: searchWithBadInput },
];
