import { apiRoutes } from '../../src/shared/api-routes.ts';
import { pageRoutes } from '../../src/shared/routes.ts';
import { commentsShown, queuedComments, sendComment } from './comments.ts';
import { openChannel } from './community.ts';
import { expect, test } from './fixtures.ts';
import { failOnce } from './network.ts';
import { signInByForm } from './people.ts';

/** Responses that a proxy or captive portal may give in place of the server. */
const foreignResponses = {
  'an empty object': { status: 200, json: {} },
  'null in JSON': { status: 200, json: null },
  nothing: { status: 204 },
  'a page': { status: 200, contentType: 'text/html', body: '<h1>Portal</h1>' },
  'an error page': { status: 503, contentType: 'text/html', body: '<h1>Bad gateway</h1>' },
  'the beginning of JSON': { status: 200, contentType: 'application/json', body: '{"id":"' },
  'a problem in its own words': {
    status: 503,
    headers: { 'retry-after': '-5' },
    json: { status: 503, detail: 'upstream connect error' },
  },
  'a problem of another form': { status: 400, json: { status: 400, detail: {}, errors: {} } },
};

test.describe('a response of a proxy instead of the server', () => {
  test.use({ expectedErrors: [/status of (400|503)/] });

  for (const [what, answer] of Object.entries(foreignResponses)) {
    test(`to a comment, such as ${what}, queues the comment`, async ({ forum, openAs }) => {
      const ana = await forum.person('Ana Belén');
      const { _id } = await openChannel(forum, ana);
      const page = await openAs(ana);
      await page.goto(pageRoutes.channel(_id));
      await failOnce(page, 'PUT', `**${apiRoutes.comment}`, (route) => route.fulfill(answer));
      await sendComment(page, 'No me pierdas');
      await expect(queuedComments(page)).toContainText(['No me pierdas']);
      // It is sent again after two seconds, so a button of the queue may be gone before a click.
      await expect(commentsShown(page)).toContainText(['No me pierdas']);
      await expect(queuedComments(page)).toHaveCount(0);
    });

    test(`to a sign-in, such as ${what}, shows an error in Spanish`, async ({ page, forum }) => {
      const ana = await forum.person('Ana Belén');
      await page.goto(pageRoutes.login);
      await failOnce(page, 'POST', `**${apiRoutes.signIn}`, (route) => route.fulfill(answer));
      await signInByForm(page, ana.email, ana.password);
      await page.getByRole('button', { name: 'Aceptar' }).click();
      await expect(page.getByRole('alert')).toHaveText(
        Number(answer.status) < 500 ? /^No hay conexión con/ : /^El servidor no responde bien/,
      );
      await signInByForm(page, ana.email, ana.password);
      await expect(page).toHaveURL('/');
    });

    test(`to the list, such as ${what}, shows an error in Spanish`, async ({ page }) => {
      await page.route(`**${apiRoutes.channels}?*`, (route) => route.fulfill(answer));
      await page.goto(pageRoutes.home);
      await expect(page.getByText('No se pudieron cargar los canales')).toBeVisible();
      await page.unrouteAll();
      await page.getByRole('button', { name: 'Reintentar' }).click();
      await expect(page.getByText('No se pudieron cargar los canales')).toBeHidden();
    });
  }
});
