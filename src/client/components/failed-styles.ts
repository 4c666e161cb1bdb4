/** Marks style sheets that could not be loaded, for `loadFailedStyles`, and loads the page's own again. */
export function markFailedStyles(): void {
  const mark = ({ target }: Event) => {
    if (target instanceof HTMLLinkElement && target.rel === 'stylesheet') {
      target.dataset.failed = '';
    }
  };
  addEventListener('error', mark, { capture: true });
  // Browsers load the page's own style sheets, or fail to, before they run the first script.
  const links = document.querySelectorAll<HTMLLinkElement>('link[rel="stylesheet"]');
  for (const link of links) if (!link.sheet) link.dataset.failed = '';
  loadFailedStyles().catch(() => {});
}

/** A lock: whoever asks meanwhile waits for the same style sheets. */
let last: Promise<unknown> = Promise.resolve();

/**
 * Loads the style sheets again that could not be loaded. Vite's loader waits for each once only: the
 * next time, their script would be run without them.
 */
export function loadFailedStyles(): Promise<unknown> {
  last = last
    .catch(() => {})
    .then(() => {
      const failed = document.querySelectorAll<HTMLLinkElement>('link[data-failed]');
      return Promise.all([...failed].map(loadAgain));
    });
  return last;
}

function loadAgain(failed: HTMLLinkElement): Promise<unknown> {
  const link = document.createElement('link');
  link.rel = 'stylesheet';
  link.href = failed.href;
  const loading = new Promise((resolve, reject) => {
    link.onload = resolve;
    link.onerror = () => reject(new Error(`Unable to load ${link.href}`));
  });
  failed.replaceWith(link);
  return loading;
}
