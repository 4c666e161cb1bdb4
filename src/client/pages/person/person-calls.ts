import { apiRoutes } from '../../../shared/api-routes.ts';
import type { PasswordLink, Role } from '../../../shared/moderation.ts';
import type { Person } from '../../../shared/people.ts';
import { defineUserCall } from '../../api/call.ts';

interface RoleChange {
  id: string;
  role: Role;
}

export const setRole = defineUserCall<RoleChange, Person>(
  'PUT',
  ({ id }) => apiRoutes.userRole(id),
  {
    body: ({ role }) => ({ role }),
  },
);

/** Creates a link that lets a person choose a new password once. */
export const makePasswordLink = defineUserCall<string, PasswordLink>(
  'POST',
  apiRoutes.passwordLink,
);
