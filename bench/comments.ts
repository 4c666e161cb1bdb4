import type { Request } from 'autocannon';
import { apiRoutes } from '../src/shared/routes.ts';
import type { DemoData } from './demo-data.ts';
import { put } from './load.ts';
import { pick } from './pick.ts';

/** A comment for each channel, by a different author each. */
export function commentRequests({ channelIds, tokens, texts }: DemoData): Request[] {
  return channelIds.map((id, index) =>
    put(apiRoutes.comment, pick(tokens, index), { id, comment: pick(texts, index) }),
  );
}
