const retryMs = 5000;

/**
 * Replaces the rules in the page, which are those that its HTML uses, by its whole style sheets. These come before
 * those that Vite loads later, whose rules change theirs. Tries until they are loaded: until then the page is as
 * without JavaScript.
 */
export async function loadPageStyles(): Promise<void> {
  addEventListener('error', markFailed, { capture: true });
  const preloads = document.querySelectorAll<HTMLLinkElement>('link[rel="preload"][as="style"]');
  const used = document.head.querySelector('style');
  // The used rules come last until all sheets are loaded, since a sheet alone would change some of them.
  const loads = [...preloads].map(({ href }) => load(href, (link) => used?.before(link)));
  let results = await Promise.allSettled(loads);
  for (;;) {
    if (results.every(({ status }) => status === 'fulfilled')) break;
    results = await Promise.allSettled([loadFailedStyles()]);
    if (results[0]?.status === 'rejected') await new Promise((done) => setTimeout(done, retryMs));
  }
  used?.remove();
}

/** Marks style sheets that could not be loaded, for `loadFailedStyles`. */
function markFailed({ target }: Event): void {
  if (target instanceof HTMLLinkElement && target.rel === 'stylesheet') target.dataset.failed = '';
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
      return Promise.all(
        [...failed].map((link) => load(link.href, (again) => link.replaceWith(again))),
      );
    });
  return last;
}

function load(href: string, insert: (link: HTMLLinkElement) => void): Promise<unknown> {
  const link = document.createElement('link');
  link.rel = 'stylesheet';
  link.href = href;
  const loading = new Promise((resolve, reject) => {
    link.onload = resolve;
    link.onerror = () => reject(new Error(`Unable to load ${href}`));
  });
  insert(link);
  return loading;
}
