import { localStore } from '../../storage/browser-storage.ts';

const key = 'theme';
const darkPreferred = '(prefers-color-scheme: dark)';

/** Toggles and stores the theme: `html[data-theme]`, first set by before-paint.ts. */
export function toggleTheme(): void {
  const theme = document.documentElement.dataset.theme === 'dark' ? 'light' : 'dark';
  localStore.set(key, theme);
  showTheme();
}

/** Follows the operating system's theme until the user chooses one, and choices made in other tabs. */
export function followTheme(): void {
  matchMedia(darkPreferred).addEventListener('change', showTheme);
  addEventListener('storage', (event) => {
    if (event.key === key) showTheme();
  });
}

function showTheme(): void {
  const chosen = localStore.get(key);
  const isDark = chosen === 'dark' || (chosen !== 'light' && matchMedia(darkPreferred).matches);
  document.documentElement.dataset.theme = isDark ? 'dark' : 'light';
}
