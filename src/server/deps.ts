import { requireClock } from './clock/require-clock.ts';
import type { Config } from './config/config.ts';
import { siteGeneration, siteIdentity } from './database/site-generation.ts';
import type { Deps } from './deps-type.ts';
import { hasFormerNames } from './images/image-names.ts';
import { openStores } from './open-stores.ts';
import type { Print } from './operator-error.ts';
import { createPageRenderer, readClientBuild } from './pages/render-page.ts';
import { afterRestores, claimDataDir, settleErasures } from './start-up.ts';

/**
 * Opens the services that the settings name, and migrates the database.
 * @param replace services to use instead
 * @param print prints a line for the operator when the start waits, copies the database or postpones a task
 * @throws DataDirInUse when another process serves from the data folder; UnfitDatabase; OperatorError when
 * the clock is behind what the database has recorded
 */
export function openDeps(
  config: Config,
  replace: Partial<Deps> = {},
  print: Print = () => {},
): Promise<Deps> {
  return replace.db
    ? open(config, replace, print)
    : afterRestores(config, print, () => open(config, replace, print));
}

async function open(config: Config, replace: Partial<Deps>, print: Print): Promise<Deps> {
  await using opened = new AsyncDisposableStack();
  const ledger = await claimDataDir(config, opened, print);
  const stores = await openStores(config, replace, opened, print);
  const clock = replace.now ?? Date.now;
  // Databases store whole milliseconds.
  const now = () => Math.round(clock());
  const services = { config, ...stores, now };
  await requireClock(stores.db, now());
  // Before the site gets a generation: it has none yet when it was restored.
  await settleErasures(services, ledger, print);
  const generation = await siteGeneration(stores.db);
  const stopping = new AbortController();
  const deps: Deps = {
    ...services,
    generation,
    siteIdentity: await siteIdentity(stores.db),
    hasFormerNames: await hasFormerNames(stores.db, generation),
    renderPage: replace.renderPage ?? createPageRenderer(await readClientBuild()),
    stopping: stopping.signal,
    close: () => closing.disposeAsync(),
    ...replace,
    now,
  };
  // A restore detects a server by its listening connection; without one the server still works.
  await stores.live.ready().catch(() => {});
  opened.defer(() => stopping.abort());
  const closing = opened.move();
  return deps;
}
