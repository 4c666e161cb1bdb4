import type { Page } from '@playwright/test';
import { expect, test } from '../fixtures.ts';
import {
  animatedColors,
  axeFindings,
  expectNoOverflow,
  expectSoundStructure,
  findingsInThemes,
  looseTimes,
  smallTargets,
  tabThrough,
  unseenControls,
} from '../view-checks.ts';
import { applicantVisits, closedVisits, guestVisits, mailVisits } from './guest-views.ts';
import { memberVisits, newcomerVisits } from './member-views.ts';
import { moderatorVisits } from './moderator-views.ts';
import { mailSettingsVisits, settingsVisits } from './settings-views.ts';
import type { Visits } from './view.ts';

/** Nothing is delivered, because no mail server listens there. */
const mail = {
  SMTP_URL: 'smtp://127.0.0.1:9',
  MAIL_FROM: 'foro@foro.example',
  PUBLIC_URL: 'https://foro.example',
};

const tables: {
  who: string;
  forumName: string;
  settings?: Record<string, string>;
  visits: Visits;
}[] = [
  { who: 'a guest', forumName: 'sample', visits: guestVisits },
  { who: 'a guest of members', forumName: 'views of members only', visits: closedVisits },
  { who: 'an applicant', forumName: 'views of applicants', visits: applicantVisits },
  { who: 'a user', forumName: 'sample', visits: { ...memberVisits, ...settingsVisits } },
  { who: 'a newcomer', forumName: 'views of newcomers', visits: newcomerVisits },
  { who: 'a moderator', forumName: 'views of moderators', visits: moderatorVisits },
  {
    who: 'people where mail is sent',
    ...{ forumName: 'views with mail', settings: mail },
    visits: { ...mailVisits, ...mailSettingsVisits },
  },
];

/** Errors that the browser logs for what is refused or missing. */
test.use({ expectedErrors: [/status of 40[0134]/] });

for (const { who, forumName, settings = {}, visits } of tables) {
  test.describe(`is accessible to ${who} at every size:`, () => {
    test.use({ forumName, forumSettings: settings });
    for (const [name, visit] of Object.entries(visits)) {
      test(name, ({ forum, openAs }) =>
        visit({
          ...{ forum, check },
          openAs: (person) =>
            openAs(person, {
              // Passkeys are offered only under a domain name.
              baseURL: forum.url.replace('127.0.0.1', 'localhost'),
            }),
        }),
      );
    }
  });
}

/**
 * Checks a view: that its colours follow the theme at once; axe in both themes; targets of 44 px; overflow at each width
 * and in large text; that each time is a button or a link; landmarks and headings; focus rings in the order of Tab;
 * controls in forced colours.
 */
async function check(page: Page): Promise<void> {
  expect(await animatedColors(page)).toEqual([]);
  await expect.poll(() => looseTimes(page)).toEqual([]);
  expect(await findingsInThemes(page)).toEqual({ light: [], dark: [] });
  await page.setViewportSize({ width: 375, height: 800 });
  expect(await smallTargets(page)).toEqual([]);
  expect(await axeFindings(page, ['target-size'])).toEqual([]);
  await expectNoOverflow(page);

  // Everything behind an open modal is inert, and a menu closes when the focus leaves it.
  const menu = page.getByRole('navigation', { name: 'Menú de usuario' });
  const opened = page.getByRole('dialog').or(menu);
  if ((await opened.count()) > 0) await page.keyboard.press('Escape');
  await expect(opened).toHaveCount(0);
  await expectSoundStructure(page);
  await page.setViewportSize({ width: 1280, height: 800 });
  const stops = await tabThrough(page);
  expect(stops.length).toBeGreaterThan(6);
  expect(stops.filter(({ hasRing, isInView }) => !hasRing || !isInView)).toEqual([]);
  expect(stops.filter((stop) => stop.name === '')).toEqual([]);
  await page.emulateMedia({ colorScheme: 'light', forcedColors: 'active' });
  expect(await unseenControls(page)).toEqual([]);
  await page.emulateMedia({ forcedColors: 'none' });
}
