import { expect, type Page } from '@playwright/test';
import { apiRoutes } from '../../src/shared/api-routes.ts';
import { pageRoutes } from '../../src/shared/routes.ts';
import type { Forum, Person } from '../forum/forum.ts';
import { afterFrames } from './network.ts';
import { statusBar } from './status-bar.ts';

/** A person without a profile image. */
export async function personWithoutImage(forum: Forum, name = 'Nadia Sanz'): Promise<Person> {
  const person = await forum.person(name);
  await forum.json('PUT', apiRoutes.updateImage, { token: person.token, body: { img: null } });
  return { ...person, img: null };
}

/** Ends a person's session on the server while their browser still has its token. */
export async function endSession(forum: Forum, { token }: Person): Promise<void> {
  await forum.json('POST', apiRoutes.signOut, { token });
}

/**
 * Opens or reloads a page of a signed-in person, and waits for its news. If a test ended the
 * session earlier, such a request would turn the page into a guest's before the test acts.
 */
export async function openWithNews(
  page: Page,
  url: string,
  open: () => Promise<unknown> = () => page.goto(url),
): Promise<void> {
  // Responses to a page that is being left never finish.
  let isLeft = false;
  page.once('framenavigated', () => {
    isLeft = true;
  });
  const answer = page.waitForResponse(
    (response) => isLeft && new URL(response.url()).pathname === apiRoutes.news,
  );
  await open();
  await (await answer).finished();
  // The page sends no further request until it has handled this response.
  await afterFrames(page);
}

/** Reads the session storage; again if the document is loaded anew in the meantime, which ends the functions in it. */
export async function readSession(page: Page): Promise<Record<string, string>> {
  let session = {};
  await expect(async () => {
    session = await page.evaluate(() => ({ ...sessionStorage }));
  }).toPass();
  return session;
}

/** Waits until a document that was opened by its address has loaded itself anew, which would undo what a test does before. */
export async function untilReloaded(page: Page): Promise<void> {
  await page.waitForFunction(() => {
    const [navigation] = performance.getEntriesByType('navigation');
    return (navigation as PerformanceNavigationTiming | undefined)?.type === 'reload';
  });
}

/** Fills in the sign-in form and sends it. */
export async function signInByForm(page: Page, email: string, password: string): Promise<void> {
  await page.getByLabel('Correo electrónico').fill(email);
  await page.getByLabel('Contraseña').fill(password);
  await page.getByRole('main').getByRole('button', { name: 'Iniciar sesión' }).click();
}

export const rememberBox = (page: Page) => page.getByLabel('Recordarme en este dispositivo');

/** Signs in on the login page, with the option to stay signed in. */
export async function stayIn(page: Page, person: Person): Promise<void> {
  await page.goto(pageRoutes.login);
  await rememberBox(page).check();
  await signInByForm(page, person.email, person.password);
  await expectSignedIn(page, person);
}

export const menu = (page: Page) => page.getByRole('navigation', { name: 'Menú de usuario' });

/** Signs out through the menu. */
export async function signOut(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Menú de usuario' }).click();
  await page.getByRole('button', { name: 'Cerrar sesión' }).click();
  // Shown once the page has reloaded, or while it cannot reload yet.
  await expect(statusBar(page).getByRole('status')).toHaveText(
    /^(?:Has cerrado sesión|Sin conexión)/,
  );
}

export async function expectSignedIn(page: Page, person: Person): Promise<void> {
  await expect(page).toHaveURL('/');
  await expect.poll(() => readSession(page)).toMatchObject({ name: person.name, isLogged: 'true' });
}
