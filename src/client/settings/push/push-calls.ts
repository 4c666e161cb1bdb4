import { apiRoutes } from '../../../shared/api-routes.ts';
import type { PushEndpoint, PushSubscriptionBody } from '../../../shared/notification-settings.ts';
import { defineUserCall } from '../../api/call.ts';

export const startPush = defineUserCall<PushSubscriptionBody, undefined>('POST', apiRoutes.push);

export const endPush = defineUserCall<PushEndpoint, undefined>('DELETE', apiRoutes.push);
