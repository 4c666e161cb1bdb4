import type { BrowserContext, Page } from '@playwright/test';
import { apiRoutes } from '../../src/shared/api-routes.ts';
import type { Forum } from '../forum/forum.ts';
import { watchRequests } from './network.ts';

export const resumeUrl = `**${apiRoutes.resume}`;

/** Shown to users on the home page. */
export const createLink = (page: Page) =>
  page.getByRole('main').getByRole('link', { name: 'Crear Canal' });
/** Shown to guests on the home page. */
export const enterLink = (page: Page) =>
  page.getByRole('main').getByRole('link', { name: 'Iniciar sesión' });

/** A new tab that collects its requests to resume a session. */
export async function newTab(context: BrowserContext) {
  const tab = await context.newPage();
  return { tab, asked: watchRequests(tab, 'POST', apiRoutes.resume) };
}

/** Calls the API that resumes a session of an account, with these browser headers. */
export const callResume = (forum: Forum, accountId: string, headers: Record<string, string>) =>
  fetch(forum.url + apiRoutes.resume, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify({ accountId }),
  });

/** Errors that a browser logs when a session has ended. */
export const unauthorized =
  /status of 401 .* at \S+\/api\/(auth\/(resume|sign-out)|user\/\S*|channels\/\S*)$/;
