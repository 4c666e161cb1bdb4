import type { BrowserContext } from '@playwright/test';

/** Injected scripts detected in the pages of a browser, collected as they occur. */
export interface XssReport {
  /** Calls of `alert`, `confirm` and `prompt`, and values assigned to `window.xss`. */
  executed: string[];
  /** Violations of the content security policy, as `directive address`. */
  blocked: string[];
}

/** Watches all pages of a browser for hostile texts that call `alert(…)` or set `xss`. */
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
