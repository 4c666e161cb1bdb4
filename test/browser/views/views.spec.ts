import type { Page } from '@playwright/test';
import type { Person } from '../../forum/forum.ts';
import { expect, test } from '../fixtures.ts';
import {
  animatedColors,
  expectNoOverflow,
  expectSoundStructure,
  findingsInThemes,
  smallTargets,
  tabThrough,
  unseenControls,
} from '../view-checks.ts';
import {
  applicantVisits,
  closedVisits,
  formVisits,
  guestVisits,
  mailVisits,
  readerVisits,
} from './guest-views.ts';
import { authorVisits, memberVisits, newcomerVisits } from './member-views.ts';
import { moderatorVisits, queueVisits } from './moderator-views.ts';
import { movingInVisits } from './moving-in-views.ts';
import { mailSettingsVisits, settingsVisits } from './settings-views.ts';
import type { Visits } from './view.ts';

/** Nothing is delivered, because no mail server listens there. */
const mail = {
  SMTP_URL: 'smtp://127.0.0.1:9',
  MAIL_FROM: 'foro@foro.example',
  PUBLIC_URL: 'https://foro.example',
};

/** The visits of each table are one test, because one page after another in the same tab takes less time. */
const tables: {
  name: string;
  forumName: string;
  settings?: Record<string, string>;
  visits: Visits;
}[] = [
  { name: 'forms are accessible to a guest', forumName: 'sample', visits: formVisits },
  {
    name: 'home, channels and people are accessible to a guest',
    forumName: 'sample',
    visits: guestVisits,
  },
  {
    name: 'answers, reports and searches are accessible to a guest',
    forumName: 'sample',
    visits: readerVisits,
  },
  {
    name: 'a closed forum is accessible to guests and applicants',
    forumName: 'views of members only',
    visits: { ...applicantVisits, ...closedVisits },
  },
  {
    name: 'pages with unruly texts are accessible to a user',
    forumName: 'sample',
    visits: memberVisits,
  },
  {
    name: 'news, replies and appeals are accessible to a user',
    forumName: 'sample',
    visits: authorVisits,
  },
  { name: 'settings are accessible to a user', forumName: 'sample', visits: settingsVisits },
  {
    name: 'pending posts are accessible to a newcomer',
    forumName: 'views of newcomers',
    visits: newcomerVisits,
  },
  {
    name: 'lists are accessible to a moderator',
    forumName: 'views of moderators',
    visits: queueVisits,
  },
  {
    name: 'other pages are accessible to a moderator',
    forumName: 'views of moderators',
    visits: moderatorVisits,
  },
  {
    name: 'bringing a chat is accessible to an admin',
    forumName: 'views of moving in',
    visits: movingInVisits,
  },
  {
    name: 'pages about mail are accessible',
    forumName: 'views with mail',
    settings: mail,
    visits: { ...mailVisits, ...mailSettingsVisits },
  },
];

/** Errors that the browser logs for what is refused or missing. */
test.use({ expectedErrors: [/status of 40[0134]/] });

for (const { name, forumName, settings = {}, visits } of tables) {
  test.describe('at every size', () => {
    test.use({ forumName, forumSettings: settings });
    test(name, async ({ forum, openAs }) => {
      // Passkeys are offered only under a domain name.
      const baseURL = forum.url.replace('127.0.0.1', 'localhost');
      const pages = new Map<string | undefined, Promise<Page>>();
      const openOnce = (person: Person | null) => {
        const page = pages.get(person?.id) ?? openAs(person, { baseURL });
        pages.set(person?.id, page);
        return page;
      };
      for (const [view, visit] of Object.entries(visits)) {
        await test.step(view, () => visit({ forum, openAs: openOnce, check }));
      }
    });
  });
}

/**
 * Checks a view: that its colours follow the theme at once; axe in both themes; targets of 44 px; overflow at each width
 * and in large text; landmarks and headings; focus rings in the order of Tab;
 * controls in forced colours.
 */
async function check(page: Page): Promise<void> {
  expect(await animatedColors(page)).toEqual([]);
  await page.setViewportSize({ width: 375, height: 800 });
  expect(await findingsInThemes(page)).toEqual({ light: [], dark: [] });
  expect(await smallTargets(page)).toEqual([]);
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
