import assert from 'node:assert/strict';
import { test } from 'node:test';
import { mailboxKey } from './mailbox-key.ts';

test('addresses of one mailbox have the same key, in whatever case, tag and form of the domain', () => {
  const same = ['Victima+1@ejemplo.es', 'victima+a+b@EJEMPLO.es', 'victima+@ejemplo.es'];
  for (const email of same) assert.equal(mailboxKey(email), 'victima@ejemplo.es', email);
  const domains = [
    'mañana.example',
    'MAÑANA.example',
    'man\u0303ana.example',
    'XN--maana-pta.example',
  ];
  for (const domain of domains) {
    assert.equal(mailboxKey(`eva@${domain}`), 'eva@xn--maana-pta.example', domain);
  }
  assert.equal(mailboxKey('eva@straße.example'), mailboxKey('eva@xn--strae-oqa.example'));
});

test('addresses of several mailboxes have different keys, including ones that no mail can be sent to', () => {
  const emails = [
    '+a@b.es',
    '+c@b.es',
    'ana@b.es',
    'a.na@b.es',
    'ana@c.es',
    'ana',
    'eva',
    'a@b@b.es',
  ];
  assert.equal(new Set(emails.map(mailboxKey)).size, emails.length);
});
