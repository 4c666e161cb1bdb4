import { apiRoutes } from '../src/shared/routes.ts';
import type { DemoData } from './demo-data.ts';
import { put } from './load.ts';
import { pick } from './pick.ts';

/** One comment for each channel, each written by somebody else. */
export function commentRequests({ channelIds, tokens, texts }: DemoData): string[] {
  return channelIds.map((id, place) =>
    put(apiRoutes.comment, pick(tokens, place), { id, comment: pick(texts, place) }),
  );
}
