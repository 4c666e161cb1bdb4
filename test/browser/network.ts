import type { Page, Request, Route } from '@playwright/test';
import { type ProblemCode, problems } from '../../src/shared/errors.ts';

type Method = 'GET' | 'POST' | 'PUT' | 'PATCH';

/** Keeps these requests queued until `release` is called; `requests` are those that came. */
export async function holdRequests(page: Page, method: Method, url: string | RegExp) {
  const requests: Request[] = [];
  const { promise: released, resolve: release } = Promise.withResolvers<void>();
  await page.route(url, async (route) => {
    if (route.request().method() !== method) return route.fallback();
    requests.push(route.request());
    await released;
    // The page may have given it up meanwhile.
    await route.continue().catch(() => {});
  });
  return { requests, release };
}

/** Notes these requests as they go by. */
export function watchRequests(page: Page, method: Method, path: string): Request[] {
  const requests: Request[] = [];
  page.on('request', (request) => {
    const isWatched = request.method() === method && new URL(request.url()).pathname === path;
    if (isWatched) requests.push(request);
  });
  return requests;
}

/** Lets the next such request fail in this way; those after it reach the server. */
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

/** As when the connection is lost. */
export const loseConnection = (route: Route) => route.abort('connectionfailed');

/** As the server refuses. */
export const respondWithProblem = (code: ProblemCode) => (route: Route) => {
  const { status, title, detail } = problems[code];
  return route.fulfill({
    status,
    contentType: 'application/problem+json; charset=utf-8',
    body: JSON.stringify({ type: `/api/docs#${code}`, title, status, code, detail }),
  });
};
