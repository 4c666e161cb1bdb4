import { apiRoutes } from '../../../src/shared/api-routes.ts';
import { pageRoutes } from '../../../src/shared/routes.ts';
import { commentField, commentsShown, sendComment } from '../comments.ts';
import { openChannel } from '../community.ts';
import { expect, test } from '../fixtures.ts';
import { failOnce } from '../network.ts';

test.describe('a response of a proxy instead of the server', () => {
  test.use({ expectedErrors: [/status of (400|503)/] });

  test('to a comment queues the comment, which is sent again', async ({ forum, openAs }) => {
    const ana = await forum.person('Ana Belén');
    const { _id } = await openChannel(forum, ana);
    const page = await openAs(ana);
    await page.goto(pageRoutes.channel(_id));
    // All attempts fail until the comment is shown as pending, which may take longer than the two seconds between
    // attempts.
    const answer = { status: 503, contentType: 'text/html', body: '<h1>Bad gateway</h1>' };
    await page.route(`**${apiRoutes.comment}`, (route) => route.fulfill(answer));
    await sendComment(page, 'Hola');
    await expect(page.getByText(/^Pendiente de envío/)).toBeVisible();
    await page.unroute(`**${apiRoutes.comment}`);
    await page.evaluate(() => dispatchEvent(new Event('online')));
    await expect(commentField(page)).toHaveValue('');
    await expect(commentsShown(page).last()).toContainText('Hola');
  });

  test('a proxy that refuses a comment leaves the text to be changed and sent', async ({
    forum,
    openAs,
  }) => {
    const ana = await forum.person('Ana Belén');
    const { _id } = await openChannel(forum, ana);
    const page = await openAs(ana);
    await page.goto(pageRoutes.channel(_id));
    const answer = { status: 400, json: { status: 400, detail: {}, errors: {} } };
    await failOnce(page, 'PUT', `**${apiRoutes.comment}`, (route) => route.fulfill(answer));
    await sendComment(page, 'Con una palabra prohibida');
    await expect(page.getByRole('alert')).toContainText('No se ha aceptado la petición.');
    await sendComment(page, 'Con otra');
    await expect(commentsShown(page)).toHaveText([/Con otra/]);
  });
});
