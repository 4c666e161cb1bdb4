import type { FastifyBaseLogger } from 'fastify';
import { pageRoutes } from '../../../shared/routes.ts';
import { makeFounderLink } from '../../accounts/invitations/founder-link.ts';
import { toInstant } from '../../database/tables.ts';
import { shownAddress } from '../../http/site-origin.ts';
import { hasAdmin, noAdmin } from '../../moderation/decisions/deciding-accounts.ts';
import type { AppServices } from '../../services.ts';
import { logFailure } from '../../system/failed-tasks.ts';

/**
 * While nobody administers the site, logs a new link for its founder: the one secret that a log may have, since only
 * the operator reads it.
 * @param origin of the site
 */
export async function offerFounding(
  { db, now }: Pick<AppServices, 'db' | 'now'>,
  log: FastifyBaseLogger,
  origin: string,
): Promise<void> {
  // A site whose database admits no writes is served all the same.
  await logFailure({}, 'making a link for the founder', log, async () => {
    const link = await makeFounderLink(db, now());
    if (link) {
      const founderLink = `${shownAddress(origin)}${pageRoutes.register}#${link.code}`;
      log.warn(
        { founderLink, endsAt: toInstant(link.endsAtMs) },
        `Nobody administers the site yet. Sign up with this link within a day to do so: ${founderLink}`,
      );
    } else if (!(await hasAdmin(db, now()))) log.warn(noAdmin);
  });
}
