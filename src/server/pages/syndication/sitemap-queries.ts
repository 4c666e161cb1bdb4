import { type Database, toInstant } from '../../database/tables.ts';

/**
 * Channels in one part of the sitemap, far fewer than the 50,000 addresses that its format allows: reading more rows at
 * once would hold up other requests, and longer responses are not cached.
 */
export const channelsPerPart = 1000;

/** Precedes the id of every channel. */
export const beforeAll = '0';

export interface SitemapChannel {
  id: string;
  /** When the channel was opened or last commented on. */
  changedAt: string;
}

/** The visible channels of one part, oldest first. @param after the id before the first one, which `sitemapParts` gives */
export async function listSitemapChannels(db: Database, after: string): Promise<SitemapChannel[]> {
  const rows = await db
    .selectFrom('visible_channels')
    .select(['id', 'created_at_ms', 'active_at_ms'])
    .where('id', '>', after)
    .orderBy('id')
    .limit(channelsPerPart)
    .execute();
  return rows.map(({ id, created_at_ms, active_at_ms }) => ({
    id,
    changedAt: toInstant(Math.max(Number(created_at_ms), Number(active_at_ms))),
  }));
}

/** For each part of the sitemap, the id after which it begins. There is always a first part. */
export async function sitemapParts(db: Database): Promise<string[]> {
  const parts = [beforeAll];
  for (;;) {
    // The last channel of a part, and the next one, without which there is no other part.
    const [last, next] = await db
      .selectFrom('visible_channels')
      .select('id')
      .where('id', '>', parts.at(-1) ?? beforeAll)
      .orderBy('id')
      .limit(2)
      .offset(channelsPerPart - 1)
      .execute();
    if (!last || !next) return parts;
    parts.push(last.id);
  }
}
