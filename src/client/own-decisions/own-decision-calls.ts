import { apiRoutes } from '../../shared/api-routes.ts';
import type { OwnDecision, OwnDecisions } from '../../shared/moderation.ts';
import { defineUserCall } from '../api/call.ts';

/** Moderators' decisions about the account, newest first. */
export const listOwnDecisions = defineUserCall<void, OwnDecisions>('GET', apiRoutes.ownDecisions);

export const appeal = defineUserCall<{ id: string; text: string }, OwnDecision>(
  'POST',
  ({ id }) => apiRoutes.appeal(id),
  { body: ({ text }) => ({ text }) },
);
