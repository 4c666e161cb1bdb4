import { apiRoutes } from '../../../shared/api-routes.ts';
import type { NotificationPage, SeenNotifications } from '../../../shared/notifications.ts';
import type { News, ReadingPosition } from '../../../shared/people.ts';
import { withQuery } from '../../../shared/routes.ts';
import { defineUserCall } from '../../api/call.ts';

/** The account's reading position and unread count in these channels. */
export const listNews = defineUserCall<string[], News>(
  'GET',
  // The ids need no encoding, and commas stay readable.
  (channelIds) => `${apiRoutes.news}?channels=${channelIds.join()}`,
);

export const sendPositions = defineUserCall<ReadingPosition[], undefined>('PUT', apiRoutes.reads, {
  keepalive: true,
});

/** A page of notifications. The input is the `next` of the previous page; null for the first page. */
export const listNotifications = defineUserCall<string | null, NotificationPage>('GET', (after) =>
  withQuery(apiRoutes.notifications, { after }),
);

export const sendSeen = defineUserCall<SeenNotifications, undefined>(
  'PUT',
  apiRoutes.notificationsSeen,
);
