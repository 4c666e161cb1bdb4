import assert from 'node:assert/strict';
import { test } from 'node:test';
import { findContactDetails } from './find-contact-details.ts';

for (const [text, addresses] of [
  [
    'Mira https://ejemplo.es/a?b=c.com, y HTTP://otro.example!',
    'https://ejemplo.es/a?b=c.com HTTP://otro.example',
  ],
  [
    'www.ejemplo.travel (t.me/ofertas) y «tienda-barata.shop/x».',
    'www.ejemplo.travel t.me/ofertas tienda-barata.shop/x',
  ],
  ['Escribe a ventas@ejemplo.co.uk', 'ventas@ejemplo.co.uk'],
  [
    'Llama al 600 123 456, al 91-123-45-67 o al +34 600.12.34.56',
    '600 123 456|91-123-45-67|+34 600.12.34.56',
  ],
  ['Mira ｗｗｗ．ejemplo．es o tien\u200bda.com', 'www.ejemplo.es tienda.com'],
  [
    "'https://ejemplo.es/a' y https://ca.wikipedia.org/wiki/L'Escala_",
    "https://ejemplo.es/a https://ca.wikipedia.org/wiki/L'Escala_",
  ],
  [
    '—https://ejemplo.es/a— `t.me/b`, tienda.com,tienda.net/c?d=e.com| [url]http://ejemplo.com[/url]',
    'https://ejemplo.es/a http://ejemplo.com t.me/b tienda.com tienda.net/c?d=e.com',
  ],
  ['Pone a.txt, 3.5, 1.000.000, EE.UU. y etc.', ''],
  ['El 2026-11-26 10:30, en el 28013', ''],
  ['Nos vemos. El lunes.Los demás', ''],
] as const) {
  test(`finds ${addresses || 'no address'} in: ${text}`, () => {
    const expected = addresses.includes('|') ? addresses.split('|') : addresses.split(' ');
    assert.deepEqual(findContactDetails(text), addresses ? expected : []);
  });
}
