/** The pages for looking after an account, in a script of their own. */
export { Recover } from './recover-page.tsx';
export { SettingsPage } from './settings-page.tsx';
