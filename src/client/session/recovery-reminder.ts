import type { RecoveryReminder } from '../../shared/account-settings.ts';
import { apiRoutes } from '../../shared/api-routes.ts';
import { pageRoutes } from '../../shared/routes.ts';
import { accountTexts } from '../account-texts.ts';
import { type Status, showStatus } from '../components/status-bar.tsx';
import { callAsUser, currentToken } from './account-call.ts';

/**
 * Adds to the message about the sign-in that recovery codes can be printed, once for an account that
 * has none.
 */
export async function remindOfRecoveryCodes({ text, links = [] }: Status): Promise<void> {
  const token = currentToken();
  const result = await callAsUser<RecoveryReminder>(apiRoutes.recoveryReminder, {
    method: 'POST',
    has: 'isDue',
  });
  if (!result.ok || !result.value.isDue || currentToken() !== token) return;
  const link = { href: `${pageRoutes.settings}#recuperacion`, label: accountTexts.printCodes };
  showStatus({ text: `${text} ${accountTexts.codesReminder}`, links: [...links, link] });
}
