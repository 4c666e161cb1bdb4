import { showStatus } from '../status/status-bar.tsx';

let isLeaving = false;

/** Whether another page is on its way. Firefox then stops the scripts that are loading. */
export const isPageLeft = () => isLeaving;

/**
 * Loads the page anew where one of its scripts or style sheets could not be loaded, as after an update of the
 * site: once by itself if nothing is typed, else when asked. While the server cannot be reached, the page stays.
 */
export function reloadForMissingParts(): void {
  addEventListener('beforeunload', () => {
    isLeaving = true;
  });
  addEventListener('pageshow', () => {
    isLeaving = false;
  });
  // Vite's loader takes a style sheet whose link is there for loaded, also one that has failed.
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

/** Whether a field has a text, also one that is being sent and cannot be written in meanwhile, or an image is uploaded. */
export function isTyped(): boolean {
  const others = ['hidden', 'checkbox', 'radio', 'file'].map((type) => `[type="${type}"]`);
  const fields = document.querySelectorAll<HTMLInputElement>(
    `textarea, input:not([hidden], ${others.join(', ')})`,
  );
  return [...fields].some(({ value }) => value) || document.querySelector('progress') !== null;
}
