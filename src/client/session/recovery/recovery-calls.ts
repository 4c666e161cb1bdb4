import type {
  Recover,
  RecoveryCodes,
  RecoveryCodesLeft,
} from '../../../shared/account-settings.ts';
import { apiRoutes } from '../../../shared/api-routes.ts';
import { defineCall, defineUserCall } from '../../api/call.ts';

export const countRecoveryCodes = defineUserCall<void, RecoveryCodesLeft>(
  'GET',
  apiRoutes.recoveryCodes,
);

export const createRecoveryCodes = defineUserCall<{ currentPassword: string }, RecoveryCodes>(
  'POST',
  apiRoutes.recoveryCodes,
);

export const recover = defineCall<Recover, undefined>('POST', apiRoutes.recover);
