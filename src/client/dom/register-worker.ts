import { serviceWorkerPath } from '../../shared/service-worker.ts';

interface ScriptUrlPolicy {
  createScriptURL: (input: string) => string;
}

declare const trustedTypes:
  | { createPolicy: (name: string, rules: ScriptUrlPolicy) => ScriptUrlPolicy }
  | undefined;

/** Its address as the policy made it. A document can make the policy only once. */
let url: string | undefined;

/** Registers the service worker, or finds that it is. The content security policy lets scripts be loaded only by an address that a policy has made. */
export function registerWorker(): Promise<ServiceWorkerRegistration> {
  url ??= makeUrl();
  return navigator.serviceWorker.register(url);
}

function makeUrl(): string {
  const path = serviceWorkerPath;
  if (typeof trustedTypes === 'undefined') return path;
  const policy = trustedTypes.createPolicy('service-worker', { createScriptURL: () => path });
  return policy.createScriptURL('');
}
