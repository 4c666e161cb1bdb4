import type {
  AccountEdit,
  DeleteAccount,
  DeletionRequested,
  PasskeyInfo,
  PasskeyList,
  SessionList,
} from '../../shared/account-settings.ts';
import type { User } from '../../shared/accounts.ts';
import { apiRoutes } from '../../shared/api-routes.ts';
import type { ClaimList } from '../../shared/imported-people.ts';
import type { PasskeyCreation } from '../../shared/passkeys.ts';
import { withQuery } from '../../shared/routes.ts';
import type { InvitationList, MadeInvitation, NewInvitation } from '../../shared/site-settings.ts';
import type { Trash } from '../../shared/trash.ts';
import { defineUserCall } from '../api/call.ts';

export const editAccount = defineUserCall<AccountEdit, User>('PATCH', apiRoutes.me);

export const deleteAccount = defineUserCall<DeleteAccount, DeletionRequested>(
  'DELETE',
  apiRoutes.me,
);

export const restoreAccount = defineUserCall<void, undefined>('POST', apiRoutes.restoreMe);

export const listInvitations = defineUserCall<void, InvitationList>('GET', apiRoutes.invitations);

export const invite = defineUserCall<NewInvitation, MadeInvitation>('POST', apiRoutes.invitations);

export const revokeInvitation = defineUserCall<string, undefined>('DELETE', apiRoutes.invitation);

export const listClaims = defineUserCall<void, ClaimList>('GET', apiRoutes.claims);

/** The input is the part of a link after `#`. */
export const claimWords = defineUserCall<string, null>('POST', () => apiRoutes.claims, {
  body: (invitation) => ({ invitation }),
});

/** The input is the id of the imported person. */
export const returnWords = defineUserCall<string, null>('DELETE', apiRoutes.claim);

export const listSessions = defineUserCall<void, SessionList>('GET', apiRoutes.sessions);

export const endListedSession = defineUserCall<string, undefined>('DELETE', apiRoutes.session);

export const endOtherSessions = defineUserCall<void, undefined>('DELETE', apiRoutes.sessions);

export const listPasskeys = defineUserCall<void, PasskeyList>('GET', apiRoutes.passkeys);

export const startPasskey = defineUserCall<{ currentPassword: string }, PasskeyCreation>(
  'POST',
  apiRoutes.passkeyOptions,
);

/** `credential` is the `toJSON()` of the browser's new credential. */
export const addPasskey = defineUserCall<{ name: string; credential: object }, PasskeyInfo>(
  'POST',
  apiRoutes.passkeys,
);

export const deletePasskey = defineUserCall<string, undefined>('DELETE', apiRoutes.passkey);

/** A page of the trash. The input is the `next` of the previous page; null for the first page. */
export const listTrash = defineUserCall<string | null, Trash>('GET', (after) =>
  withQuery(apiRoutes.trash, { after }),
);
