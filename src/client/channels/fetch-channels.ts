import type { ChannelOrder, ChannelPage } from '../../shared/channels.ts';
import { limits } from '../../shared/limits.ts';
import type { Result } from '../api/failures.ts';
import { request } from '../api/request.ts';
import type { Store } from '../state/store.ts';
import { listChannels } from './channel-calls.ts';

/**
 * Fetches the list at the length it had when it was last shown, in pages of at most as many as the
 * server allows.
 * @param start cursor in this order at which the list begins; null for its beginning
 */
export async function fetchChannels(
  order: ChannelOrder,
  start: string | null,
  { getState }: Store,
  signal: AbortSignal,
): Promise<Result<ChannelPage>> {
  const { list } = getState();
  const isSameList = list?.isFirstPage === (start === null) && list.order === order;
  const count = Math.max(limits.channelsPerPage, isSameList ? list.ids.length : 0);
  const data: ChannelPage['data'] = [];
  let next = start;
  do {
    const limit = Math.min(limits.listItems, count - data.length);
    const page = await request(listChannels, { order, after: next, limit }, { signal });
    if (!page.ok) return page;
    data.push(...page.value.data);
    next = page.value.next;
  } while (next !== null && data.length < count);
  return { ok: true, value: { data, next } };
}

/** Appends the page after a cursor. @returns the id of its first channel, '' without one, null on failure */
export async function fetchMoreChannels(
  order: ChannelOrder,
  after: string,
  { dispatch }: Store,
): Promise<string | null> {
  const result = await request(listChannels, { order, after, limit: limits.channelsPerPage });
  if (!result.ok) return null;
  const { data, next } = result.value;
  dispatch({ type: 'CHANNELS_ADDED', after, channels: data, next });
  return data[0]?._id ?? '';
}
