import { pageRoutes } from '../../../src/shared/routes.ts';
import { expect, test } from '../fixtures.ts';
import { timesAgo } from '../hydration.ts';

test('the feed of a channel with hostile texts is XML, and its structured data disturbs no script', async ({
  page,
  forum,
}) => {
  const ana = await forum.person('Ana ]]> <b>&amp;');
  const { _id } = await forum.channel(ana, '</script><script>alert(1)</script>');
  await forum.comment(ana, _id, `]]> <![CDATA[ &amp; </entry> \u202e ${'👨‍👩‍👧‍👦'.repeat(80)}`);
  await page.goto(pageRoutes.channel(_id));
  await expect(timesAgo(page).first()).toBeVisible();
  const json = await page.locator('script[type="application/ld+json"]').textContent();
  expect(JSON.parse(json ?? '').headline).toBe('</script><script>alert(1)</script>');

  const href = await page.locator('link[type="application/atom+xml"]').getAttribute('href');
  const feed = await (await forum.call('GET', href ?? '')).text();
  // Pages of the site forbid to parse texts.
  await page.goto('about:blank');
  const shown = await page.evaluate((text) => {
    const xml = new DOMParser().parseFromString(text, 'application/xml');
    const textOf = (name: string) => xml.querySelector(name)?.textContent ?? '';
    const content = new DOMParser().parseFromString(textOf('entry content'), 'text/html');
    return {
      faults: xml.querySelectorAll('parsererror').length,
      author: textOf('entry author name'),
      elements: [...content.body.querySelectorAll('*')].map(({ tagName }) => tagName),
      text: content.body.textContent,
    };
  }, feed);
  expect(shown.faults).toBe(0);
  expect(shown.author).toBe('Ana ]]> <b>&amp;');
  expect(shown.elements).toEqual(['P']);
  expect(shown.text).toContain(']]> <![CDATA[ &amp; </entry>');
});
