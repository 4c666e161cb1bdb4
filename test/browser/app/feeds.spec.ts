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
  const shown = await page.evaluate(async () => {
    const link = document.querySelector<HTMLLinkElement>('link[type="application/atom+xml"]');
    const json = document.querySelector('script[type="application/ld+json"]')?.textContent ?? '';
    const feed = await (await fetch(link?.href ?? '')).text();
    const xml = new DOMParser().parseFromString(feed, 'application/xml');
    const textOf = (name: string) => xml.querySelector(name)?.textContent;
    const content = new DOMParser().parseFromString(textOf('entry content') ?? '', 'text/html');
    return {
      headline: JSON.parse(json).headline,
      faults: xml.querySelectorAll('parsererror').length,
      author: textOf('entry author name'),
      elements: [...content.body.querySelectorAll('*')].map(({ tagName }) => tagName),
      text: content.body.textContent,
    };
  });
  expect(shown.headline).toBe('</script><script>alert(1)</script>');
  expect(shown.faults).toBe(0);
  expect(shown.author).toBe('Ana ]]> <b>&amp;');
  expect(shown.elements).toEqual(['P']);
  expect(shown.text).toContain(']]> <![CDATA[ &amp; </entry>');
});
