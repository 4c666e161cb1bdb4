import { createDocumentRenderer, readClientBuild } from '../../../src/server/pages/render-page.ts';
import { Forum } from '../../forum/forum.ts';
import { expect, test } from '../fixtures.ts';
import { axeFindings, expectNoOverflow } from '../view-checks.ts';

test.use({ expectedErrors: [/status of 500/] });

test("the server's error page is readable in both themes and at every width, and its link retries", async ({
  page,
}) => {
  const render = createDocumentRenderer(await readClientBuild());
  let fails = true;
  const forum = await Forum.start(
    'sqlite',
    { LOG_LEVEL: 'silent' },
    {
      renderDocument: (...input) => {
        if (fails) throw new Error('the renderer crashed');
        return render(...input);
      },
    },
  );
  try {
    for (const [colorScheme, paper] of [
      ['light', 'rgb(250, 247, 242)'],
      ['dark', 'rgb(22, 19, 15)'],
    ] as const) {
      await page.emulateMedia({ colorScheme });
      await page.goto(`${forum.url}/login`);
      await expect(page.locator('html')).toHaveCSS('background-color', paper);
      expect(await axeFindings(page)).toEqual([]);
    }
    await expectNoOverflow(page);
    await page.getByRole('link', { name: 'Volver a intentarlo' }).click();
    await expect(page.getByRole('heading', { name: 'Error del servidor' })).toBeVisible();
    fails = false;
    await page.getByRole('link', { name: 'Volver a intentarlo' }).click();
    await expect(page).toHaveURL(`${forum.url}/login`);
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Iniciar sesión');
  } finally {
    // Leaves the page, so that it sends no more requests.
    await page.goto('about:blank');
    await forum.stop();
  }
});
