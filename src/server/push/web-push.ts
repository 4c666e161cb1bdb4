import { ECDH } from 'node:crypto';

/** Loaded here, and only once somebody wants push messages, to save the memory. */
const loadLibrary = async () => (await import('web-push')).default;

/** A key pair that identifies the site to push services (VAPID), base64url. */
export interface PushKeys {
  publicKey: string;
  privateKey: string;
}

export async function makePushKeys(): Promise<PushKeys> {
  return (await loadLibrary()).generateVAPIDKeys();
}

/** A browser's subscription: its URL at the push service, and the keys for which messages are encrypted, base64url. */
export interface Subscriber {
  endpoint: string;
  p256dh: string;
  auth: string;
}

/** Whether messages can be encrypted with the keys: a point on the curve P-256, and 16 bytes. */
export function areSubscriberKeys({ p256dh, auth }: Omit<Subscriber, 'endpoint'>): boolean {
  if (!/^[\w-]{87}$/.test(p256dh) || !/^[\w-]{22}$/.test(auth)) return false;
  try {
    ECDH.convertKey(p256dh, 'prime256v1', 'base64url', 'base64url', 'uncompressed');
    return true;
  } catch {
    return false;
  }
}

/** Time limit for the response of a push service. */
const answerMs = 10_000;

interface Push {
  /** Text that the service worker of the browser reads. At most 3993 bytes, which become 4096 when encrypted. */
  payload: string;
  /** How long the push service keeps the message for a browser that is not connected. */
  ttlSeconds: number;
  keys: PushKeys;
  /** `https:` URL of the site, which push services log. */
  site: string;
}

/**
 * Result of a push. `gone`: the subscription has ended; `later`: to be tried again, at the earliest after
 * `retryAfterMs`; `refused`: likewise, but the fault is the site's, as with a key or a message that is not valid.
 */
export type PushResult =
  | { kind: 'sent' }
  | { kind: 'gone' }
  | { kind: 'later' | 'refused'; reason: string; retryAfterMs: number };

/**
 * Encrypts a message for a browser and gives it to its push service. Follows no redirect and reads no response body.
 * @param stopping interrupts the request
 */
export async function sendPush(
  { endpoint, p256dh, auth }: Subscriber,
  { payload, ttlSeconds, keys, site }: Push,
  stopping: AbortSignal,
): Promise<PushResult> {
  const library = await loadLibrary();
  const { headers, body } = library.generateRequestDetails(
    { endpoint, keys: { p256dh, auth } },
    payload,
    { vapidDetails: { subject: site, ...keys }, TTL: ttlSeconds, urgency: 'normal' },
  );
  const sent = Object.entries(headers).map(([name, value]) => [name, String(value)]);
  try {
    const response = await fetch(endpoint, {
      method: 'POST',
      headers: Object.fromEntries(sent) as Record<string, string>,
      body: new Uint8Array(body),
      redirect: 'manual',
      signal: AbortSignal.any([stopping, AbortSignal.timeout(answerMs)]),
    });
    await response.body?.cancel();
    return resultOf(response);
  } catch (error) {
    const { name, cause } = error as Error;
    const reason = (cause as NodeJS.ErrnoException | undefined)?.code ?? name;
    return { kind: 'later', reason, retryAfterMs: 0 };
  }
}

function resultOf({ ok, status, headers }: Response): PushResult {
  if (ok) return { kind: 'sent' };
  if (status === 404 || status === 410) return { kind: 'gone' };
  const reason = `status ${status}`;
  const kind = status >= 400 && status < 500 && status !== 429 ? 'refused' : 'later';
  const seconds = Number(headers.get('retry-after') ?? 0);
  return { kind, reason, retryAfterMs: seconds > 0 ? seconds * 1000 : 0 };
}
