import { existsSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { numberText } from '../../../shared/number-texts.ts';
import { activeStaff } from '../../accounts/standing/staff.ts';
import { siteEpoch } from '../../database/site-epoch.ts';
import { ApiError } from '../../http/api-error.ts';
import { hasFormerNames } from '../../images/image-names.ts';
import { openImageStore } from '../../images/stores/open-image-store.ts';
import { findImport } from '../../moving-in/begin-import.ts';
import { importChat } from '../../moving-in/import-chat.ts';
import { lookAtChat } from '../../moving-in/look-at-chat.ts';
import { readPlan } from '../../moving-in/plan.ts';
import { undoImport } from '../../moving-in/undo-import.ts';
import { settingsInForce } from '../../site-settings/site-settings.ts';
import { OperatorError, UsageError } from '../../system/operator-error.ts';
import { userName } from '../../system/user-name.ts';
import { type AdminContext, withAdmin } from './admin/with-admin.ts';
import type { Context } from './command-line.ts';
import { describeResult, describeSummary } from './import-texts.ts';

/** Says what is in an exported chat, brings it into the community, or takes it back. A server may be running. */
export async function importCommand({ config, values, positionals }: Context): Promise<void> {
  const [file = ''] = positionals;
  const { plan, undo } = values;
  const planFile = typeof plan === 'string' ? path.resolve(plan) : undefined;
  const parts = { config, actorName: userName(), note: '', isNow: false, now: Date.now };
  const asked = { confirm: async () => false, print: (line: string) => console.log(line) };
  const request = { file: path.resolve(file), planFile, isUndone: undo === true };
  await withAdmin({ ...parts, ...asked }, (admin) => runImport(admin, request));
}

/**
 * @param planFile undefined only looks; to take it back, the plan beside the file then counts
 * @throws ApiError `community_is_open`; errors of `importChat` and `undoImport`; OperatorError
 */
export async function runImport(
  admin: AdminContext,
  { file, planFile, isUndone }: { file: string; planFile: string | undefined; isUndone: boolean },
): Promise<void> {
  if (!existsSync(file)) throw new UsageError(`No existe ${file}.`);
  const ownPlan = `${file}.plan.json`;
  if (isUndone) return takeBack(admin, planFile ?? ownPlan);
  if ((await settingsInForce(admin.db)).readers !== 'members')
    throw new ApiError('community_is_open');
  await (planFile === undefined ? look(admin, file, ownPlan) : bring(admin, file, planFile));
}

/** Says what is in the file, and leaves a plan beside it unless there is one. */
async function look(admin: AdminContext, file: string, planFile: string): Promise<void> {
  const { print } = admin;
  const found = await lookAtChat(admin.db, file, admin.now());
  if (!found.summary || !found.plan) throw new OperatorError(found.problem ?? '');
  for (const line of describeSummary(found.summary)) print(line);
  if (existsSync(planFile)) print(`El plan ya estaba, y no se ha tocado: ${planFile}`);
  else {
    await writeFile(planFile, `${JSON.stringify(found.plan, null, 2)}\n`, {
      flag: 'wx',
      mode: 0o600,
    });
    print(`El plan está en ${planFile}: revisa los nombres, el primer día y la zona horaria.`);
  }
  print(
    `En el foro no se ha escrito nada. Para traerlo: tertulia import "${file}" --plan "${planFile}"`,
  );
}

async function bring(admin: AdminContext, file: string, planFile: string): Promise<void> {
  const { db, config, now, withTransaction, print } = admin;
  const plan = readPlan(await readFile(planFile, 'utf8'));
  const [author] = (await activeStaff(db, now()))
    .filter(({ role }) => role === 'admin')
    .sort((one, other) => one.created_at_ms - other.created_at_ms);
  if (!author)
    throw new OperatorError('Nadie administra la comunidad todavía, y el canal necesita autor.');
  const epoch = await siteEpoch(db);
  const images = await openImageStore(config);
  const naming = { epoch, hasFormerNames: await hasFormerNames(db, epoch) };
  const stopping = new AbortController();
  for (const name of ['SIGINT', 'SIGTERM'] as const) process.once(name, () => stopping.abort());
  let shownAtMs = 0;
  const startMs = performance.now();
  let before: number | undefined;
  const result = await importChat(
    { db, config, now, withTransaction, images, ...naming },
    {
      ...{ file, plan, adminId: author.id, signal: stopping.signal },
      onProgress: ({ done, total }) => {
        before ??= done;
        const seconds = (performance.now() - startMs) / 1000;
        if (performance.now() - shownAtMs < 2000 && done < total) return;
        shownAtMs = performance.now();
        const rate = Math.round((done - before) / Math.max(1, seconds));
        const minutes = Math.ceil((total - done) / Math.max(1, rate) / 60);
        print(
          `${numberText(done)} de ${numberText(total)} mensajes, ${numberText(rate)} por segundo, quedan unos ${minutes} minutos`,
        );
      },
    },
  );
  for (const line of describeResult(result, plan.channel)) print(line);
}

async function takeBack(admin: AdminContext, planFile: string): Promise<void> {
  const { channel } = readPlan(await readFile(planFile, 'utf8'));
  const found = await findImport(admin.db, channel);
  if (!found) throw new OperatorError(`No hay ningún canal «${channel}» que se haya traído.`);
  await undoImport(admin, found.channel_id);
  admin.print(
    `El canal «${channel}» se ha borrado. El servidor borra enseguida los nombres de sus personas.`,
  );
}
