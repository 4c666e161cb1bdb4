import { apiRoutes } from '../../../shared/api-routes.ts';
import type { Log } from '../../../shared/moderation.ts';
import { withQuery } from '../../../shared/routes.ts';
import { defineCall } from '../../api/call.ts';

/** A page of the public log after a cursor; null for the first page. */
export const listLog = defineCall<string | null, Log>('GET', (after) =>
  withQuery(apiRoutes.log, { after }),
);
