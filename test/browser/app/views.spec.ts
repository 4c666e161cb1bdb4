import { expect, rejectionErrors, test, visitors } from '../sample-forum.ts';
import {
  animatedColors,
  expectNoOverflow,
  expectSoundStructure,
  findingsInThemes,
  smallTargets,
  tabThrough,
  unseenControls,
} from '../view-checks.ts';

/** Reduced motion, so that no check runs during an animation. */
const contextOptions = { reducedMotion: 'reduce' } as const;
test.use({ contextOptions, expectedErrors: rejectionErrors });

for (const { who, person, views } of visitors) {
  test.describe(`for ${who} axe finds no violation in either theme, to which colours change at once, targets are at least 44 px wide and high, nothing overflows the window, landmarks and headings are in order, and every control is visible, also in forced colours, and shows its focus, on`, () => {
    for (const { name, show } of views) {
      // The guest's channel with unruly texts covers everything in this one.
      if (who === 'a guest' && name === 'a channel with comments') continue;
      test(name, async ({ openAs, sample }) => {
        const page = await openAs(person(sample), contextOptions);
        await show(page, sample);
        expect(await animatedColors(page)).toEqual([]);
        expect(await findingsInThemes(page)).toEqual({ light: [], dark: [] });
        await page.setViewportSize({ width: 375, height: 800 });
        expect(await smallTargets(page)).toEqual([]);
        await expectNoOverflow(page);

        // Everything behind an open modal is inert.
        const modal = page.getByRole('dialog');
        if ((await modal.count()) > 0) await page.keyboard.press('Escape');
        await expect(modal).toHaveCount(0);
        await expectSoundStructure(page);
        if (/ with (the|its)/.test(name)) return;
        await page.setViewportSize({ width: 1280, height: 800 });
        const stops = await tabThrough(page);
        expect(stops.length).toBeGreaterThan(6);
        expect(stops.filter(({ hasRing, isInView }) => !hasRing || !isInView)).toEqual([]);
        expect(stops.filter((stop) => stop.name === '')).toEqual([]);
        await page.emulateMedia({ forcedColors: 'active' });
        expect(await unseenControls(page)).toEqual([]);
      });
    }
  });
}
