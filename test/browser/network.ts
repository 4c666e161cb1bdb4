import type { Page, Request, Route } from '@playwright/test';
import { type ProblemCode, problems } from '../../src/shared/errors.ts';

type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/** Delays matching requests until `release` is called; `requests` are the ones delayed so far. */
export async function holdRequests(page: Page, method: Method, url: string | RegExp) {
  const requests: Request[] = [];
  const { promise: released, resolve: release } = Promise.withResolvers<void>();
  await page.route(url, async (route) => {
    if (route.request().method() !== method) return route.fallback();
    requests.push(route.request());
    await released;
    // The page may have aborted the request.
    await route.continue().catch(() => {});
  });
  return { requests, release };
}

/** Waits until the page has rendered a response that has arrived. */
export const afterFrames = (page: Page) =>
  page.evaluate(
    () => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))),
  );

/** Collects matching requests from now on. */
export function watchRequests(page: Page, method: Method, path: string): Request[] {
  const requests: Request[] = [];
  page.on('request', (request) => {
    const isWatched = request.method() === method && new URL(request.url()).pathname === path;
    if (isWatched) requests.push(request);
  });
  return requests;
}

/** Calls `fail` for the next matching request; later ones reach the server. */
export async function failOnce(
  page: Page,
  method: Method,
  url: string | RegExp,
  fail: (route: Route) => Promise<void>,
) {
  let hasFailed = false;
  await page.route(url, (route) => {
    if (hasFailed || route.request().method() !== method) return route.fallback();
    hasFailed = true;
    return fail(route);
  });
}

/** Aborts the request, as when the connection is lost. */
export const loseConnection = (route: Route) => route.abort('connectionfailed');

/** Lets the server handle the request, then aborts its response. */
export async function loseAnswer(route: Route): Promise<void> {
  await route.fetch();
  await route.abort('connectionfailed');
}

/** Responds with a problem, as the server would. */
export const respondWithProblem = (code: ProblemCode) => (route: Route) => {
  const { status, title, detail } = problems[code];
  return route.fulfill({
    status,
    contentType: 'application/problem+json; charset=utf-8',
    body: JSON.stringify({ type: `/api/docs#${code}`, title, status, code, detail }),
  });
};
