import { apiRoutes } from '../../../shared/api-routes.ts';
import type {
  ConfirmEmail,
  NotificationSettings,
  NotificationSettingsEdit,
} from '../../../shared/notification-settings.ts';
import { defineCall, defineUserCall } from '../../api/call.ts';

export const getNotificationSettings = defineUserCall<void, NotificationSettings>(
  'GET',
  apiRoutes.notificationSettings,
);

export const editNotificationSettings = defineUserCall<
  NotificationSettingsEdit,
  NotificationSettings
>('PATCH', apiRoutes.notificationSettings);

export const sendConfirmation = defineUserCall<void, undefined>('POST', apiRoutes.sendConfirmation);

export const confirmEmail = defineCall<ConfirmEmail, undefined>('POST', apiRoutes.confirmEmail);
