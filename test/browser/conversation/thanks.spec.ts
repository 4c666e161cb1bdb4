import type { Page } from '@playwright/test';
import { apiRoutes } from '../../../src/shared/api-routes.ts';
import { pageRoutes } from '../../../src/shared/routes.ts';
import type { Forum, Person } from '../../forum/forum.ts';
import { expect, test } from '../fixtures.ts';
import { timesAgo } from '../hydration.ts';
import { channelWith, commentShown } from '../replies.ts';

const list = (page: Page) => page.getByRole('list', { name: 'Quiénes han dado las gracias' });

/** A channel with one comment, for which people with these names have given thanks in this order. */
async function thankedChannel(forum: Forum, names: string[]) {
  const { channel } = await channelWith(forum, ['Uno']);
  const people: Person[] = [];
  for (const name of names) {
    const person = await forum.person(name);
    await forum.json('PUT', apiRoutes.thanks(channel._id, 1), { token: person.token });
    people.push(person);
  }
  return { path: pageRoutes.channel(channel._id), people };
}

test('a guest opens the list of people who gave thanks, which leads to their pages and is continued on demand', async ({
  forum,
  page,
}) => {
  const { path, people } = await thankedChannel(forum, ['Luis', 'Eva', 'Iván', 'Marta', 'Inés']);
  await page.route(`**${apiRoutes.thanks('*', 1)}?*`, (route) => {
    const url = new URL(route.request().url());
    url.searchParams.set('limit', '4');
    return route.continue({ url: url.href });
  });
  await page.goto(path);
  await expect(timesAgo(page).first()).toBeVisible();
  const opener = page.getByRole('button', { name: 'Gracias de Inés, Marta y 3 más' });
  await expect(opener).toHaveAttribute('aria-expanded', 'false');
  await opener.press('Enter');
  await expect(list(page).getByRole('listitem')).toHaveText(['Inés', 'Marta', 'Iván', 'Eva']);
  await page.getByRole('link', { name: 'Ver más personas' }).click();
  await expect(list(page).getByRole('link')).toHaveText(['Inés', 'Marta', 'Iván', 'Eva', 'Luis']);
  await expect(list(page).getByRole('link', { name: 'Luis' })).toHaveAttribute(
    'href',
    pageRoutes.user(people[0]?.id ?? ''),
  );
  await opener.click();
  await expect(list(page)).toHaveCount(0);
});

test("the user's own thanks are shown as 'tú', first, on the comment and in the list, although an older response is pending", async ({
  forum,
  openAs,
}) => {
  const { path } = await thankedChannel(forum, ['Luis', 'Iván', 'Marta']);
  const page = await openAs(await forum.person('Eva'));
  const { promise: released, resolve: release } = Promise.withResolvers<void>();
  await page.route(
    /\/mine\?from/,
    async (route) => {
      const response = await route.fetch();
      await released;
      // The page has aborted this request by then.
      await route.fulfill({ response }).catch(() => undefined);
    },
    { times: 1 },
  );
  await page.goto(path);
  const button = page.getByRole('button', { name: 'Gracias: n.º 1, de Ana Belén' });
  await button.click();
  await expect(button).toHaveAttribute('aria-pressed', 'true');
  release();
  await page.getByRole('button', { name: 'Gracias: tú, Marta y 2 más' }).click();
  await expect(list(page).getByRole('link')).toHaveText(['tú', 'Marta', 'Iván', 'Luis']);
  await button.click();
  await expect(commentShown(page, 1)).toContainText('Gracias de Marta, Iván y Luis');
  await expect(commentShown(page, 1)).not.toContainText('más');
  await expect(list(page).getByRole('link')).toHaveText(['Marta', 'Iván', 'Luis']);
});
