import { apiRoutes } from '../../../src/shared/api-routes.ts';
import { pageRoutes } from '../../../src/shared/routes.ts';
import { makeStaff } from '../../forum/make-staff.ts';
import { commentsShown, writeComments } from '../comments.ts';
import { openChannel } from '../community.ts';
import { expect, test } from '../fixtures.ts';
import { casesShown, decide, fillQueue, openQueue, reason } from '../moderation.ts';
import { statusBar } from '../status-bar.ts';

test.use({
  forumName: 'queue-appeals',
  expectedErrors: [/status of 40[49]/],
});

test('an appeal is upheld or granted, but not by whom it is against', async ({ forum, openAs }) => {
  const { ana, channel } = await fillQueue(forum, ['Uno']);
  const [luis, marta] = [await makeStaff(forum, 'moderator', 'Luis'), await makeStaff(forum)];
  const subject = { kind: 'comment', id: `${channel._id}-1` };
  const { id } = await decide(forum, luis, { subject, action: 'hide', reason: 'Fuera de lugar' });
  const body = { text: 'Era una cita de la película' };
  await forum.json('POST', apiRoutes.appeal(id), { token: ana.token, body });
  const decider = await openAs(luis);
  await openQueue(decider);
  const refused = decider.getByRole('button', { name: 'Mantener la decisión' });
  await expect(refused).toBeDisabled();
  await expect(casesShown(decider)).toContainText('La decisión es tuya');
  const page = await openAs(marta);
  await openQueue(page);
  const appeal = casesShown(page).first();
  await expect(appeal).toContainText(/Petición de revisión de.*Fuera de lugar.*Era una cita/s);
  await appeal.getByRole('button', { name: 'Mantener la decisión' }).press('Enter');
  await page.keyboard.press('Tab');
  await page.keyboard.press('Control+Enter');
  await expect(page.locator('textarea:invalid')).toBeFocused();
  await page.keyboard.press('Escape');
  await appeal.getByRole('button', { name: 'Anular la decisión' }).press('Enter');
  await page.keyboard.type('Es verdad, era una cita');
  await page.keyboard.press('Control+Enter');
  await expect(appeal).toContainText(/Decisión deshecha.*Es verdad, era una cita/s);
  // The answer to an appeal is final.
  await expect(appeal.getByRole('button')).toHaveCount(0);
  await page.goto(pageRoutes.channel(channel._id));
  await expect(commentsShown(page)).toHaveCount(1);
});

test('a decision about several accounts says how many and what else returns if it is undone, and is upheld against an appeal', async ({
  forum,
  openAs,
}) => {
  const { ana, bea } = await fillQueue(forum, []);
  const channel = await openChannel(forum, await forum.person());
  await writeComments(forum, bea, channel, ['Gana dinero']);
  const luis = await makeStaff(forum, 'moderator', 'Luis');
  const carla = await forum.person('Carla');
  const ids = [ana.id, bea.id, carla.id];
  const { id } = await decide(forum, luis, {
    subject: { kind: 'users', ids },
    action: 'hideAll',
    reason: 'Una oleada',
  });
  const { token } = bea;
  await forum.json('POST', apiRoutes.appeal(id), { token, body: { text: 'No es verdad' } });
  const page = await openAs(await makeStaff(forum));
  await openQueue(page);
  const appeal = casesShown(page).first();
  await expect(appeal).toContainText('3 cuentas ocultadas por completo');
  await expect(appeal).toContainText(/Lo último que ha escrito.*Gana dinero/s);
  const others = 'También vuelve lo de las otras 2 cuentas.';
  await appeal.getByRole('button', { name: 'Anular la decisión' }).click();
  await expect(appeal).toContainText(others);
  await page.keyboard.press('Escape');
  await appeal.getByRole('button', { name: 'Mantener la decisión' }).click();
  await reason(page).fill('Sí lo es');
  await page.keyboard.press('Control+Enter');
  await expect(statusBar(page)).toContainText('La decisión se mantiene');
  await page.goto(`${pageRoutes.moderation}?state=decided`);
  const upheld = page.getByRole('listitem').filter({ hasText: 'Sí lo es' });
  await expect(upheld).toContainText(/La decisión se mantiene.*Petición de revisión de/s);
});
