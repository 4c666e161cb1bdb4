import type { FastifyReply } from 'fastify';
import type { Database } from '../database/tables.ts';
import { settingsInForce } from '../site-settings/site-settings.ts';
import { smallPage, smallPageHeaders } from './small-page.ts';

/** Sends a small page that a link in a mail leads to. No cache stores it, and its address, a secret, leaves in no header. */
export async function sendLinkPage(
  db: Database,
  reply: FastifyReply,
  page: { title: string; html: string },
) {
  const { name } = await settingsInForce(db);
  return reply
    .headers({
      ...smallPageHeaders,
      'cache-control': 'private, no-store',
      'referrer-policy': 'no-referrer',
    })
    .send(smallPage({ ...page, ...(name && { siteName: name }) }));
}
