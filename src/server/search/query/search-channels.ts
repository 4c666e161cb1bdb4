import type { Channel } from '../../../shared/channels.ts';
import { listChannelsById } from '../../channels/channel-queries.ts';
import type { Database } from '../../database/tables.ts';
import type { YieldIfDue } from '../../overload/time-slices.ts';
import { findChannels } from './find-docs.ts';
import { hasPhrases, matches } from './matches.ts';
import type { Query } from './parse-query.ts';

/** Channels on the first page of results. */
const shownChannels = 5;
/** Number of newest matching channels among which matches in the name come first. */
const comparedChannels = 50;

/** Finds visible channels whose name or description matches, matches in the name first, without comments. */
export async function searchChannels(
  db: Database,
  query: Query,
  yieldIfDue: YieldIfDue,
): Promise<Channel[]> {
  const ids = await findChannels(db, query, comparedChannels);
  const byName: Channel[] = [];
  const others: Channel[] = [];
  for (const channel of await listChannelsById(db, ids)) {
    const { name, description } = channel;
    if (matches(query, name)) byName.push(channel);
    else if (!hasPhrases(query) || matches(query, `${name}\n${description}`)) others.push(channel);
    await yieldIfDue();
  }
  return [...byName, ...others].slice(0, shownChannels);
}
