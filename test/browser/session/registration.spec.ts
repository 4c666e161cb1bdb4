import type { Page } from '@playwright/test';
import { makeFounderLink } from '../../../src/server/accounts/invitations/founder-link.ts';
import { apiRoutes } from '../../../src/shared/api-routes.ts';
import { pageRoutes } from '../../../src/shared/routes.ts';
import type { MadeInvitation, Registration } from '../../../src/shared/site-settings.ts';
import { changeSettings } from '../../forum/change-settings.ts';
import type { Forum, Person } from '../../forum/forum.ts';
import { makeStaff } from '../../forum/make-staff.ts';
import { expect, oncePerForum, test } from '../fixtures.ts';
import {
  afterFrames,
  failOnce,
  holdRequests,
  loseConnection,
  respondWithProblem,
} from '../network.ts';
import { readSession, rememberBox, signInByForm } from '../people.ts';
import { statusBar } from '../status-bar.ts';

test.use({
  forumName: 'registration',
  expectedErrors: [
    /status of 40[139]|ERR_(CONNECTION_)?FAILED at .*\/api\/(invitations|auth\/sign-in)/,
  ],
});

const password = 'una contraseña: ñandú';
const heading = (page: Page) => page.getByRole('heading', { level: 1 });
const refused = (page: Page) =>
  page.getByText('El enlace con el que vienes no está completo o ya no vale');
const submit = (page: Page) => page.getByRole('button', { name: 'Registrarse' });

const peopleOf = oncePerForum(async (forum) => ({
  ana: await forum.person('Ana Belén'),
  bea: await forum.person('Bea'),
}));

async function setMode(forum: Forum, registration: Registration) {
  // Creates the people while registration is still open.
  await peopleOf(forum);
  await changeSettings(forum, { registration });
}

/** Fills in the registration form and submits it. @returns the e-mail address */
async function register(page: Page, name = 'Nadia Sanz') {
  const email = `${crypto.randomUUID()}@ejemplo.es`;
  await page.getByLabel('Nombre').fill(name);
  await page.getByLabel('Correo electrónico').fill(email);
  await page.getByLabel('Contraseña', { exact: true }).fill(password);
  await submit(page).click();
  return email;
}

async function invitationOf(forum: Forum, uses = 1, by?: Person) {
  const { token } = by ?? (await peopleOf(forum)).ana;
  const body = { uses };
  return forum.json<MadeInvitation>('POST', apiRoutes.invitations, { token, body });
}

test('closed: the reason in place of a form, and a form that was open says so and keeps the typed text', async ({
  forum,
  page,
}) => {
  await setMode(forum, 'open');
  await page.goto(pageRoutes.register);
  await expect(page.getByRole('link', { name: /^normas/ })).toHaveAttribute(
    'href',
    pageRoutes.rules,
  );
  await setMode(forum, 'closed');
  const email = await register(page);
  await expect(page.getByRole('alert')).toHaveText(
    'Ahora no se pueden crear cuentas en este foro.',
  );
  await expect(page.getByRole('dialog')).toHaveCount(0);
  await expect(page.getByLabel('Correo electrónico')).toHaveValue(email);
  await page.reload();
  await expect(heading(page)).toHaveText('Crear cuenta');
  await expect(page.getByText('no se pueden crear cuentas')).toBeVisible();
  await expect(submit(page)).toHaveCount(0);
  await expect(refused(page)).toHaveCount(0);
  await page.goto(`${pageRoutes.register}#${'a'.repeat(22)}`);
  await page.reload();
  await expect(refused(page)).toBeVisible();
  await expect(page.getByText('no se pueden crear cuentas')).toBeVisible();
});

test('the code of an invitation is removed from the address, outlives a reload, and admits one person', async ({
  forum,
  page,
  openAs,
}) => {
  await setMode(forum, 'invitation');
  await page.goto(pageRoutes.register);
  await expect(page.getByText('hace falta una invitación')).toBeVisible();
  await expect(submit(page)).toHaveCount(0);

  const { url } = await invitationOf(forum);
  await page.goto(url);
  await expect(page.getByText('Ana Belén te invita a tertulia.')).toBeVisible();
  await expect(page).toHaveURL(pageRoutes.register);
  await page.reload();
  await expect(page.getByText('Ana Belén te invita a tertulia.')).toBeVisible();
  await expect(page.getByText('Este foro lo puede leer cualquiera.')).toBeVisible();
  const email = await register(page);
  await expect(page).toHaveURL(pageRoutes.login);
  await signInByForm(page, email, password);
  await expect(page).toHaveURL(pageRoutes.home);

  const other = await openAs(null);
  await other.goto(url);
  await expect(refused(other)).toBeVisible();
  await register(other, 'Otra');
  await expect(other.getByRole('alert')).toContainText('ya se usó');
  await expect(other.getByLabel('Nombre')).toHaveValue('Otra');
  await expect(other.getByRole('dialog')).toHaveCount(0);
});

test('an invitation that leads to a comment opens it after sign-up and sign-in, for which the password is not typed again, and at once for a member', async ({
  forum,
  page,
  openAs,
}) => {
  await setMode(forum, 'invitation');
  const { ana } = await peopleOf(forum);
  const { _id } = await forum.channel(ana, 'Los lunes');
  for (const text of ['Uno', 'Dos']) await forum.comment(ana, _id, text);
  const { url } = await invitationOf(forum, 5);
  const target = `${pageRoutes.channel(_id)}?n=2#comentario-2`;
  await page.goto(url + target);
  await expect(page.getByText('Ana Belén te invita a tertulia.')).toBeVisible();
  await expect(page).toHaveURL(pageRoutes.register);
  await register(page);
  await expect(page).toHaveURL(pageRoutes.login);
  const field = page.getByLabel('Contraseña');
  await expect(field).toHaveValue(password);
  expect(await page.content()).not.toContain(password);
  await page.getByRole('button', { name: 'Mostrar' }).click();
  await expect(field).toHaveAttribute('type', 'text');
  await page.getByRole('main').getByRole('button', { name: 'Iniciar sesión' }).click();
  await expect(page).toHaveURL(target);
  await expect(page.locator('#comentario-2')).toBeInViewport();

  const member = await openAs(ana);
  await member.goto(url + target);
  await expect(member).toHaveURL(target);
  const search = `${pageRoutes.search}?q=ma%C3%B1ana`;
  await member.goto(url + search);
  await expect(member).toHaveURL(search);
  await member.goto(target);
  await member.getByRole('button', { name: 'Opciones del canal' }).click();
  await member.getByRole('button', { name: 'Invitar a este canal' }).click();
  const section = member.getByRole('region', { name: 'Invitaciones' });
  await expect(section.getByLabel('Para cuántas personas')).toHaveValue('200');
  await section.getByRole('button', { name: 'Crear invitación' }).click();
  await expect(section.getByLabel('Enlace', { exact: true })).toHaveValue(
    new RegExp(`/register#[\\w-]{22}${pageRoutes.channel(_id)}$`),
  );
  const guest = await openAs(null);
  await guest.goto(`${url}//mal.example/`);
  await register(guest);
  await guest.getByRole('main').getByRole('button', { name: 'Iniciar sesión' }).click();
  await expect(guest).toHaveURL(pageRoutes.home);
});

test('after signing up, a phone is remembered unless one says otherwise, and a computer only if one says so', async ({
  forum,
  page,
  openAs,
}) => {
  await setMode(forum, 'open');
  await page.goto(pageRoutes.register);
  await register(page);
  await expect(page).toHaveURL(pageRoutes.login);
  await expect(rememberBox(page)).not.toBeChecked();

  const viewport = { width: 375, height: 667 };
  const phone = await openAs(null, { viewport, isMobile: true, hasTouch: true });
  await phone.goto(pageRoutes.login);
  await expect(rememberBox(phone)).not.toBeChecked();
  await phone.goto(pageRoutes.register);
  await register(phone);
  await expect(phone).toHaveURL(pageRoutes.login);
  await expect(rememberBox(phone)).toBeChecked();
});

test('open: an invitation that is not valid, or not complete, is omitted the next time', async ({
  forum,
  page,
}) => {
  await setMode(forum, 'open');
  await page.goto(`${pageRoutes.register}#${'a'.repeat(22)}.`);
  await expect(refused(page)).toBeVisible();
  await register(page);
  await expect(page.getByText('Si lo envías otra vez, irá sin la invitación.')).toBeVisible();
  await submit(page).click();
  await expect(page).toHaveURL(pageRoutes.login);
});

test('on request: a page says what happens next, at once and at each sign-in, even after a refusal', async ({
  forum,
  page,
}) => {
  await setMode(forum, 'request');
  await page.goto(pageRoutes.register);
  await expect(
    page.getByText('alguien del equipo de moderación la tiene que aprobar'),
  ).toBeVisible();
  const about = page.getByLabel('¿Quién eres?');
  await expect(about).toHaveAccessibleDescription(/^Solo lo lee el equipo de moderación/);
  await expect(about).toHaveJSProperty('required', true);
  await about.fill('La vecina del tercero');
  const email = await register(page);
  await expect(heading(page)).toHaveText('Tu cuenta está pendiente de aprobación');
  const { db } = forum.services;
  const asked = db.selectFrom('accounts').select('about').where('email', '=', email);
  expect(await asked.executeTakeFirst()).toEqual({ about: 'La vecina del tercero' });
  await expect(heading(page)).toBeFocused();
  await page.getByRole('main').getByRole('link', { name: 'Iniciar sesión' }).click();
  await signInByForm(page, email, password);
  await expect(heading(page)).toHaveText('Tu cuenta está pendiente de aprobación');
  await page.getByRole('button', { name: 'Volver a intentarlo' }).click();
  await expect(heading(page)).toBeFocused();
  await expect(page.getByLabel('Correo')).toHaveValue(email);

  await page.route(`**${apiRoutes.signIn}`, respondWithProblem('refused'));
  await signInByForm(page, email, password);
  await expect(heading(page)).toHaveText('Tu solicitud de cuenta no se ha aceptado');
});

test('a member makes an invitation with a QR code, which lets somebody in, revokes another, and is told that nobody with an account needs one', async ({
  forum,
  openAs,
}) => {
  await setMode(forum, 'invitation');
  const page = await openAs((await peopleOf(forum)).bea);
  await page.goto(pageRoutes.settings);
  const section = page.getByRole('region', { name: 'Invitaciones' });
  await section.getByLabel('Para cuántas personas').fill('2');
  await section.getByRole('button', { name: 'Crear invitación' }).press('Enter');
  await expect(page.getByRole('heading', { name: 'Invitación creada' })).toBeFocused();
  await expect(section.getByRole('listitem')).toContainText('0 de 2 usos');
  const code = section.getByRole('img', { name: 'Código QR con el enlace de la invitación' });
  const box = await code.boundingBox();
  expect(box?.width).toBe(240);
  expect(box?.height).toBe(240);
  await expect(code.locator('rect')).toHaveAttribute('fill', '#fff');

  const guest = await openAs(null);
  await guest.goto(await section.getByLabel('Enlace', { exact: true }).inputValue());
  await register(guest);
  await expect(guest).toHaveURL(pageRoutes.login);

  await page.reload();
  await expect(section.getByRole('listitem')).toContainText('1 de 2 usos');
  await expect(code).toHaveCount(0);

  await page.route(`**${apiRoutes.invitations}`, async (route) => {
    if (route.request().method() === 'POST') {
      await route.fetch();
      await route.abort();
    } else await route.continue();
  });
  await section.getByRole('button', { name: 'Crear invitación' }).click();
  await expect(section.getByRole('alert')).toContainText('Si está en la lista, retírala');
  await expect(section.getByRole('listitem')).toHaveCount(2);
  const revoke = (number: number) =>
    section.getByRole('button', { name: `Retirar la invitación ${number}`, exact: true });
  await expect(revoke(2)).toHaveAccessibleDescription(/^0 de 200 usos\s·\scaduca el \d+ \w+ \d+$/);
  await revoke(1).click();
  await expect(section.getByRole('listitem').last()).toContainText('retirada');
  await expect(revoke(2)).toBeVisible();
  await expect(section.getByRole('heading', { name: 'Invitaciones' })).toBeFocused();

  await page.goto((await invitationOf(forum)).url);
  await expect(page).toHaveURL(pageRoutes.home);
  await expect(statusBar(page)).toContainText('la invitación queda sin usar');
  expect(await page.evaluate(() => Object.keys(sessionStorage))).not.toContain('invitation');
});

test('invitations that are used up, expired or withdrawn say so and are not withdrawn again; a refusal says why; while registration is closed there are none', async ({
  forum,
  openAs,
}) => {
  await setMode(forum, 'open');
  const luis = await forum.person('Luis Paz');
  const { _id } = await forum.channel(luis);
  await setMode(forum, 'invitation');
  const { db } = forum.services;
  for (const values of [{ used: 1 }, { ends_at_ms: 1 }, { revoked_at_ms: 1 }]) {
    const { id } = await invitationOf(forum, 1, luis);
    await db.updateTable('invitations').set(values).where('id', '=', id).execute();
  }
  const page = await openAs(luis);
  await page.goto(pageRoutes.settings);
  const section = page.getByRole('region', { name: 'Invitaciones' });
  await expect(section.getByRole('listitem')).toHaveText([
    /0 de 1 uso.*retirada/,
    /0 de 1 uso.*caducó el 1 ene\.? 1970/,
    /1 de 1 uso.*caduca el/,
  ]);
  const revoke = section.getByRole('button', { name: /^Retirar/ });
  await expect(revoke).toHaveCount(0);

  const make = section.getByRole('button', { name: 'Crear invitación' });
  await failOnce(page, 'POST', `**${apiRoutes.invitations}`, respondWithProblem('silenced'));
  await make.click();
  await expect(section.getByRole('alert')).toBeVisible();
  await expect(section.getByRole('alert')).not.toContainText('Puede que la invitación');
  await make.click();
  await expect(revoke).toHaveCount(1);
  await failOnce(page, 'DELETE', `**${apiRoutes.invitations}/*`, loseConnection);
  await revoke.click();
  await expect(statusBar(page)).toContainText('No se pudo retirar la invitación. No hay conexión');
  await expect(revoke).toHaveCount(1);

  await setMode(forum, 'closed');
  await page.goto(pageRoutes.settings);
  await expect(page.getByRole('region', { name: 'Sesiones' })).toBeVisible();
  await expect(section).toHaveCount(0);
  await page.goto(pageRoutes.channel(_id));
  await page.getByRole('button', { name: 'Opciones del canal' }).click();
  await expect(page.getByRole('button', { name: 'Cerrar canal' })).toBeVisible();
  await expect(page.getByRole('button', { name: 'Invitar a este canal' })).toHaveCount(0);
});

test('closed: only the link for the founder opens a form, once it was checked, and a member is told to sign out first', async ({
  forum,
  page,
  openAs,
}) => {
  const { bea } = await peopleOf(forum);
  await changeSettings(forum, {
    registration: 'closed',
    readers: 'members',
    contact: 'Ada, en la asociación',
  });
  const { code = '' } = (await makeFounderLink(forum.services.db, forum.services.now())) ?? {};
  const member = await openAs(bea);
  await member.goto(`${pageRoutes.register}#${code}`);
  await expect(statusBar(member)).toContainText('cierra antes la sesión y ábrelo otra vez.');

  const noAccounts = page.getByText('Ahora no se pueden crear cuentas en este foro.');
  const held = await holdRequests(page, 'POST', `**${apiRoutes.invitedBy}`);
  await page.goto(`${pageRoutes.register}#${code}`);
  await expect(page.getByRole('main').getByText('Cargando')).toBeVisible();
  await expect(noAccounts).toHaveCount(0);
  held.release();
  await expect(submit(page)).toBeVisible();
  await expect(page.getByText('la cuenta que crees administrará')).toBeVisible();
  const guest = await openAs(null);
  await guest.goto(pageRoutes.register);
  await expect(guest.getByText('Ahora no se pueden crear cuentas en este foro.')).toBeVisible();
  await expect(guest.getByText('Para leerlo no hace falta ninguna.')).toHaveCount(0);
});

test("on request: a moderator's invitation lets somebody in at once, or to the page to sign in when the connection is lost, and not while another page is open", async ({
  forum,
  openAs,
}) => {
  await setMode(forum, 'open');
  const moderator = await makeStaff(forum);
  await setMode(forum, 'request');
  const { url } = await invitationOf(forum, 5, moderator);
  const open = async () => {
    const page = await openAs(null);
    await page.goto(url);
    await expect(page.getByText('entras en cuanto crees la cuenta')).toBeVisible();
    await expect(page.getByLabel('¿Quién eres?')).toHaveJSProperty('required', false);
    return page;
  };
  const one = await open();
  await register(one);
  await expect(one).toHaveURL(pageRoutes.home);
  await expect.poll(() => readSession(one)).toMatchObject({ isLogged: 'true' });

  const two = await open();
  await failOnce(two, 'POST', `**${apiRoutes.signIn}`, loseConnection);
  await register(two);
  await expect(two).toHaveURL(pageRoutes.login);
  await expect(two.getByLabel('Contraseña', { exact: true })).toHaveValue(password);
  await two.getByRole('main').getByRole('button', { name: 'Iniciar sesión' }).click();
  await expect(two).toHaveURL(pageRoutes.home);

  const three = await open();
  const held = await holdRequests(three, 'POST', `**${apiRoutes.signUp}`);
  await register(three);
  await expect.poll(() => held.requests.length).toBe(1);
  await three.getByRole('banner').getByRole('link', { name: 'tertulia' }).click();
  await expect(three).toHaveURL(pageRoutes.home);
  const created = three.waitForResponse(`**${apiRoutes.signUp}`);
  held.release();
  await (await created).finished();
  await afterFrames(three);
  await expect(three).toHaveURL(pageRoutes.home);
  expect((await readSession(three)).isLogged).not.toBe('true');
});
