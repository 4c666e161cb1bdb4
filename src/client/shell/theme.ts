import { localStore } from '../storage/browser-storage.ts';

const key = 'theme';
const darkPreferred = '(prefers-color-scheme: dark)';

/** The theme lives in `html[data-theme]`, set before first paint; the style sheet does the rest. */
export function toggleTheme(): void {
  const theme = document.documentElement.dataset.theme === 'dark' ? 'light' : 'dark';
  localStore.set(key, theme);
  showTheme();
}

/** Follows the operating system until someone chooses, and a choice made in another tab. */
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
