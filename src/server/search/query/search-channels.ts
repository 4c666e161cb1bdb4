import type { Channel } from '../../../shared/channels.ts';
import type { FoundChannel } from '../../../shared/search.ts';
import type { Database } from '../../database/tables.ts';
import { listChannelsById } from '../../forum/channels/channel-queries.ts';
import { channelsToken } from '../../search-index/index-comment.ts';
import { findDocs } from './find-docs.ts';
import { isInOrder, matches, type Query } from './parse-query.ts';
import { meantWords, withMissing } from './partial-query.ts';
import type { CommentSearch } from './search-comments.ts';
import type { Terms } from './terms.ts';

/** Maximum number of channels on the first page of results. */
const shownChannels = 5;
/** Number of newest matching channels among which matches in the name come first. */
const comparedChannels = 50;
/** Maximum number of pages of matching channels that are read, visible or not. */
const examinedPages = 20;

/**
 * Finds visible channels with all words in their name or description, or else with all except function words. With
 * `missing`, finds channels that lack up to that many words.
 */
export async function searchChannels(
  db: Database,
  { query, isExact, missing = 0 }: Pick<CommentSearch, 'query' | 'isExact' | 'missing'>,
): Promise<FoundChannel[]> {
  const words = meantWords(query);
  const meant = { ...query, words, required: words.map(({ entry }) => entry) };
  const queries =
    missing > 0
      ? [withMissing(query, meant, missing)]
      : [query, !isExact && words.length < query.words.length ? meant : undefined];
  for (const wanted of queries) {
    const channels = wanted ? await listMatchingChannels(db, wanted) : [];
    if (channels.length > 0) return channels.map((channel) => ({ ...channel, missing }));
  }
  return [];
}

/**
 * Lists visible channels whose name or description matches, without their comments. Matches in the name come first.
 */
export async function listMatchingChannels(db: Database, query: Query): Promise<Channel[]> {
  const found: { channel: Channel; isByName: boolean }[] = [];
  const ids = await findChannels(db, query, comparedChannels);
  for (const channel of await listChannelsById(db, ids)) {
    const { name, description } = channel;
    const isByName = matches(query, name);
    if (isByName || isInOrder(query, `${name}\n${description}`)) found.push({ channel, isByName });
  }
  found.sort((one, other) => Number(other.isByName) - Number(one.isByName));
  return found.slice(0, shownChannels).map(({ channel }) => channel);
}

/** Finds ids of visible channels whose name or description matches, newest first. Phrases are not checked. */
export async function findChannels(db: Database, query: Terms, limit: number): Promise<string[]> {
  const channels = { ...query, within: [...(query.within ?? []), [channelsToken]] };
  const found: string[] = [];
  let before: number | undefined;
  for (let pages = 0; pages < examinedPages && found.length < limit; pages++) {
    const { docs, rest } = await findDocs(db, { query: channels, limit: comparedChannels, before });
    if (docs.length === 0) break;
    const rows = await db
      .selectFrom('search_docs')
      .innerJoin('search_channels', 'search_channels.id', 'search_docs.channel')
      .innerJoin('visible_channels', 'visible_channels.id', 'search_channels.channel_id')
      .select('channel_id')
      .where('doc', 'in', docs)
      .orderBy('doc', 'desc')
      .execute();
    found.push(...rows.map(({ channel_id }) => channel_id));
    if (rest === null) break;
    before = rest;
  }
  return found.slice(0, limit);
}
