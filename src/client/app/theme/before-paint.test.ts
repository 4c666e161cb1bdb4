import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { test } from 'node:test';
import { runInNewContext } from 'node:vm';
import { transformWithOxc } from 'vite';

const script = await readFile(
  new URL('../../../../dist/server/before-paint.js', import.meta.url),
  'utf8',
);

interface Browser {
  /** Code that runs before the script, for example to remove a feature. */
  before?: string;
  local?: Record<string, string>;
  session?: Record<string, string>;
  prefersDark?: boolean;
  address?: string;
}

const storage = (items: Record<string, string>) => ({
  getItem: (key: string) => items[key] ?? null,
});

interface Link {
  rel: string;
  href: string;
}

/**
 * Runs the script. @returns the attributes of the root, the functions that it wants to run later, the addresses by which
 * it replaces the page, and the links and styles that it adds
 */
function paint({
  before = '',
  local = {},
  session = {},
  prefersDark = false,
  address = '/',
}: Browser) {
  const replacedBy: string[] = [];
  const links: string[] = [];
  const styles: string[] = [];
  const { pathname, search, hash } = new URL(address, 'http://localhost');
  const replace = (by: string) => replacedBy.push(by);
  const root: Record<string, string> = {};
  const later: { run: () => void; afterMs: number }[] = [];
  const window = { localStorage: storage(local), sessionStorage: storage(session) };
  runInNewContext(`${before};${script}`, {
    window,
    AbortSignal,
    CSSStyleSheet: class {
      text = '';
      replaceSync(text: string) {
        this.text = text;
      }
    },
    URL,
    document: {
      documentElement: { dataset: root },
      currentScript: { dataset: { parts: '/assets/a.js /assets/b.js' } },
      createElement: () => ({}),
      set adoptedStyleSheets(sheets: { text: string }[]) {
        styles.push(...sheets.map(({ text }) => text));
      },
      head: { append: ({ rel, href }: Link) => links.push(`${rel} ${href}`) },
    },
    location: { pathname, search, hash, replace },
    CSS: { supports: () => true },
    HTMLElement: { prototype: { showPopover() {} } },
    Element: { prototype: { checkVisibility() {} } },
    matchMedia: (query: string) => ({ matches: prefersDark && query.includes('dark') }),
    setTimeout: (run: () => void, afterMs: number) => later.push({ run, afterMs }),
  });
  return { root, later, replacedBy, links, styles };
}

test('browsers understand it that understand the syntax of 2015', async () => {
  const rewritten = async (target: string) =>
    (await transformWithOxc(script, 'before-paint.js', { target })).code;
  assert.equal(await rewritten('es2015'), await rewritten('esnext'));
});

test('the scripts for accounts are loaded ahead with a session or a remembered account, and not for guests', () => {
  const parts = ['modulepreload /assets/a.js', 'modulepreload /assets/b.js'];
  assert.deepEqual(paint({ session: { isLogged: 'true', token: 't' } }).links, parts);
  assert.deepEqual(paint({ local: { remembered: 'u1' } }).links, parts);
  assert.deepEqual(paint({}).links, []);
});

test('a browser without the newest features that the scripts need is marked as too old', () => {
  for (const before of [
    'delete HTMLElement.prototype.showPopover',
    'CSS = { supports: () => false }',
  ])
    assert.deepEqual(paint({ before }).root, { old: '' }, before);
  assert.equal(paint({}).root.old, undefined, 'with all features');
});

test('the theme is the chosen one, else that of the system', () => {
  for (const [prefersDark, theme, expected] of [
    [false, '', 'light'],
    [true, '', 'dark'],
    [false, 'dark', 'dark'],
    [true, 'light', 'light'],
    [true, 'azul', 'dark'],
  ] as const)
    assert.equal(paint({ prefersDark, local: { theme } }).root.theme, expected, theme);
});

test("a session, or a browser that is remembered, is marked; the latter shows the guest's page after five seconds", () => {
  const session = { isLogged: 'true', token: 'a' };
  const local = { remembered: 'u1' };
  assert.equal(paint({ session, local }).root.session, 'user');
  assert.equal(paint({ session: { ...session, token: '' } }).root.session, undefined);
  assert.equal(paint({ session: { ...session, isLogged: '' } }).root.session, undefined);

  const { root, later } = paint({ local });
  assert.equal(root.session, 'resuming');
  assert.deepEqual(
    later.map(({ afterMs }) => afterMs),
    [5000],
  );
  for (const { run } of later) run();
  assert.equal(root.session, undefined);
  const resumed = paint({ local });
  resumed.root.session = 'user';
  for (const { run } of resumed.later) run();
  assert.equal(resumed.root.session, 'user');
});

test('storage that throws counts as empty', () => {
  const throwing = "{ get() { throw new Error('forbidden'); } }";
  const before = ['localStorage', 'sessionStorage']
    .map((name) => `Object.defineProperty(window, '${name}', ${throwing})`)
    .join(';');
  assert.deepEqual(paint({ before, prefersDark: true }).root, { theme: 'dark' });
});

test('the bare home page is replaced by the order that a signed-in user chose, and only by one that exists', () => {
  const session = { isLogged: 'true', token: 'a' };
  for (const [address, order, browser, expected] of [
    ['/', 'activity', { session }, ['/?sort=activity']],
    ['/#a', 'new', { local: { remembered: 'u1' } }, ['/?sort=new#a']],
    ['/', 'new', {}, []],
    ['/', 'comments', { session }, []],
    ['/', '//example.org', { session }, []],
    ['/?sort=comments', 'new', { session }, []],
    ['/login', 'new', { session }, []],
  ] as const) {
    const local = { ...('local' in browser && browser.local), order };
    const { root, replacedBy } = paint({ ...browser, local, address });
    assert.deepEqual(replacedBy, expected, `${address} ${order}`);
    assert.equal(root.leaving, expected.length > 0 ? '' : undefined, `${address} ${order}`);
  }
});

test('announcements that the user has acknowledged are hidden, and for guests none', () => {
  const session = { isLogged: 'true', token: 'a' };
  const local = { acknowledged: 'c-1 "]{} c-2' };
  assert.deepEqual(paint({ session, local }).styles, [
    '[data-announcement="c-1"],[data-announcement="c-2"]{display:none}',
  ]);
  assert.deepEqual(paint({ local }).styles, []);
  assert.deepEqual(paint({ session }).styles, []);
});
