import { pageRoutes } from '../../../src/shared/routes.ts';
import { commentField } from '../comments.ts';
import { openChannel } from '../community.ts';
import { expect, test } from '../fixtures.ts';

/** The files of the style sheets that were loaded, in the order in which their rules apply, without their hashes. The page's own has none. */
const sheetNames = () =>
  [...document.styleSheets].map(({ href }) =>
    href
      ?.split('/')
      .at(-1)
      ?.replace(/-.{8}\.css$/, ''),
  );

test("styles that are loaded later come after the page's own, whose rules they change", async ({
  forum,
  openAs,
}) => {
  const ana = await forum.person('Ana Belén');
  const { _id } = await openChannel(forum, ana);
  const page = await openAs(ana);
  await page.goto(pageRoutes.channel(_id));
  await expect(commentField(page)).toBeEditable();
  const [own, ...later] = await page.evaluate(sheetNames);
  expect(own).toBeUndefined();
  expect(later).toContain('account-parts');
});
