import { apiRoutes } from '../../../src/shared/api-routes.ts';
import { pageRoutes } from '../../../src/shared/routes.ts';
import { commentField, commentsShown, sendComment } from '../comments.ts';
import { openChannel } from '../community.ts';
import { expect, test } from '../fixtures.ts';
import { failOnce } from '../network.ts';
import { signInByForm } from '../people.ts';

/** Some of the responses that a proxy or captive portal may send instead of the server. */
const foreignResponses = {
  'an empty object': { status: 200, json: {} },
  'null in JSON': { status: 200, json: null },
  'a page': { status: 200, contentType: 'text/html', body: '<h1>Portal</h1>' },
  'an error page': { status: 503, contentType: 'text/html', body: '<h1>Bad gateway</h1>' },
  'a problem of another form': { status: 400, json: { status: 400, detail: {}, errors: {} } },
};

test.describe('a response of a proxy instead of the server', () => {
  test.use({ expectedErrors: [/status of (400|503)/] });

  // The message of each expectation names the response under test.

  test('to a comment queues the comment, which is sent again', async ({ forum, openAs }) => {
    const ana = await forum.person('Ana Belén');
    const { _id } = await openChannel(forum, ana);
    const page = await openAs(ana);
    await page.goto(pageRoutes.channel(_id));
    for (const what of ['null in JSON', 'an error page'] as const) {
      const answer = foreignResponses[what];
      // All attempts fail until the comment is shown as pending, which may take longer than the two seconds between
      // attempts.
      await page.route(`**${apiRoutes.comment}`, (route) => route.fulfill(answer));
      await sendComment(page, `Tras ${what}`);
      await expect(page.getByText(/^Pendiente de envío/), what).toBeVisible();
      await page.unroute(`**${apiRoutes.comment}`);
      await page.evaluate(() => dispatchEvent(new Event('online')));
      await expect(commentField(page), what).toHaveValue('');
      await expect(commentsShown(page).last(), what).toContainText(`Tras ${what}`);
    }
  });

  test('a proxy that refuses a comment leaves the text to be changed and sent', async ({
    forum,
    openAs,
  }) => {
    const ana = await forum.person('Ana Belén');
    const { _id } = await openChannel(forum, ana);
    const page = await openAs(ana);
    await page.goto(pageRoutes.channel(_id));
    const answer = foreignResponses['a problem of another form'];
    await failOnce(page, 'PUT', `**${apiRoutes.comment}`, (route) => route.fulfill(answer));
    await sendComment(page, 'Con una palabra prohibida');
    await expect(page.getByRole('alert')).toContainText('No se ha aceptado la petición.');
    await sendComment(page, 'Con otra');
    await expect(commentsShown(page)).toHaveText([/Con otra/]);
  });

  test('to a sign-in shows an error in Spanish', async ({ page, forum }) => {
    const ana = await forum.person('Ana Belén');
    await page.goto(pageRoutes.login);
    for (const what of ['an empty object', 'an error page'] as const) {
      const answer = foreignResponses[what];
      await failOnce(page, 'POST', `**${apiRoutes.signIn}`, (route) => route.fulfill(answer));
      await signInByForm(page, ana.email, ana.password);
      await page.getByRole('button', { name: 'Aceptar' }).click();
      await expect(page.getByRole('alert'), what).toHaveText(
        Number(answer.status) < 500
          ? /^No hay conexión con/
          : /^Ahora mismo hay un problema en el servidor\./,
      );
    }
    await signInByForm(page, ana.email, ana.password);
    await expect(page).toHaveURL('/');
  });

  test('to the list shows an error in Spanish', async ({ page }) => {
    for (const what of ['a page', 'an error page'] as const) {
      const answer = foreignResponses[what];
      await page.route(`**${apiRoutes.channels}?*`, (route) => route.fulfill(answer));
      await page.goto(pageRoutes.home);
      const error = page.getByText('No se pudieron cargar los canales');
      await expect(error, what).toBeVisible();
      await page.unrouteAll();
      await page.getByRole('button', { name: 'Reintentar' }).click();
      await expect(error, what).toBeHidden();
    }
  });
});
