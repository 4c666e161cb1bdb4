import { apiRoutes } from '../../../shared/api-routes.ts';
import type { SavedSettings, SettingsChange } from '../../../shared/site-settings.ts';
import { defineUserCall } from '../../api/call.ts';

export const getSettings = defineUserCall<void, SavedSettings>('GET', apiRoutes.siteSettings);

export const saveSettings = defineUserCall<
  { revision: number; change: SettingsChange },
  SavedSettings
>('PATCH', () => apiRoutes.siteSettings, {
  headers: ({ revision }) => ({ 'if-match': `"${revision}"` }),
  body: ({ change }) => change,
});
