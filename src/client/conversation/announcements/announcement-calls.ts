import type { Acknowledgements, Reach } from '../../../shared/announcements.ts';
import { apiRoutes } from '../../../shared/api-routes.ts';
import type { CommentKey } from '../../../shared/comment-id.ts';
import { withQuery } from '../../../shared/routes.ts';
import { defineUserCall } from '../../api/call.ts';

export const getReach = defineUserCall<void, Reach>('GET', apiRoutes.reach);

export const acknowledge = defineUserCall<CommentKey, null>('PUT', ({ channelId, number }) =>
  apiRoutes.acknowledgement(channelId, number),
);

export const listAcknowledgements = defineUserCall<
  CommentKey & { after: string | null },
  Acknowledgements
>('GET', ({ channelId, number, after }) =>
  withQuery(apiRoutes.acknowledgements(channelId, number), { after }),
);

export const remind = defineUserCall<CommentKey, null>('POST', ({ channelId, number }) =>
  apiRoutes.announcementReminder(channelId, number),
);
