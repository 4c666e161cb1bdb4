import type { Page } from '@playwright/test';
import { apiRoutes } from '../../src/shared/api-routes.ts';
import type { Decision } from '../../src/shared/moderation.ts';
import { pageRoutes } from '../../src/shared/routes.ts';
import { makeStaff } from '../forum/make-staff.ts';
import { commentsShown } from './comments.ts';
import { openChannel } from './community.ts';
import { expect, test } from './fixtures.ts';
import { failOnce, loseAnswer } from './network.ts';
import { statusBar } from './status-bar.ts';
import { expectNoOverflow, findingsInThemes, smallTargets } from './view-checks.ts';

test.use({
  forumName: 'wave',
  contextOptions: { reducedMotion: 'reduce' },
  expectedErrors: [/status of 400|net::ERR_|status of 409/],
});

const openWave = async (page: Page) => {
  await page.goto(`${pageRoutes.moderation}?state=wave`);
  await page.getByRole('button', { name: 'Ver las cuentas' }).click();
};

test('a raid is hidden by one decision, without one account, and shown again by one undo', async ({
  forum,
  openAs,
}) => {
  const dayAgo = Date.now() - 86_400_000;
  const ana = await forum.person('Ana Belén');
  const marta = await makeStaff(forum);
  await forum.deps.db.updateTable('accounts').set({ created_at_ms: dayAgo }).execute();
  const channel = await openChannel(forum, ana);
  const raiders = await Promise.all(
    Array.from({ length: 6 }, (_, index) => forum.person(`Oferta ${index}`)),
  );
  const carla = await forum.person('Carla');
  for (const person of [ana, carla, ...raiders]) {
    await forum.comment(person, channel._id, `Gana dinero, dice ${person.name}`);
  }
  // The page knows the server's time to the second only, and asks for what is surely past.
  const { db } = forum.deps;
  const minuteAgo = Date.now() - 60_000;
  const raid = db.updateTable('accounts').set({ created_at_ms: minuteAgo });
  await raid.where('created_at_ms', '>', dayAgo).execute();
  const page = await openAs(marta);
  await openWave(page);
  const boxes = page.getByRole('main').getByRole('checkbox');
  await expect(boxes).toHaveCount(7);
  await expect(page.getByText('Gana dinero, dice Oferta 3')).toBeVisible();
  await page.getByRole('checkbox', { name: 'Carla' }).uncheck();
  await expect(page.getByText('6 de 7 cuentas.')).toBeVisible();
  // After a look at a page of theirs, and when the list is asked for again, she is still left out.
  await page.getByRole('link', { name: 'Ver su página' }).first().click();
  await expect(page).toHaveURL(/\/user\//);
  await page.goBack();
  await expect(page.getByText('6 de 7 cuentas.')).toBeVisible();
  await page.getByRole('button', { name: 'Ver las cuentas' }).click();
  await expect(page.getByRole('checkbox', { name: 'Carla' })).not.toBeChecked();
  const hide = page.getByRole('button', { name: 'Ocultar todo lo de 6 cuentas' });
  await hide.click();
  await page.keyboard.press('Escape');
  await expect(hide).toBeFocused();
  await hide.click();
  await expect(page.getByLabel('Categoría')).toHaveValue('spam');

  expect(await findingsInThemes(page)).toEqual({ light: [], dark: [] });
  await page.setViewportSize({ width: 375, height: 800 });
  expect(await smallTargets(page)).toEqual([]);
  await expectNoOverflow(page);

  await page.getByLabel('Motivo').fill('Una oleada de anuncios');
  await page.getByRole('button', { name: 'Ocultar todo lo de 6 cuentas' }).click();
  await expect(page.getByText('Se ha ocultado todo lo de 6 cuentas.')).toBeVisible();
  const guest = await openAs(null);
  await guest.goto(pageRoutes.channel(channel._id));
  await expect(commentsShown(guest)).toHaveCount(2);
  const [raider = ana] = raiders;
  const hidden = await openAs(raider);
  await hidden.goto(pageRoutes.channel(channel._id));
  const why = hidden.getByText('Quienes moderan ocultaron todo lo que has escrito');
  await expect(why).toBeVisible();

  await page.reload();
  await page.getByRole('button', { name: 'Deshacer' }).click();
  await expect(page.getByText('Se ha deshecho: vuelve a verse lo de 6 cuentas.')).toBeVisible();
  await guest.reload();
  await expect(commentsShown(guest)).toHaveCount(8);
});

test('a wave tells how much is left until it is done', async ({ forum, openAs }) => {
  const page = await openAs(await makeStaff(forum));
  let remaining = 34;
  await page.route('**/api/moderation/decisions/*', (route) => {
    remaining -= 17;
    return route.fulfill({
      json: {
        ...{ id: 'una', at: new Date().toISOString(), action: 'hideAll', category: 'spam' },
        ...{
          reason: 'Anuncios',
          author: '',
          decidedBy: 'Marta',
          until: null,
          undoneAt: null,
          isFinal: false,
        },
        ...{ subject: { kind: 'arrivals' }, accounts: 200, remaining },
      },
    });
  });
  await page.clock.install();
  await page.goto(`${pageRoutes.moderation}?state=wave&decision=una`);
  await expect(page.getByText('Quedan 17 de 200 cuentas')).toBeVisible();
  await page.clock.runFor(1000);
  await expect(page.getByText('Se ha ocultado todo lo de 200 cuentas.')).toBeVisible();
});

test('a time without new accounts, and one with too many, say so', async ({ forum, openAs }) => {
  const page = await openAs(await makeStaff(forum));
  await page.goto(`${pageRoutes.moderation}?state=wave`);
  await page.getByLabel('Abiertas desde').fill('2020-01-01T10:00');
  await page.getByLabel('Hasta').fill('2020-01-01T11:00');
  await page.getByRole('button', { name: 'Ver las cuentas' }).click();
  await expect(page.getByText('No se abrió ninguna cuenta en ese tiempo.')).toBeVisible();
  const { db } = forum.deps;
  const row = await db.selectFrom('accounts').selectAll().limit(1).executeTakeFirstOrThrow();
  const created_at_ms = Date.parse('2021-01-01T00:00:00Z');
  for (let batch = 0; batch < 11; batch += 1) {
    const rows = Array.from({ length: 100 }, (_, index) => ({
      ...{ ...row, id: crypto.randomUUID(), email_key: `${batch}-${index}@ejemplo.es` },
      ...{ role: 'member' as const, created_at_ms },
    }));
    await db.insertInto('accounts').values(rows).execute();
  }
  await page.getByLabel('Abiertas desde').fill('2020-12-31T00:00');
  await page.getByLabel('Hasta').fill('2021-01-02T00:00');
  await page.getByRole('button', { name: 'Ver las cuentas' }).click();
  await expect(page.getByRole('alert')).toContainText(/más cort|menos/);
});

test('the form closes without an account, leaves the focus where it is, and has its reason when it is opened again', async ({
  forum,
  openAs,
}) => {
  const marta = await makeStaff(forum);
  const { db } = forum.deps;
  await db
    .updateTable('accounts')
    .set({ created_at_ms: Date.now() - 86_400_000 })
    .execute();
  const { id } = await forum.person('Oferta');
  const raid = db.updateTable('accounts').set({ created_at_ms: Date.now() - 60_000 });
  await raid.where('id', '=', id).execute();
  const page = await openAs(marta);
  await openWave(page);
  await page.getByRole('button', { name: 'Ocultar todo lo de 1 cuenta' }).click();
  await page.getByLabel('Motivo').fill('Una oleada');
  const box = page.getByRole('checkbox', { name: 'Oferta' });
  await box.focus();
  await page.keyboard.press('Space');
  await expect(page.getByText('0 de 1 cuenta.')).toBeVisible();
  await expect(page.getByLabel('Motivo')).toHaveCount(0);
  await expect(page.getByRole('button', { name: 'Ocultar todo' })).toHaveCount(0);
  await expect(box).toBeFocused();
  await page.keyboard.press('Space');
  await page.getByRole('button', { name: 'Ocultar todo lo de 1 cuenta' }).click();
  await expect(page.getByLabel('Motivo')).toHaveValue('Una oleada');
});

test('an undo whose answer is lost is found out', async ({ forum, openAs }) => {
  const marta = await makeStaff(forum);
  const { id } = await forum.person('Oferta');
  const from = new Date(Date.now() - 60_000).toISOString();
  const { db } = forum.deps;
  const raid = db.updateTable('accounts').set({ created_at_ms: Date.parse(from) });
  await raid.where('id', '=', id).execute();
  const subject = { kind: 'arrivals', from, to: from, except: [] };
  const wave = await forum.json<Decision>('POST', apiRoutes.decisions, {
    token: marta.token,
    body: { subject, action: 'hideAll', category: 'spam', reason: 'Anuncios' },
  });
  const page = await openAs(marta);
  await page.goto(`${pageRoutes.moderation}?state=wave&decision=${wave.id}`);
  await failOnce(page, 'POST', '**/undo', loseAnswer);
  await page.getByRole('button', { name: 'Deshacer' }).click();
  await expect(page.getByText('Se ha deshecho: vuelve a verse lo de 1 cuenta.')).toBeVisible();
  await expect(statusBar(page)).toContainText('Deshecho');
});
