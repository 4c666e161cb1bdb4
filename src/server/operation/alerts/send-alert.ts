import { hostname } from 'node:os';
import type { FastifyBaseLogger } from 'fastify';
import { fromPlace } from '../../mail/make-mail.ts';
import { describeFailure, openTransport } from '../../mail/transport.ts';
import type { Config } from '../../system/settings/config.ts';
import type { AlertKind } from './alert-texts.ts';

const requestMs = 10_000;
/** Time limit for sending a mail to a slow mail server. */
const mailMs = 60_000;

export interface Alert {
  kind: AlertKind | 'test';
  type: 'failure' | 'success';
  title: string;
  message: string;
}

/** The answer of one of the places that alerts are sent to. */
interface Delivery {
  setting: 'ALERT_TO' | 'ALERT_URL';
  isAccepted: boolean;
  /** For the operator, without the URL. */
  answer: string;
}

type Log = Pick<FastifyBaseLogger, 'warn'>;
type AlertConfig = Pick<Config, 'alertTo' | 'alertUrl' | 'mail' | 'publicUrl'>;

/** Sends an alert to ALERT_TO and ALERT_URL. Failures are logged as warnings. @returns whether one of them accepted it */
export async function sendAlert(config: AlertConfig, alert: Alert, log: Log): Promise<boolean> {
  const deliveries = await deliver(config, alert);
  for (const { setting, isAccepted, answer } of deliveries)
    if (!isAccepted) log.warn(`the alert was not sent to ${setting}: ${answer}`);
  return deliveries.some(({ isAccepted }) => isAccepted);
}

/** Sends an alert to ALERT_TO and ALERT_URL, as far as they are set. */
export async function deliver(config: AlertConfig, alert: Alert): Promise<Delivery[]> {
  const { alertTo, alertUrl, publicUrl } = config;
  const site = publicUrl ?? hostname();
  return Promise.all([
    ...(alertTo === undefined ? [] : [mailAlert(config, alertTo, site, alert)]),
    ...(alertUrl === undefined ? [] : [postAlert(alertUrl, site, alert)]),
  ]);
}

/** Sends a mail directly, without the queue, its limits and the database. */
async function mailAlert(
  { mail, publicUrl = '' }: AlertConfig,
  to: string,
  site: string,
  { title, message }: Alert,
): Promise<Delivery> {
  const setting = 'ALERT_TO';
  if (!mail) return { setting, isAccepted: false, answer: 'SMTP_URL is not set' };
  try {
    const transport = await openTransport(mail);
    const { response } = await transport.sendMail({
      ...fromPlace({ communityName: 'tertulia', publicUrl }, mail.from),
      to,
      subject: `[${site.replace(/^https?:\/\//, '')}] ${title}`,
      text: `${message}\n\n${site}\n`,
      signal: AbortSignal.timeout(mailMs),
    });
    return { setting, isAccepted: true, answer: response };
  } catch (error) {
    return { setting, isAccepted: false, answer: describeFailure(error) };
  }
}

async function postAlert(url: string, site: string, alert: Alert): Promise<Delivery> {
  const { title, message, type, kind } = alert;
  const problem = await request(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ title, message, body: message, type, kind, site }),
  });
  return { setting: 'ALERT_URL', isAccepted: !problem, answer: problem ?? 'ok' };
}

/**
 * Requests a URL that is a secret. Does not follow redirects.
 * @returns undefined on success; otherwise the reason of the failure, without the URL
 */
export async function request(url: string, init: RequestInit = {}): Promise<string | undefined> {
  try {
    const signal = AbortSignal.timeout(requestMs);
    const response = await fetch(url, { ...init, redirect: 'manual', signal });
    await response.body?.cancel();
    return response.ok ? undefined : `status ${response.status}`;
  } catch (error) {
    const { name, cause } = error as Error;
    return (cause as NodeJS.ErrnoException | undefined)?.code ?? name;
  }
}
