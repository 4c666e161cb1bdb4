import { pageRoutes } from '../../../shared/routes.ts';
import type { InvitedBy } from '../../../shared/site-settings.ts';
import type { Database } from '../../database/tables.ts';
import { ApiError } from '../../http/api-error.ts';
import { describeWords, findClaimable } from '../../moving-in/claims/claimable.ts';
import { settingsInForce } from '../../site-settings/site-settings.ts';
import { isFounderCode } from './founder-link.ts';
import { requireInvitation } from './invitations.ts';

/**
 * @param link the part of a link after `#`: a code, which the path of a page may follow
 * @returns the name of who invites, or null for the founder's link, the address that it was mailed to, and the page that the link leads to
 * @throws ApiError `invitation_required`, also when it would open no account because registration is closed
 */
export async function findInviter(db: Database, link: string, nowMs: number): Promise<InvitedBy> {
  const [code = ''] = link.split('/', 1);
  if (await isFounderCode(db, code, nowMs))
    return { name: null, email: null, target: pageRoutes.siteSettings, words: null };
  const { registration } = await settingsInForce(db);
  const person = await findClaimable(db, code);
  // A member may claim words while nobody can open an account.
  if (registration === 'closed' && !person) throw new ApiError('invitation_required');
  const { id, name } = await requireInvitation(db, code, nowMs);
  const mailed = await db
    .selectFrom('mailed_invitations')
    .select('email')
    .where('id', '=', id)
    .executeTakeFirst();
  const target = ownPath(link.slice(code.length));
  return {
    name,
    email: mailed?.email ?? null,
    target,
    words: person ? await describeWords(db, person) : null,
  };
}

const origin = 'http://localhost';

/** The path, if browsers read it as one of this site; null for `//example.org`, `/\example.org` and the like. */
const ownPath = (path: string): string | null =>
  path !== '' && URL.parse(path, origin)?.href === origin + path ? path : null;
