import { limits } from '../../shared/limits.ts';
import { api, type Failure } from '../api/api.ts';
import type { LoadedChannel } from '../state/actions.ts';
import { restOf } from '../state/state.ts';

/** A channel with a page of its comments: the first, or the one after `after`. */
export async function fetchChannel(
  id: string,
  after: string | null,
  signal?: AbortSignal,
): Promise<LoadedChannel | Failure> {
  if (after === null) {
    const channel = await api.getChannel(id, limits.commentsPerPage, signal);
    if (!channel.ok) return channel;
    const moreAfter = restOf(channel.value);
    return { type: 'CHANNEL_LOADED', channel: channel.value, moreAfter, isFirstPage: true };
  }
  const [channel, page] = await Promise.all([
    api.getChannel(id, 0, signal),
    api.listComments(id, after, signal),
  ]);
  if (!channel.ok) return channel;
  if (!page.ok) return page;
  const { data, next } = page.value;
  return {
    type: 'CHANNEL_LOADED',
    channel: { ...channel.value, comments: data },
    moreAfter: next,
    isFirstPage: false,
  };
}
