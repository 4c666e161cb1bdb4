import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, type Page } from '@playwright/test';
import type { AxeResults, RunOptions } from 'axe-core';

const axeSource = readFileSync(fileURLToPath(import.meta.resolve('axe-core/axe.min.js')), 'utf8');

const themes = ['light', 'dark'] as const;
const tags = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];

const colorRules = ['color-contrast', 'link-in-text-block'];

/** Loads axe only once per document, because loading it takes as long as a check. */
export async function axeFindings(page: Page, only?: string[]): Promise<string[]> {
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(axeSource);
  // Only rules about media and experimental ones read the style sheets and files that axe would request before.
  const options: RunOptions = {
    runOnly: only ?? tags,
    resultTypes: ['violations'],
    preload: false,
  };
  const { violations } = await page.evaluate<AxeResults, RunOptions>(
    (options) => Reflect.get(window, 'axe').run(options),
    options,
  );
  return violations.flatMap(({ id, help, nodes }) =>
    nodes.map(({ target, any }) => `${id}: ${help}: ${target} ${any[0]?.message ?? ''}`),
  );
}

/** The axe violations in each theme. The dark theme is checked for colours only, because nothing else differs. */
export async function findingsInThemes(page: Page): Promise<Record<string, string[]>> {
  const findings: Record<string, string[]> = {};
  for (const theme of themes) {
    await page.emulateMedia({ colorScheme: theme });
    await expect(page.locator('html')).toHaveAttribute('data-theme', theme);
    findings[theme] = await axeFindings(page, theme === 'dark' ? colorRules : undefined);
  }
  return findings;
}

/** Expects one of each landmark, one main heading, and no skipped heading level. */
export async function expectSoundStructure(page: Page): Promise<void> {
  for (const landmark of ['banner', 'main', 'contentinfo'] as const) {
    await expect(page.getByRole(landmark)).toHaveCount(1);
  }
  const levels = await page
    .getByRole('heading')
    .evaluateAll((headings) => headings.map(({ tagName }) => Number(tagName.slice(1))));
  expect(levels[0]).toBe(1);
  expect(levels.filter((level) => level === 1)).toHaveLength(1);
  for (const [index, level] of levels.entries()) {
    expect(level - (levels[index - 1] ?? 0), `levels ${levels}`).toBeLessThanOrEqual(1);
  }
  // Menus are lists of buttons, which Tab leads through: no arrow keys, as the role of a menu promises.
  await expect(page.locator('[aria-haspopup]:not([aria-haspopup="listbox"])')).toHaveCount(0);
  await expect(page).toHaveTitle(/^([^·]+ · ){0,2}tertulia$/);
  await expect(page.locator('html')).toHaveAttribute('lang', 'es');
}

interface Stop {
  name: string;
  hasRing: boolean;
  isInView: boolean;
}

/** Presses Tab from the beginning of the page until the focus leaves it. @returns the focused elements */
export async function tabThrough(page: Page): Promise<Stop[]> {
  const stops: Stop[] = [];
  // Tab goes on from where the focus or the selection was.
  await page.evaluate(() => {
    document.body.tabIndex = -1;
    document.body.focus({ preventScroll: true });
    document.body.removeAttribute('tabindex');
  });
  for (let pressed = 0; pressed < 100; pressed += 1) {
    await page.keyboard.press('Tab');
    const stop = await page.evaluate(async () => {
      await Promise.all(document.getAnimations().map(({ finished }) => finished));
      const element = document.activeElement;
      if (!(element instanceof HTMLElement) || element === document.body) return null;
      const labelled = document.getElementById(element.getAttribute('aria-labelledby') ?? '');
      const labels = 'labels' in element ? (element as HTMLInputElement).labels : null;
      const named = [labelled, labels?.[0], element].map((part) => part?.innerText);
      const alt = element.querySelector('img')?.alt;
      const name = [element.getAttribute('aria-label'), ...named, alt].find(Boolean) ?? '';
      // The outline may be on the card, item or box around the element.
      const ringed = [element, element.closest('article, li'), element.parentElement];
      const hasRing = ringed.some((part) => {
        if (!part) return false;
        const { outlineStyle, outlineWidth, outlineColor } = getComputedStyle(part);
        const isSeen = outlineColor !== 'rgba(0, 0, 0, 0)';
        return outlineStyle !== 'none' && Number.parseFloat(outlineWidth) >= 2 && isSeen;
      });
      // The browser marks the parts of a date itself.
      const isDate = element.matches('[type="date"], [type="time"], [type="datetime-local"]');
      const { top, bottom } = element.getBoundingClientRect();
      return {
        name: name.trim().replace(/\s+/g, ' '),
        hasRing: hasRing || isDate,
        isInView: bottom > 0 && top < innerHeight,
      };
    });
    if (!stop) return stops;
    stops.push(stop);
  }
  throw new Error('the focus never leaves the page');
}

/** Colour properties that are animated when the theme changes: a check would read intermediate values. */
export async function animatedColors(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const { dataset } = document.documentElement;
    const { theme } = dataset;
    dataset.theme = theme === 'dark' ? 'light' : 'dark';
    const properties = document
      .getAnimations()
      .map((animation) => (animation instanceof CSSTransition ? animation.transitionProperty : ''));
    dataset.theme = theme;
    return properties.filter((property) => /color|shadow|fill|stroke/.test(property));
  });
}

/** Controls and their icons without contrast to the background, or with a thick border. */
export async function unseenControls(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const isUnseen = (control: Element) => {
      const { color, backgroundColor, opacity } = getComputedStyle(control);
      // File inputs are transparent, over a visible box or image.
      if (control instanceof HTMLInputElement && control.type === 'file') {
        return control.parentElement?.checkVisibility() !== true;
      }
      if (control instanceof SVGElement) {
        const ground = getComputedStyle(control.closest('button') ?? control).backgroundColor;
        const { stroke, fill } = getComputedStyle(control);
        return ![stroke, fill].some((ink) => ink.startsWith('rgb') && ink !== ground);
      }
      return (
        color === backgroundColor ||
        opacity === '0' ||
        hasThickBorder(control) ||
        hasUnseenIcon(control)
      );
    };
    // Icons drawn by style are a background with a mask.
    const hasUnseenIcon = (control: Element) => {
      const { maskImage, backgroundColor } = getComputedStyle(control, '::before');
      const { backgroundColor: ground } = getComputedStyle(control);
      return !['', 'none'].includes(maskImage) && [ground, canvas].includes(backgroundColor);
    };
    const canvas = getComputedStyle(document.documentElement).backgroundColor;
    const hasThickBorder = (control: Element) => {
      const { borderTopWidth, borderTopColor } = getComputedStyle(control);
      return (
        Number.parseFloat(borderTopWidth) > 3 &&
        ![canvas, 'rgba(0, 0, 0, 0)'].includes(borderTopColor)
      );
    };
    return [...document.querySelectorAll('a, button, input, textarea, button svg')]
      .filter((control) => control.checkVisibility() && isUnseen(control))
      .map((control) => control.outerHTML.slice(0, 120));
  });
}

/** The elements that overflow the window, if the page scrolls horizontally. */
export async function overflow(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const { scrollWidth, clientWidth } = document.documentElement;
    if (scrollWidth <= clientWidth) return [];
    const wide = [...document.querySelectorAll('body *')].filter((element) => {
      const { left, right } = element.getBoundingClientRect();
      return right > clientWidth + 0.5 || left < -0.5;
    });
    return wide.map((element) => `${clientWidth} px: ${element.outerHTML.slice(0, 100)}`);
  });
}

/** Separator dots at the beginning or end of a line of text. */
async function looseDots(page: Page): Promise<string[]> {
  return page.getByRole('main').evaluate((main) => {
    const walker = document.createTreeWalker(main, NodeFilter.SHOW_TEXT);
    const characters: { text: Text; index: number }[] = [];
    for (let node = walker.nextNode(); node; node = walker.nextNode()) {
      const text = node as Text;
      if (!text.parentElement?.checkVisibility()) continue;
      for (const { index } of text.data.matchAll(/\S/g)) characters.push({ text, index });
    }
    const lineOf = (at: number) => {
      const { text, index } = characters[at] ?? { text: new Text(''), index: 0 };
      const range = document.createRange();
      range.setStart(text, index);
      range.setEnd(text, index + 1);
      const { top, height } = range.getBoundingClientRect();
      return top + height / 2;
    };
    return characters.flatMap(({ text, index }, at) => {
      if (text.data[index] !== '·') return [];
      const isLoose = [at - 1, at + 1].some((one) => Math.abs(lineOf(one) - lineOf(at)) > 8);
      return isLoose ? [text.data] : [];
    });
  });
}

/** Words of up to eleven letters that headings break in two with text of 200 %. */
async function brokenHeadings(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    document.documentElement.style.fontSize = '200%';
    const broken = [...document.querySelectorAll('h1, h2')].flatMap((heading) => {
      const texts = document.createTreeWalker(heading, NodeFilter.SHOW_TEXT);
      const found: string[] = [];
      for (let text = texts.nextNode(); text; text = texts.nextNode()) {
        for (const { 0: word, index } of (text.nodeValue ?? '').matchAll(/\S+/g)) {
          const range = document.createRange();
          range.setStart(text, index);
          range.setEnd(text, index + word.length);
          const lines = new Set([...range.getClientRects()].map(({ top }) => top));
          if (word.length <= 11 && lines.size > 1) found.push(word);
        }
      }
      return found;
    });
    document.documentElement.style.fontSize = '';
    return broken;
  });
}

/** Times, and names of usual length, of which a box around them hides a part. */
async function cutNames(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const isCut = (
      { right, bottom }: { right: number; bottom: number },
      box: Element | null,
    ): boolean => {
      if (!box) return false;
      const { overflowX, overflowY } = getComputedStyle(box);
      const frame = box.getBoundingClientRect();
      const isRight = overflowX !== 'visible' && frame.right < right - 1;
      const isBelow = ['hidden', 'clip'].includes(overflowY) && frame.bottom < bottom - 1;
      return isRight || isBelow || isCut({ right, bottom }, box.parentElement);
    };
    return [...document.querySelectorAll('main :is(bdi, time)')]
      .filter((text) => text.checkVisibility() && (text.textContent ?? '').length <= 40)
      .filter((text) => isCut(text.getBoundingClientRect(), text))
      .map((text) => text.textContent);
  });
}

/**
 * Expects that nothing overflows the window: on phones, from the breakpoints on, and where columns begin with text
 * about twice as large, as set in the browser.
 */
export async function expectNoOverflow(page: Page): Promise<void> {
  const setTextSize = (size: string) =>
    page.evaluate((fontSize) => {
      document.documentElement.style.fontSize = fontSize;
    }, size);
  for (const width of [320, 375, 780, 1080]) {
    await page.setViewportSize({ width, height: 800 });
    expect(await overflow(page)).toEqual([]);
    expect(await looseDots(page)).toEqual([]);
    if (width === 375) expect(await brokenHeadings(page)).toEqual([]);
    if (![320, 780].includes(width)) continue;
    await setTextSize('212.5%');
    expect(await overflow(page), 'large text').toEqual([]);
    expect(await looseDots(page), 'large text').toEqual([]);
    expect(await cutNames(page), 'large text').toEqual([]);
    await setTextSize('');
  }
}

/** Pixels. A height in units of the text may be a fraction less than 44. */
const minTarget = 43.5;

/** Visible targets below the minimum size. Links in a sentence need only a line height of 24 px. */
export async function smallTargets(page: Page): Promise<string[]> {
  return page.evaluate((min) => {
    const isInSentence = (target: Element) =>
      target.matches('p a') && target.parentElement?.textContent !== target.textContent;
    return [...document.querySelectorAll('a, button, input, textarea, select')]
      .filter((target) => target.checkVisibility({ visibilityProperty: true }))
      .flatMap((target) => {
        // The link in a title may cover a whole card or line, and a label belongs to its box.
        const reach =
          target.closest(target.matches('.covering') ? '.covered' : 'article, label') ?? target;
        const { width, height } = reach.getBoundingClientRect();
        const lineHeight = Number.parseFloat(getComputedStyle(target).lineHeight);
        const isLarge = width >= min && height >= min && target.checkVisibility();
        const isEnough = isLarge || (isInSentence(target) && lineHeight >= 24);
        return isEnough ? [] : [`${target.textContent} ${width} x ${height}`];
      });
  }, minTarget);
}
