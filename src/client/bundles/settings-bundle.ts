/** The pages for looking after an account, in a script of their own. */
export { Recover } from '../settings/recover-page.tsx';
export { SettingsPage } from '../settings/settings-page.tsx';
