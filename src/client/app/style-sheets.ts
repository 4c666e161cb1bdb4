/**
 * Replaces the rules in the page, which are those that its HTML uses, by its whole style sheets. These come before
 * those that Vite loads later, whose rules change theirs. If one cannot be loaded, the rules stay.
 */
export async function loadPageStyles(): Promise<void> {
  const preloads = document.querySelectorAll<HTMLLinkElement>('link[rel="preload"][as="style"]');
  const used = document.head.querySelector('style');
  try {
    // The used rules come last until all sheets are loaded, since a sheet alone would change some of them.
    await Promise.all([...preloads].map(({ href }) => load(href, used)));
    used?.remove();
  } catch {
    dispatchEvent(new Event('vite:preloadError'));
  }
}

function load(href: string, used: HTMLStyleElement | null): Promise<unknown> {
  const link = document.createElement('link');
  link.rel = 'stylesheet';
  link.href = href;
  const loading = new Promise((resolve, reject) => {
    link.onload = resolve;
    link.onerror = reject;
  });
  used?.before(link);
  return loading;
}
