import type { BrowserContext } from '@playwright/test';

/** What a page did that only somebody's script would do; filled as it happens. */
export interface Traps {
  /** Calls of `alert` and its like, and whatever was put into `window.xss`. */
  sprung: string[];
  /** What the page's policy refused, as `directive address`. */
  refused: string[];
}

/** Watches all pages of a browser. Hostile texts call `alert(…)` or set `xss`. */
export async function layTraps(context: BrowserContext): Promise<Traps> {
  const traps: Traps = { sprung: [], refused: [] };
  await context.exposeFunction('tellSprung', (what: string) => traps.sprung.push(what));
  await context.exposeFunction('tellRefused', (what: string) => traps.refused.push(what));
  await context.addInitScript(() => {
    const { tellSprung, tellRefused } = window as unknown as Record<string, (what: string) => void>;
    const spring = (what: unknown) => tellSprung?.(`${what} at ${location.href}`);
    Object.defineProperty(window, 'xss', { set: spring });
    Object.assign(window, { alert: spring, confirm: spring, prompt: spring });
    document.addEventListener('securitypolicyviolation', (event) =>
      tellRefused?.(`${event.effectiveDirective} ${event.blockedURI}`),
    );
  });
  return traps;
}
