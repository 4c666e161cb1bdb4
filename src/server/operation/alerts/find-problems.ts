import { engineOf } from '../../database/engine.ts';
import { readPending } from '../../forum/pending/pending-cases.ts';
import { countRefused, countStuck } from '../../mail/stuck-mails.ts';
import type { AppServices } from '../../services.ts';
import { freeWhenNearlyFull } from '../../system/disk-reserve.ts';
import { codeOf } from '../../system/error-code.ts';
import { dayMs } from '../../system/times.ts';
import { dailyBackups, lastComplete } from '../backups/backup-folder.ts';
import { requireRoom } from '../health/health-checks.ts';
import type { AlertKind } from './alert-texts.ts';
import { journalHint } from './journal-hint.ts';
import type { LoggedErrors } from './logged-errors.ts';

/** The time since which mail must wait, and in which addresses must have been refused. */
const mailWaitMs = 3_600_000;
/** Fewer addresses may be refused, or mailboxes be full, without a fault of the site. */
const manyAddresses = 3;
/** Long enough for hourly retries of a missed daily backup. */
const backupOverdueMs = 2 * dayMs;

export type AlertServices = Pick<
  AppServices,
  'config' | 'db' | 'images' | 'now' | 'pushRefusals' | 'siteIdentity'
>;

/** A check returns what the operator should do, or undefined when all is well. */
export type Check = (services: AlertServices, errors: LoggedErrors) => Promise<string | undefined>;

/** The checks that read no rows: each finds a failure of its own part only. */
export const checks: [AlertKind, Check][] = [
  ['database', checkDatabase],
  ['images', checkImages],
  ['backup', checkBackup],
  ['disk', checkDisk],
  ['push', checkPush],
  ['errors', checkErrors],
];

/** The checks that read rows. */
export const rowChecks: [AlertKind, Check][] = [
  ['mail', checkMail],
  ['addresses', checkAddresses],
  ['cases', checkCases],
];

async function checkDatabase({ db }: AlertServices): Promise<string | undefined> {
  return engineOf(db)
    .requireWritable(db)
    .then(
      () => undefined,
      () => 'No responde o no admite cambios. Mira si está en marcha y qué dice: tertulia doctor',
    );
}

async function checkImages({ config, images }: AlertServices): Promise<string | undefined> {
  try {
    await images.check();
    return undefined;
  } catch (error) {
    return config.s3
      ? `El bucket de las imágenes falla (${codeWithin(error)}): ni se ven ni se suben. Mira si está en marcha, y si valen los ajustes S3_*: tertulia doctor`
      : `La carpeta de las imágenes, images en DATA_DIR, no se puede usar (${codeWithin(error)}). Mira de quién es, y si su disco está montado y admite cambios: tertulia doctor`;
  }
}

/** The code of the error, or else its name, which a bucket may have given it; of its cause if it has one. */
function codeWithin(error: unknown): string {
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
  const code = codeOf(cause);
  const name = cause instanceof Error ? cause.name : '';
  const found = typeof code === 'string' ? code : name;
  return /^\w{1,50}$/.test(found) ? found : 'sin código';
}

/** A backup that has just failed is not reported here: it is logged as an error, which raises its own alert. */
async function checkBackup(services: AlertServices): Promise<string | undefined> {
  const { config, now } = services;
  if (config.backupKeep === 0) return undefined;
  const dailies = await dailyBackups(services);
  const last = lastComplete(dailies, now());
  const newest = dailies.findLast(({ madeAtMs }) => madeAtMs <= now());
  if (newest && newest.lost > 0) {
    return `A la última copia, ${newest.name}, le faltan archivos de imágenes en uso: ${newest.lost}. Mira si la carpeta o el bucket de las imágenes están completos, y ejecuta: tertulia backup --daily`;
  }
  if (last && now() - last.madeAtMs > backupOverdueMs) {
    return 'La última copia completa tiene más de dos días. Ejecuta tertulia backup --daily y mira lo que dice.';
  }
  return undefined;
}

async function checkDisk({ config }: AlertServices): Promise<string | undefined> {
  const bytes = await freeWhenNearlyFull(config.dataDir);
  if (bytes === undefined) {
    return requireRoom(config).then(
      () => undefined,
      (error: unknown) =>
        `En DATA_DIR no se puede escribir (${codeWithin(error)}). Mira si su disco está montado y admite cambios, y si una cuota o el número de archivos lo limita.`,
    );
  }
  return `Quedan ${Math.floor(bytes / 1e6)} MB libres en el disco de DATA_DIR. Libera espacio o guarda menos copias (BACKUP_KEEP): con la mitad no se admiten imágenes.`;
}

async function checkMail({ config, db, now }: AlertServices): Promise<string | undefined> {
  if (!config.mail) return undefined;
  const { count, accounts, oldestMs, lastSentMs } = await countStuck(db, now() - mailWaitMs);
  if (oldestMs === null) return undefined;
  // Some mailboxes are full, while the mails to others are sent.
  if (accounts < manyAddresses && lastSentMs !== null && lastSentMs >= oldestMs) return undefined;
  const minutes = Math.round((now() - oldestMs) / 60_000);
  return `Mensajes que esperan: ${count}; el más antiguo, desde hace ${minutes} minutos. Prueba tertulia admin mail-test DIRECCIÓN. Quizá se haya alcanzado MAIL_DAILY_LIMIT (${config.mail.dailyLimit}).`;
}

async function checkAddresses({ config, db, now }: AlertServices): Promise<string | undefined> {
  if (!config.mail) return undefined;
  const count = await countRefused(db, now() - mailWaitMs);
  if (count < manyAddresses) return undefined;
  return `Direcciones confirmadas que el servidor de correo ha rechazado en la última hora: ${count}. Mira en el registro lo que dijo${journalHint('-g "mail server"', true)}: puede que rechace al foro y no a las personas. Se prueban otra vez dentro de una semana, o en cuanto cada cual guarde sus avisos.`;
}

async function checkPush({
  config,
  pushRefusals: { count, last },
}: AlertServices): Promise<string | undefined> {
  if (count === 0) return undefined;
  return `Mensajes a navegadores que se han rechazado por culpa del sitio: ${count} (el último: ${last}). Con 401 o 403, mira si el reloj del servidor va bien y si PUBLIC_URL (${config.publicUrl ?? ''}) es la dirección del foro; si no es eso, es un fallo de tertulia. Se vuelven a intentar durante dos horas.`;
}

async function checkCases({ config, db, now }: AlertServices): Promise<string | undefined> {
  // Order by id, which sorts by time and has an index.
  const reported = await db
    .selectFrom('cases')
    .select('opened_at_ms as atMs')
    .where('decided_at_ms', 'is', null)
    .where('id', '>', '')
    .orderBy('id')
    .limit(1)
    .executeTakeFirst();
  const appealed = await db
    .selectFrom('appeals')
    .select('at_ms as atMs')
    .where('answer', 'is', null)
    .where('id', '>', '')
    .orderBy('id')
    .limit(1)
    .executeTakeFirst();
  const [pending] = await readPending(db, '', '', 1);
  const times = [reported?.atMs, appealed?.atMs, pending?.opened_at_ms];
  const oldestMs = Math.min(...times.map((atMs) => atMs ?? Number.POSITIVE_INFINITY));
  if (now() - oldestMs < dayMs) return undefined;
  const hours = Math.floor((now() - oldestMs) / 3_600_000);
  return `Lo más antiguo espera desde hace ${hours} horas. Está en ${config.publicUrl ?? ''}/moderation`;
}

async function checkErrors(_: AlertServices, { count }: LoggedErrors): Promise<string | undefined> {
  if (count === 0) return undefined;
  return `Errores nuevos: ${count}. Míralos en el registro${journalHint('-p err')}.`;
}
