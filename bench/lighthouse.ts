import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { chromium } from '@playwright/test';
import { DemoClient } from '../scripts/demo/demo-client.ts';
import type { SignedIn } from '../src/shared/accounts.ts';
import { pageRoutes } from '../src/shared/routes.ts';
import { chromiumOptions } from '../test/browser/chromium.ts';
import { type DemoServer, startDemoServer } from './demo-server.ts';
import { type Section, verdict } from './section.ts';

/** Apache-2.0. 176 MB with all it needs, so it is fetched when it is asked for, and then kept. */
const version = '13.5.0';
const folder = path.join(tmpdir(), `tertulia-lighthouse-${version}`);
const themes = ['light', 'dark'] as const;
const runs = 3;
const categories = ['performance', 'accessibility', 'best-practices', 'seo'];
/** The page of an unknown address is measured too, though it says that it is one. */
const flags = {
  logLevel: 'error',
  ignoreStatusCode: true,
  onlyCategories: categories,
};

/** Of what the fetched packages offer, what is used here. */
interface Tab {
  evaluateOnNewDocument<Args extends unknown[]>(run: (...args: Args) => void, ...args: Args): void;
  close(): Promise<void>;
}
interface Puppeteer {
  launch(options: object): Promise<{ newPage(): Promise<Tab>; close(): Promise<void> }>;
}
interface Audit {
  title: string;
  score: number | null;
  displayValue?: string;
}
interface Report {
  finalDisplayedUrl: string;
  categories: Record<string, { score: number | null; auditRefs: { id: string; weight: number }[] }>;
  audits: Record<string, Audit>;
}
type Lighthouse = (
  url: string,
  flags: object,
  config: undefined,
  tab: Tab,
) => Promise<{ lhr: Report } | undefined>;

/** Lighthouse's mobile scores of every page in both themes, the median of three, and what keeps one from more. */
export async function lighthouse(): Promise<Section[]> {
  const { measure, puppeteer } = await fetchLighthouse();
  const demo = await startDemoServer();
  const browser = await puppeteer.launch({
    executablePath: chromiumOptions.executablePath ?? chromium.executablePath(),
    args: chromiumOptions.args,
  });
  try {
    const rows: string[][] = [];
    const shortcomings: string[] = [];
    for (const theme of themes) {
      for (const [name, place] of Object.entries(await places(demo))) {
        const url = new URL(place.path, demo.url).href;
        const reports: Report[] = [];
        for (let run = 0; run < runs; run += 1) {
          const tab = await browser.newPage();
          tab.evaluateOnNewDocument(prepareTab, theme, sessionOf(place.as));
          const report = (await measure(url, flags, undefined, tab))?.lhr;
          await tab.close();
          if (report?.finalDisplayedUrl !== url) throw new Error(`${name} was not shown`);
          reports.push(report);
        }
        const report = medianOf(reports);
        const scores = scoresOf(report);
        const isMet = scores.every((score) => score === 100);
        rows.push([name, theme, ...scores.map(String), verdict('100 each', isMet)]);
        shortcomings.push(...shortcomingsOf(report).map((text) => `${name}, ${theme}: ${text}`));
      }
    }
    return [
      {
        title: 'Lighthouse',
        columns: ['page', 'theme', ...categories, 'goal'],
        rows,
        notes: [
          `Lighthouse ${version}, mobile; the median of ${runs}. Where it is below 100, because of:`,
          '',
          ...shortcomings.map((text) => `- ${text}`),
        ].join('\n'),
      },
    ];
  } finally {
    await browser.close();
    await demo.stop();
  }
}

async function fetchLighthouse(): Promise<{ measure: Lighthouse; puppeteer: Puppeteer }> {
  if (!existsSync(path.join(folder, 'node_modules/lighthouse'))) {
    console.log(`Fetching Lighthouse ${version}…`);
    const options = ['--no-save', '--no-audit', '--no-fund', '--ignore-scripts'];
    execFileSync('npm', ['install', '--prefix', folder, ...options, `lighthouse@${version}`], {
      stdio: ['ignore', 'ignore', 'inherit'],
    });
  }
  const { resolve } = createRequire(path.join(folder, 'node_modules/lighthouse/package.json'));
  const load = async (file: string) =>
    (await import(pathToFileURL(file).href)) as { default: unknown };
  return {
    measure: (await load(path.join(folder, 'node_modules/lighthouse/core/index.js')))
      .default as Lighthouse,
    puppeteer: (await load(resolve('puppeteer-core'))).default as Puppeteer,
  };
}

/** Every page; those of the account are shown to whoever has signed in. */
async function places({
  url,
  email,
  password,
  channel,
}: DemoServer): Promise<Record<string, { path: string; as?: SignedIn }>> {
  const as = await new DemoClient(url).signIn(email, password);
  return {
    home: { path: pageRoutes.home },
    channel: { path: pageRoutes.channel(channel._id) },
    login: { path: pageRoutes.login },
    register: { path: pageRoutes.register },
    create: { path: pageRoutes.create, as },
    profile: { path: pageRoutes.profile, as },
    'new password': { path: pageRoutes.password },
    'not found': { path: '/nada' },
  };
}

/** What the client keeps of whoever has signed in. */
function sessionOf(signedIn: SignedIn | undefined): Record<string, string> {
  if (!signedIn) return {};
  const { token, user } = signedIn;
  return {
    id: user.id,
    name: user.name,
    email: user.email,
    img: user.img ?? '',
    token,
    isLogged: 'true',
  };
}

/** Runs in the page before anything else does. */
function prepareTab(theme: string, session: Record<string, string>): void {
  // The blank page before the first has no storage.
  if (location.origin === 'null') return;
  localStorage.setItem('theme', theme);
  for (const [key, value] of Object.entries(session)) sessionStorage.setItem(key, value);
}

/** By its performance, the only score that varies. */
function medianOf(reports: Report[]): Report {
  const speed = ({ categories }: Report) => categories.performance?.score ?? 0;
  const [median] = reports.toSorted((a, b) => speed(a) - speed(b)).slice(reports.length / 2);
  if (!median) throw new Error('nothing was measured');
  return median;
}

const hundredths = (score: number | null | undefined) => Math.round((score ?? 0) * 100);

function scoresOf(report: Report): number[] {
  return categories.map((name) => hundredths(report.categories[name]?.score));
}

function shortcomingsOf({ categories, audits }: Report): string[] {
  return Object.values(categories)
    .filter(({ score }) => hundredths(score) < 100)
    .flatMap(({ auditRefs }) => auditRefs.filter(({ weight }) => weight > 0))
    .map(({ id }) => audits[id])
    .filter((audit) => audit !== undefined && audit.score !== null && audit.score < 1)
    .map((audit) => `${audit?.title} ${audit?.displayValue ?? ''} (${hundredths(audit?.score)})`);
}
