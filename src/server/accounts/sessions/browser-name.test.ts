import assert from 'node:assert/strict';
import { test } from 'node:test';
import { browserName } from './browser-name.ts';

const mozilla = 'Mozilla/5.0';
const webkit = 'AppleWebKit/537.36 (KHTML, like Gecko)';
const phone = 'AppleWebKit/605.1.15 (KHTML, like Gecko)';
const linux = '(X11; Linux x86_64)';
const windows = '(Windows NT 10.0; Win64; x64)';
const mac = '(Macintosh; Intel Mac OS X 10_15_7)';
const android = '(Linux; Android 10; K)';
const iphone = '(iPhone; CPU iPhone OS 18_5 like Mac OS X)';
const ipad = '(iPad; CPU OS 18_5 like Mac OS X)';
const chrome = `${webkit} Chrome/141.0.0.0`;

const table: [name: string, header: string | undefined][] = [
  ['Firefox en Linux', `${mozilla} (X11; Linux x86_64; rv:143.0) Gecko/20100101 Firefox/143.0`],
  ['Firefox en Android', `${mozilla} (Android 15; Mobile; rv:143.0) Gecko/143.0 Firefox/143.0`],
  ['Firefox en iPhone', `${mozilla} ${iphone} ${phone} FxiOS/143.0 Mobile/15E148 Safari/605.1.15`],
  ['Chrome en Windows', `${mozilla} ${windows} ${chrome} Safari/537.36`],
  ['Chrome en Android', `${mozilla} ${android} ${chrome} Mobile Safari/537.36`],
  ['Chrome en iPad', `${mozilla} ${ipad} ${phone} CriOS/141.0.0.0 Mobile/15E148 Safari/604.1`],
  ['Chrome en ChromeOS', `${mozilla} (X11; CrOS x86_64 14541.0.0) ${chrome} Safari/537.36`],
  ['Chromium en Linux', `${mozilla} ${linux} ${webkit} Chromium/141.0 Chrome/141.0 Safari/537.36`],
  ['Safari en Mac', `${mozilla} ${mac} ${phone} Version/18.5 Safari/605.1.15`],
  ['Safari en iPhone', `${mozilla} ${iphone} ${phone} Version/18.5 Mobile/15E148 Safari/604.1`],
  ['Edge en Windows', `${mozilla} ${windows} ${chrome} Safari/537.36 Edg/141.0.0.0`],
  ['Edge en Android', `${mozilla} ${android} ${chrome} Mobile Safari/537.36 EdgA/141.0.0.0`],
  ['Opera en Mac', `${mozilla} ${mac} ${chrome} Safari/537.36 OPR/122.0.0.0`],
  ['Vivaldi en Linux', `${mozilla} ${linux} ${chrome} Safari/537.36 Vivaldi/7.6`],
  [
    'Samsung Internet en Android',
    `${mozilla} ${android} ${webkit} SamsungBrowser/28.0 Chrome/130.0.0.0 Mobile Safari/537.36`,
  ],
  ['Navegador en Linux', 'Links (2.29; Linux 6.8; text)'],
  ['Firefox', 'Firefox/143.0'],
  ['Navegador desconocido', 'curl/8.9.1'],
  ['Navegador desconocido', ''],
  ['Navegador desconocido', undefined],
  ['Navegador desconocido', `${'x'.repeat(400)} Firefox/143.0 Windows`],
  ['Navegador desconocido', '<script>alert(1)</script>\u202e'],
];

test('a session is named by browser and system, without anything else from the header', () => {
  for (const [name, header] of table) assert.equal(browserName(header), name, String(header));
});
