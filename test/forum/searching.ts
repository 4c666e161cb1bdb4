import { before } from 'node:test';
import { apiRoutes } from '../../src/shared/api-routes.ts';
import type { Channel } from '../../src/shared/channels.ts';
import { withQuery } from '../../src/shared/routes.ts';
import type { SearchResults } from '../../src/shared/search.ts';
import type { Forum, Person } from './forum.ts';

interface Parameters {
  channel?: string;
  limit?: number;
  after?: string | null;
  sort?: string;
  typing?: 1;
  exact?: 1;
  author?: string;
}

export const searchPath = (q: string, parameters: Parameters = {}) =>
  withQuery(apiRoutes.search, { q, ...parameters });

export const textsOf = ({ data }: SearchResults) => data.map(({ comment }) => comment.comment);

/** Texts and searches in a forum, by one person. */
export function searching(forum: () => Forum) {
  let person: Person;
  before(async () => {
    person = await forum().person();
  });
  const search = (q: string, parameters?: Parameters) =>
    forum().json<SearchResults>('GET', searchPath(q, parameters));
  return {
    get person() {
      return person;
    },
    search,
    channel: (name?: string) => forum().channel(person, name),
    write: async ({ _id }: Channel, ...texts: string[]) => {
      for (const text of texts) await forum().comment(person, _id, text);
    },
    /** Texts of all pages. @param between runs after each page */
    allTexts: async (q: string, parameters: Parameters, between = async () => {}) => {
      const texts: string[][] = [];
      for (let after: string | null | undefined; after !== null; ) {
        const page = await search(q, { ...parameters, ...(after ? { after } : {}) });
        texts.push(textsOf(page));
        after = page.next;
        await between();
      }
      return texts;
    },
  };
}
