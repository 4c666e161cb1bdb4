import { apiRoutes } from '../../../shared/api-routes.ts';
import type {
  ConfirmEmail,
  Notifications,
  NotificationsEdit,
} from '../../../shared/notifications.ts';
import { defineCall, defineUserCall } from '../../api/call.ts';

export const getNotifications = defineUserCall<void, Notifications>('GET', apiRoutes.notifications);

export const editNotifications = defineUserCall<NotificationsEdit, Notifications>(
  'PATCH',
  apiRoutes.notifications,
);

export const sendConfirmation = defineUserCall<void, undefined>('POST', apiRoutes.sendConfirmation);

export const confirmEmail = defineCall<ConfirmEmail, undefined>('POST', apiRoutes.confirmEmail);
