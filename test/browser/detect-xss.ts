import type { BrowserContext } from '@playwright/test';

/** What a page did that only somebody's script would do; filled as it happens. */
export interface XssReport {
  /** Calls of `alert` and its like, and whatever was put into `window.xss`. */
  executed: string[];
  /** What the page's policy blocked, as `directive address`. */
  blocked: string[];
}

/** Watches all pages of a browser. Hostile texts call `alert(…)` or set `xss`. */
export async function detectXss(context: BrowserContext): Promise<XssReport> {
  const xss: XssReport = { executed: [], blocked: [] };
  await context.exposeFunction('reportExecuted', (what: string) => xss.executed.push(what));
  await context.exposeFunction('reportBlocked', (what: string) => xss.blocked.push(what));
  await context.addInitScript(() => {
    const { reportExecuted, reportBlocked } = window as unknown as Record<
      string,
      (what: string) => void
    >;
    const spring = (what: unknown) => reportExecuted?.(`${what} at ${location.href}`);
    Object.defineProperty(window, 'xss', { set: spring });
    Object.assign(window, { alert: spring, confirm: spring, prompt: spring });
    document.addEventListener('securitypolicyviolation', (event) =>
      reportBlocked?.(`${event.effectiveDirective} ${event.blockedURI}`),
    );
  });
  return xss;
}
