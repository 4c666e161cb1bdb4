import type { Page } from '@playwright/test';
import { apiRoutes } from '../../../src/shared/api-routes.ts';
import { pageRoutes } from '../../../src/shared/routes.ts';
import { reviewFirstPosts } from '../../forum/change-settings.ts';
import type { Person } from '../../forum/forum.ts';
import { makeStaff } from '../../forum/make-staff.ts';
import { decided, user } from '../../forum/moderators.ts';
import { commentsShown } from '../comments.ts';
import { openChannel } from '../community.ts';
import { expect, test } from '../fixtures.ts';
import { statusBar } from '../status-bar.ts';

test.use({
  forumName: 'members',
  expectedErrors: [/status of 40[49]/],
});

const unapproved = `${pageRoutes.members}?unapproved=1`;
const boxes = (page: Page) => page.getByRole('main').getByRole('checkbox');
const hide = (page: Page) =>
  page.getByRole('button', { name: 'Ocultar todo lo de las marcadas', exact: true });

test('a raid is found among the members that nobody has approved, hidden by one decision, and shown again by one undo', async ({
  forum,
  openAs,
}) => {
  const marta = await makeStaff(forum);
  const ana = await forum.person('Ana Belén');
  const channel = await openChannel(forum, ana);
  const raiders: Person[] = [];
  for (let index = 0; index < 3; index++) raiders.push(await forum.person(`Oferta ${index}`));
  const [waiting, ...writers] = raiders as [Person, ...Person[]];
  for (const one of writers) await forum.comment(one, channel._id, `Gana dinero, ${one.name}`);
  await reviewFirstPosts(forum);
  const body = { id: channel._id, comment: 'Gana dinero, dice quien espera' };
  await forum.json('PUT', apiRoutes.comment, { token: waiting.token, body });
  const approved = await forum.person('Carla');
  await forum.services.db
    .updateTable('accounts')
    .set({ admission: 'pending' })
    .where('id', '=', approved.id)
    .execute();
  await decided(forum, marta, { subject: user(approved), action: 'approve' });

  const page = await openAs(marta);
  await page.goto(pageRoutes.members);
  // The moderator has no box.
  await expect(boxes(page)).toHaveCount(5);
  await page.getByRole('link', { name: 'Sin aprobar' }).click();
  await expect(boxes(page)).toHaveCount(4);
  await expect(page.getByRole('checkbox', { checked: true })).toHaveCount(0);
  await expect(hide(page)).toHaveAttribute('aria-disabled', 'true');
  await expect(page.getByText('Gana dinero, dice quien espera')).toBeVisible();
  await page.getByRole('button', { name: 'Marcar las que se ven' }).click();
  await expect(page.getByText('4 marcadas.')).toBeVisible();
  await page.getByRole('checkbox', { name: 'Ana Belén' }).uncheck();
  await expect(page.getByText('3 marcadas.')).toBeVisible();

  await page.getByRole('link', { name: 'Oferta 2' }).click();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Oferta 2');
  await page.goBack();
  await expect(page.getByText('3 marcadas.')).toBeVisible();
  await hide(page).click();
  await expect(page.getByLabel('Categoría')).toBeFocused();
  await page.keyboard.press('Escape');
  await expect(hide(page)).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(page.getByLabel('Categoría')).toHaveValue('spam');

  await page.getByLabel('Motivo').fill('Una oleada de anuncios');
  await page.getByRole('button', { name: 'Ocultar todo lo de 3 cuentas' }).click();
  await expect(statusBar(page)).toContainText('Se ha ocultado todo lo de 3 cuentas.');
  await expect(boxes(page)).toHaveCount(1);
  await expect(page.getByText('Ninguna marcada.')).toBeVisible();
  await expect(hide(page)).toBeFocused();
  const guest = await openAs(null);
  await guest.goto(pageRoutes.channel(channel._id));
  await expect(commentsShown(guest)).toHaveCount(0);

  await statusBar(page).getByRole('button', { name: 'Deshacer' }).click();
  await expect(statusBar(page)).toContainText('Decisión deshecha');
  await expect(boxes(page)).toHaveCount(4);
  await guest.reload();
  await expect(commentsShown(guest)).toHaveCount(2);
});

test('accounts are marked page by page, up to 200 in one decision; one that another moderator hid first is left as decided', async ({
  forum,
  openAs,
}) => {
  const luis = await makeStaff(forum, 'moderator', 'Luis');
  const spammer = await forum.person('Oferta');
  const { db } = forum.services;
  const {
    id: _,
    email: __,
    email_key: ___,
    ...row
  } = await db
    .selectFrom('accounts')
    .selectAll()
    .where('id', '=', spammer.id)
    .executeTakeFirstOrThrow();
  const many = Array.from({ length: 200 }, (_, index) => ({
    ...row,
    id: `00000000-0000-7000-8000-${String(index).padStart(12, '0')}`,
    name: `Vecina ${index}`,
    email: `vecina-${index}@ejemplo.es`,
    email_key: `vecina-${index}@ejemplo.es`,
  }));
  await db.insertInto('accounts').values(many).execute();
  const page = await openAs(await makeStaff(forum));
  await page.goto(unapproved);
  for (const shown of [50, 100, 150, 200]) {
    await expect(boxes(page)).toHaveCount(shown);
    await page.getByRole('link', { name: 'Más', exact: true }).click();
  }
  await expect(boxes(page)).toHaveCount(201);
  await page.getByRole('button', { name: 'Marcar las que se ven' }).click();
  await expect(page.getByText('200 marcadas.')).toBeVisible();
  await boxes(page).last().check();
  await expect(page.getByText('201 marcadas: quita alguna')).toBeVisible();
  await expect(hide(page)).toHaveAttribute('aria-disabled', 'true');
  await page.getByRole('link', { name: 'Sin aprobar' }).focus();

  await page.getByLabel('Nombre').fill('oferta');
  await page.getByRole('button', { name: 'Buscar' }).click();
  await expect(boxes(page)).toHaveCount(1);
  await expect(page.getByText('Ninguna marcada.')).toBeVisible();
  await boxes(page).check();
  await hide(page).click();
  await page.getByLabel('Motivo').fill('Una oleada');
  await decided(forum, luis, { subject: user(spammer), action: 'hideAll' });
  await page.getByRole('button', { name: 'Ocultar todo lo de 1 cuenta' }).click();
  await expect(statusBar(page)).toContainText(
    'Ya estaba decidido: Cuenta ocultada por completo · Luis',
  );
  await expect(page.getByText('Nadie se llama así.')).toBeVisible();
  await expect(statusBar(page).getByRole('button', { name: 'Deshacer' })).toHaveCount(0);
});

test('on a phone the tabs of moderation are on one line, and the current one is in view', async ({
  forum,
  openAs,
}) => {
  const page = await openAs(await makeStaff(forum), { viewport: { width: 320, height: 700 } });
  await page.goto(`${pageRoutes.moderation}?state=open`);
  const tabs = page.getByRole('navigation', { name: 'Moderación' });
  const members = tabs.getByRole('link', { name: 'Miembros' });
  await expect(tabs.getByRole('link', { name: 'Pendientes' })).toBeInViewport({ ratio: 1 });
  expect((await tabs.boundingBox())?.height).toBe(44);
  await expect(members).not.toBeInViewport({ ratio: 1 });
  await page.goto(pageRoutes.members);
  await expect(members).toHaveAttribute('aria-current', 'page');
  await expect(members).toBeInViewport({ ratio: 1 });
});
