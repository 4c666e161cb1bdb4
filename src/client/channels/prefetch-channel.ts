import { lacksComments } from '../state/state.ts';
import type { Store } from '../state/store.ts';
import { fetchChannel } from './fetch-channel.ts';

const maxConcurrent = 4;
const underWay = new Set<string>();

/**
 * Loads a listed channel's first comments before its page is opened, so that it shows at once.
 * The page fetches the channel again all the same. Comments already loaded are not fetched.
 */
export async function prefetchChannel(id: string, { getState, dispatch }: Store): Promise<void> {
  const known = getState().channels.get(id);
  if (!known || !lacksComments(known)) return;
  if (underWay.has(id) || underWay.size >= maxConcurrent) return;
  underWay.add(id);
  const result = await fetchChannel(id, null);
  underWay.delete(id);
  if ('type' in result) dispatch({ ...result, isAhead: true });
}
