import type { Channel } from '../../../shared/channels.ts';
import { listChannelsById } from '../../channels/channel-queries.ts';
import type { Database } from '../../database/tables.ts';
import type { TakeTurn } from '../../overload/take-turns.ts';
import { findChannels } from './find-docs.ts';
import { hasPhrases, matches } from './matches.ts';
import type { Query } from './parse-query.ts';

/** Channels on the first page of what is found. */
const shownChannels = 5;
/** The newest ones that match, of which those that match by name are shown first. */
const comparedChannels = 50;

/** Visible channels whose name or description has what is searched for, first those by name, without comments. */
export async function searchChannels(
  db: Database,
  query: Query,
  takeTurn: TakeTurn,
): Promise<Channel[]> {
  const ids = await findChannels(db, query, comparedChannels);
  const byName: Channel[] = [];
  const others: Channel[] = [];
  for (const channel of await listChannelsById(db, ids)) {
    const { name, description } = channel;
    if (matches(query, name)) byName.push(channel);
    else if (!hasPhrases(query) || matches(query, `${name}\n${description}`)) others.push(channel);
    await takeTurn();
  }
  return [...byName, ...others].slice(0, shownChannels);
}
