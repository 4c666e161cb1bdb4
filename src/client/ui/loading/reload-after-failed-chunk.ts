import { showStatus } from '../status/status-bar.tsx';

let isLeaving = false;

/** Whether the page is being left. Firefox then stops scripts that are still loading. */
export const isPageLeft = () => isLeaving;

/**
 * Reloads the page when one of its scripts or style sheets failed to load, for example after an update of the site:
 * automatically once if nothing is typed, otherwise when the user agrees. While the server is unreachable, the page
 * stays.
 */
export function reloadForMissingParts(): void {
  addEventListener('beforeunload', () => {
    isLeaving = true;
  });
  addEventListener('pageshow', () => {
    isLeaving = false;
  });
  // Vite's loader treats a style sheet as loaded if its link element exists, even if loading failed.
  const removeFailed = ({ target }: Event) =>
    target instanceof HTMLLinkElement && target.rel === 'stylesheet' && target.remove();
  addEventListener('error', removeFailed, { capture: true });

  let isAsking = false;
  addEventListener('vite:preloadError', async () => {
    if (isAsking || isLeaving) return;
    isAsking = true;
    const answers = await fetch(location.href, { method: 'HEAD' }).then(
      ({ ok }) => ok,
      () => false,
    );
    isAsking = false;
    if (!answers || isLeaving) return;
    const [navigation] = performance.getEntriesByType('navigation');
    const isReloaded = (navigation as PerformanceNavigationTiming | undefined)?.type === 'reload';
    if (!isReloaded && !isTyped()) location.reload();
    else {
      const action = { label: 'Recargar', run: () => location.reload() };
      showStatus({ text: 'Falta una parte de esta página.', action });
    }
  });
}

/** Whether a field has text, even one that is read-only during a request, or an image is being uploaded. */
export function isTyped(): boolean {
  const others = ['hidden', 'checkbox', 'radio', 'file'].map((type) => `[type="${type}"]`);
  const fields = document.querySelectorAll<HTMLInputElement>(
    `textarea, input:not([hidden], ${others.join(', ')})`,
  );
  return [...fields].some(({ value }) => value) || document.querySelector('progress') !== null;
}
