import { setTimeout as delay } from 'node:timers/promises';

/** Time limit for a page to show something. Only a failure takes this long; a machine may be busy with other work. */
const patienceMs = 60_000;

/** The role of an element as users perceive it. */
export type Role = 'button' | 'link' | 'field' | 'heading' | 'text' | 'image';

/**
 * A browser with one tab and its own profile. There is one subclass for each browser protocol. `Handle` is the
 * protocol's reference to an element.
 */
export abstract class Tab<Handle = unknown> {
  /** Ends the browser. */
  abstract [Symbol.asyncDispose](): Promise<void>;
  /** Opens an address and waits until it has loaded. */
  abstract open(url: string): Promise<void>;
  /** Closes the tab and opens a blank one. The profile is kept, but the session storage is empty. */
  abstract replace(): Promise<void>;
  /** Runs a function in the page. It must not use variables from outside. Arguments and result are JSON. */
  abstract run<A extends unknown[], R>(
    inPage: (...args: A) => R | Promise<R>,
    ...args: A
  ): Promise<Awaited<R>>;

  protected abstract find(role: Role, name: string): Promise<Handle | null>;
  protected abstract clickOn(element: Handle): Promise<void>;
  protected abstract typeInto(element: Handle, text: string): Promise<void>;
  protected abstract chooseFileIn(element: Handle, path: string): Promise<void>;

  async click(role: Role, name: string): Promise<void> {
    await this.clickOn(await this.see(role, name));
  }

  /** Types at the end of a field. */
  async type(field: string, text: string): Promise<void> {
    await this.typeInto(await this.see('field', field), text);
  }

  async chooseFile(field: string, path: string): Promise<void> {
    await this.chooseFileIn(await this.see('field', field), path);
  }

  /** Waits until an element is visible and, if it is a control, enabled. */
  see(role: Role, name: string): Promise<Handle> {
    return this.#wait(`${role} "${name}"`, () => this.find(role, name));
  }

  /** Waits until a function in the page returns true. */
  async until<A extends unknown[]>(inPage: (...args: A) => boolean, ...args: A): Promise<void> {
    await this.#wait(`${inPage} of ${args}`, async () => (await this.run(inPage, ...args)) || null);
  }

  /** Retries while another page replaces the current one, because that ends the functions running in it. */
  async #wait<T>(what: string, ask: () => Promise<T | null>): Promise<T> {
    const endMs = Date.now() + patienceMs;
    for (let cause: unknown; ; await delay(50)) {
      try {
        const found = await ask();
        if (found !== null) return found;
      } catch (error) {
        cause = error;
      }
      if (Date.now() > endMs) {
        const shown = await this.run(() => `${location.href}\n${document.body.innerText}`);
        throw new Error(`not within ${patienceMs} ms: ${what}\nshown: ${shown}`, { cause });
      }
    }
  }
}

/** Finds a visible element by role and name, the last one if several match. Runs in the page. */
export function findInPage(role: Role, name: string): Element | null {
  const selectors = {
    button: 'button:enabled',
    link: 'a[href]',
    field: 'input:enabled, textarea:enabled',
    heading: 'h1, h2',
    text: 'main *, [role=status], [role=alert]',
    image: 'img, [role=img]',
  };
  const nameOf = (element: Element) => {
    const { labels } = element as HTMLInputElement;
    const texts = [element.getAttribute('aria-label'), element.getAttribute('alt')];
    return texts.find((text) => text !== null) ?? (labels?.[0] ?? element).textContent;
  };
  return (
    [...document.querySelectorAll(selectors[role])]
      .filter((element) => nameOf(element)?.trim() === name)
      .findLast((element) => element.checkVisibility({ visibilityProperty: true })) ?? null
  );
}
