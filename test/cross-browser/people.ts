import { pageRoutes } from '../../src/shared/routes.ts';
import type { Site } from './site.ts';
import type { Tab } from './tab.ts';

/** Signs in through the form on the login page. */
export async function signIn(
  tab: Tab,
  site: Site,
  { email, password }: { email: string; password: string },
  { staysIn = false } = {},
): Promise<void> {
  await tab.open(site.url + pageRoutes.login);
  await fillIn(tab, { 'Correo electrónico': email, Contraseña: password });
  if (staysIn) await tab.click('field', 'Recordarme en este dispositivo');
  await tab.click('button', 'Iniciar sesión');
  await tab.see('link', 'Crear Canal');
}

export async function fillIn(tab: Tab, texts: Record<string, string>): Promise<void> {
  for (const [field, text] of Object.entries(texts)) await tab.type(field, text);
}

/** Clicks an entry of the menu. */
export async function chooseInMenu(tab: Tab, role: 'link' | 'button', name: string): Promise<void> {
  await tab.click('button', 'Menú de usuario');
  await tab.click(role, name);
}

/** Posts a comment on a channel page. */
export async function sendComment(tab: Tab, text: string): Promise<void> {
  await tab.type('Escribe un comentario', text);
  await sendTyped(tab);
}

/**
 * Posts the comment that is typed, and waits until the page has scrolled to it: until then the field is read only, and a
 * press could miss.
 */
export async function sendTyped(tab: Tab): Promise<void> {
  await tab.click('button', 'Comentar');
  await tab.until(
    () =>
      document.querySelector('textarea')?.value === '' &&
      document.querySelector('[aria-busy]') === null,
  );
  await tab.run(
    () =>
      new Promise<null>((done) =>
        requestAnimationFrame(() => requestAnimationFrame(() => done(null))),
      ),
  );
}

/** Texts of the comments on the page, from top to bottom. */
export function commentsOn(tab: Tab): Promise<string[]> {
  return tab.run(() =>
    [...document.querySelectorAll('ol > li [dir="auto"]')].map(({ textContent }) => textContent),
  );
}
