/**
 * Replaces the inlined rules, which cover only this page's HTML, with the complete style sheets. These go before the
 * sheets that Vite loads later, whose rules override them. If one fails to load, the inlined rules stay.
 */
export async function loadPageStyles(): Promise<void> {
  const preloads = document.querySelectorAll<HTMLLinkElement>('link[rel="preload"][as="style"]');
  const used = document.head.querySelector('style');
  try {
    // The inlined rules stay last until all sheets are loaded, since one sheet alone would override some of them.
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
