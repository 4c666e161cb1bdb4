import { chromium, type ElementHandle, type Page } from '@playwright/test';
import { chromiumOptions } from '../browser/chromium.ts';
import { findInPage, type Role, Tab } from './tab.ts';

/** Chromium, controlled by Playwright over Chromium's own protocol. */
export class PlaywrightTab extends Tab<ElementHandle<Element>> {
  #page: Page;

  private constructor(page: Page) {
    super();
    this.#page = page;
  }

  static async start(): Promise<PlaywrightTab> {
    const browser = await chromium.launch(chromiumOptions);
    const context = await browser.newContext({ locale: 'es-ES' });
    return new PlaywrightTab(await context.newPage());
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#page.context().browser()?.close();
  }

  async open(url: string): Promise<void> {
    await this.#page.goto(url);
  }

  async replace(): Promise<void> {
    const next = await this.#page.context().newPage();
    await this.#page.close();
    this.#page = next;
  }

  run<A extends unknown[], R>(
    inPage: (...args: A) => R | Promise<R>,
    ...args: A
  ): Promise<Awaited<R>> {
    const call = `(${inPage})(...${JSON.stringify(args)})`;
    return this.#page.evaluate(call);
  }

  protected async find(role: Role, name: string): Promise<ElementHandle<Element> | null> {
    const call = `(${findInPage})(...${JSON.stringify([role, name])})`;
    return (await this.#page.evaluateHandle<Element>(call)).asElement();
  }

  protected clickOn(element: ElementHandle<Element>): Promise<void> {
    return element.click();
  }

  protected async typeInto(element: ElementHandle<Element>, text: string): Promise<void> {
    await element.focus();
    await this.#page.keyboard.press('Control+End');
    await this.#page.keyboard.type(text);
  }

  protected chooseFileIn(element: ElementHandle<Element>, path: string): Promise<void> {
    return element.setInputFiles(path);
  }
}
