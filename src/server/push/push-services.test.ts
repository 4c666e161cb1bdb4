import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isKnownPushService } from './push-services.ts';

test('only addresses of known push services are requested', () => {
  const known = [
    'https://fcm.googleapis.com/fcm/send/x:y',
    'https://updates.push.services.mozilla.com/wpush/v2/x',
    'https://web.push.apple.com/x',
    'https://wns2-par02p.notify.windows.com/w/?token=x',
  ];
  const others = [
    'http://fcm.googleapis.com/fcm/send/x',
    'https://fcm.googleapis.com:8443/x',
    'https://user@fcm.googleapis.com/x',
    'https://fcm.googleapis.com.example/x',
    'https://evilfcm.googleapis.com/x',
    'https://fcm.googleapis.com@127.0.0.1/x',
    'https://fcm.googleapis.com./x',
    'https://googleapis.com/x',
    'https://127.0.0.1/x',
    'https://[::1]/x',
    'https://localhost/x',
    'https://169.254.169.254/latest',
    'file:///etc/passwd',
  ];
  const isKnown = (url: string) => isKnownPushService(new URL(url));
  assert.deepEqual(known.filter(isKnown), known);
  assert.deepEqual(others.filter(isKnown), []);
});
