import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { exportOf } from '../../../test/moving-in/export-of.ts';
import { limits } from '../../shared/limits.ts';
import type { DateOrder } from './headers.ts';
import { openChat } from './parse-chat.ts';
import { longestText } from './read-lines.ts';
import { splitText } from './split-text.ts';
import { summarizeChat } from './summarize-chat.ts';

const nowMs = Date.UTC(2026, 10, 1);

/** Reads a chat: each message as `time person: text [attachment]`, or why it is left out. */
async function read(text: string, attachments: string[] = [], asked?: DateOrder) {
  const chat = await openChat(exportOf(text, ...attachments), nowMs, asked);
  return Array.fromAsync(chat.read(), (item) => {
    if ('leftOut' in item) return item.leftOut;
    const more = `${item.attachment ? ` [${item.attachment}]` : ''}${item.isEdited ? ' (edited)' : ''}`;
    return `${item.at.slice(0, 16)} ${item.person}: ${item.text}${more}`;
  });
}

/** Two lines of one form, the second from a day that is no month. */
const forms: Record<string, [string, string]> = {
  'Android in Spain': ['3/4/24, 9:05 - ', '15/4/24, 21:05 - '],
  'Android in Spain, years ago': ['3/4/2018 9:05 - ', '15/4/2018 21:05 - '],
  'Android in Mexico': ['03/04/24, 9:05\u202fa.\u00a0m. - ', '15/04/24, 9:05\u202fp.\u00a0m. - '],
  'Android in Argentina': [
    '3/4/2024, 9:05\u00a0a.\u00a0m. - ',
    '15/4/2024, 9:05\u00a0p.\u00a0m. - ',
  ],
  'Android in the United States': ['4/3/24, 9:05\u202fAM - ', '4/15/24, 9:05\u202fPM - '],
  'Android in Great Britain': ['03/04/2024, 09:05 - ', '15/04/2024, 21:05 - '],
  'iOS in Spain': ['[3/4/24, 9:05:12] ', '\u200e[15/4/24, 21:05:12] '],
  'iOS in Mexico': ['[03/04/24, 9:05:12\u202fa.m.] ', '[15/04/24, 9:05:12\u202fp.m.] '],
  'iOS in Argentina': ['[3/4/2024 09:05:12] ', '[15/4/2024 21:05:12] '],
  'iOS in the United States': ['[4/3/24, 9:05:12\u202fAM] ', '[4/15/24, 9:05:12\u202fPM] '],
  'iOS in Canada': ['[2024-04-03, 9:05:12\u202fAM] ', '[2024-04-15, 9:05:12\u202fPM] '],
  'older iOS': ['3/4/16 9:05:12: ', '15/4/16 21:05:12: '],
  'dots and hyphens': ['3.4.24, 9:05 - ', '15.4.24, 21:05 - '],
};

describe('the form of a chat', () => {
  for (const [name, [first, second]] of Object.entries(forms)) {
    test(`is read as of ${name}`, async () => {
      const lines = await read(`\ufeff${first}Ana: hola\r\n${second}Luis Gil: adiós\r\n`);
      const year = /16|18/.exec(first)?.[0] ?? '24';
      assert.deepEqual(lines, [
        `20${year}-04-03T09:05 Ana: hola`,
        `20${year}-04-15T21:05 Luis Gil: adiós`,
      ]);
    });
  }

  test('has midnight and noon at twelve', async () => {
    const lines = await read(
      `15/3/24, 12:05 a. m. - Ana: noche\n15/3/24, 12:05 p. m. - Ana: día\n`,
    );
    assert.deepEqual(lines, ['2024-03-15T00:05 Ana: noche', '2024-03-15T12:05 Ana: día']);
  });

  test('asks for the order of day and month only if the whole file allows both', async () => {
    const text = '3/4/24, 9:05 - Ana: hola\n4/4/24, 9:05 - Ana: adiós\n';
    assert.equal((await openChat(exportOf(text), nowMs)).dates, 'ask');
    assert.deepEqual((await read(text, [], 'month-day'))[0], '2024-03-04T09:05 Ana: hola');
    const same = await openChat(exportOf('3/3/24, 9:05 - Ana: hola\n'), nowMs);
    assert.equal(same.dates, 'day-month');
    // With months first, the second would be before the first.
    const down = await openChat(exportOf(text.replace('4/4/24', '2/5/24')), nowMs);
    assert.equal(down.dates, 'day-month');
  });

  test('is that of most lines, so that another one is part of a text', async () => {
    const lines = await read(
      '15/3/24, 9:05 - Ana: mirad\n[15/3/24, 9:06:00] Eva: copiado\n15/3/24, 9:06 a. m. - Eva: otra vez\n15/3/24, 9:07 - Luis: visto\n',
    );
    assert.deepEqual(lines, [
      '2024-03-15T09:05 Ana: mirad\n[15/3/24, 9:06:00] Eva: copiado\n15/3/24, 9:06 a. m. - Eva: otra vez',
      '2024-03-15T09:07 Luis: visto',
    ]);
  });

  test('refuses a text without messages', async () => {
    for (const text of ['', 'hola', '99/99/24, 9:05 - Ana: hola', '15/3/24, 99:05 - Ana: hola']) {
      await assert.rejects(read(text), /ningún mensaje/);
    }
  });

  test('refuses more people than any group has', async () => {
    const lines = Array.from({ length: 5001 }, (_, index) => `15/3/24, 9:05 - Ana ${index}: hola`);
    await assert.rejects(read(lines.join('\n')), /5000 personas/);
    assert.equal((await read(lines.slice(1).join('\n'))).length, 5000);
  });

  test('has no times before WhatsApp, none in the future, and no days that do not exist', async () => {
    const lines = await read(
      '15/3/08, 9:05 - Ana: uno\n15/2/24, 9:05 - Ana: dos\n31/2/24, 9:05 - Ana: tres\n15/3/31, 9:05 - Ana: cuatro\n',
    );
    assert.match(lines.join(), /^2024-02-15T09:05 Ana: dos\n31.+\n15.+$/);
  });
});

describe('a line that looks like a header', () => {
  test('is text in a quotation from earlier', async () => {
    const quoted = '[14/3/24, 9:05:12] Luis: ¿abrís?\n[14/3/24, 9:06:00] Luis: sí\n';
    const text = `[14/3/24, 20:00:00] Luis: buenas\n[15/3/24, 9:05:12] Ana: mirad:\n${quoted}[15/3/24, 9:06:00] Luis: ya\n`;
    const lines = await read(text);
    assert.equal(lines.length, 3);
    assert.equal(lines[1], `2024-03-15T09:05 Ana: mirad:\n${quoted.trim()}`);
    const { quoted: counted } = await openChat(exportOf(text), nowMs);
    assert.deepEqual(counted, { count: 2, lines: [3, 4] });
  });

  test('is text in a list of coming dates', async () => {
    const list =
      '20/3/24, 20:00 - Cena: tortilla\n27/3/24, 20:00 - Asamblea\n3/4/24, 20:00 - Obra: final';
    const lines = await read(
      `15/3/24, 9:05 - Ana: Fechas:\n${list}\n15/3/24, 9:06 - Luis: vale\n16/3/24, 9:06 - Ana: bien\n`,
    );
    assert.deepEqual(lines, [
      `2024-03-15T09:05 Ana: Fechas:\n${list}`,
      '2024-03-15T09:06 Luis: vale',
      '2024-03-16T09:06 Ana: bien',
    ]);
  });

  test('begins a message that came some moments late, or in the hour that clocks repeat in autumn', async () => {
    const late = await read(
      '15/3/24, 23:50 - Ana: uno\n15/3/24, 23:49 - Luis: dos\n15/3/24, 23:50 - Luis: tres\n',
    );
    assert.deepEqual(late, [
      '2024-03-15T23:50 Ana: uno',
      '2024-03-15T23:50 Luis: dos',
      '2024-03-15T23:50 Luis: tres',
    ]);
    const autumn = await read(
      '27/10/24, 2:50 - Ana: uno\n27/10/24, 2:10 - Ana: dos\n27/10/24, 3:10 - Ana: tres\n',
    );
    assert.equal(autumn.length, 3);
  });

  test('is text where it repeats a message of a moment before', async () => {
    const lines = await read(
      '[15/3/24, 9:05:12] Ana: hola\n[15/3/24, 9:06:00] Luis: dijo\n[15/3/24, 9:05:12] Ana: hola\n',
    );
    assert.equal(lines[1], '2024-03-15T09:06 Luis: dijo\n[15/3/24, 9:05:12] Ana: hola');
  });
});

describe('the author of a message', () => {
  test('may have spaces, emojis, a telephone number or the sign of people who are no contacts', async () => {
    const lines = await read(
      [
        '15/3/24, 9:05 - José María de la O 🌻👩‍👩‍👧: a: b',
        '15/3/24, 9:06 - \u202a+34\u00a0600\u00a012\u00a034\u00a056\u202c: c',
        '15/3/24, 9:07 - ~\u202fNora: d',
        '15/3/24, 9:08 - \u200eÁlex:',
      ].join('\n'),
    );
    assert.deepEqual(lines.slice(0, 3), [
      '2024-03-15T09:05 José María de la O 🌻👩‍👩‍👧: a: b',
      '2024-03-15T09:06 +34 600 12 34 56: c',
      '2024-03-15T09:07 ~ Nora: d',
    ]);
    assert.equal(lines[3], 'unreadable');
  });

  test('is a person, also where their name reads like a notice', async () => {
    const names = [
      'Fincas Torres Administradores',
      'Mercedes Admin',
      'José Luis (es admin)',
      'Alarmas Código de seguridad',
      'Eva "la que se unió con nosotros"',
    ];
    const lines = await read(names.map((name) => `15/3/24, 9:05 - ${name}: hola\n`).join(''));
    assert.deepEqual(
      lines,
      names.map((name) => `2024-03-15T09:05 ${name}: hola`),
    );
    const without = await read(
      '15/3/24, 9:05 - Ana: Hoy:\n15/3/24, 9:06 - Torres Administradores\n15/3/24, 9:06 - Ana: fin',
    );
    assert.equal(without[0], '2024-03-15T09:05 Ana: Hoy:\n15/3/24, 9:06 - Torres Administradores');
  });

  test('has words of their own, also with a name that is invisible or longer than any account has', async () => {
    const long = 'x'.repeat(limits.userNameChars + 1);
    const names = ['Ana', '\u3164', '', long, 'x'.repeat(90_000), 'Ana'];
    const text = names.map((name) => `15/3/24, 9:05 - ${name}: de ${name.length}\n`).join('');
    const chat = await openChat(exportOf(text), nowMs);
    const people = await Array.fromAsync(chat.read(), (item) => {
      if ('leftOut' in item) return assert.fail(item.leftOut);
      return [item.text, item.person] as const;
    });
    assert.deepEqual(
      people.map(([words]) => words),
      names.map((name) => `de ${name.length}`),
    );
    assert.equal(new Set(people.map(([, person]) => person)).size, 5);
    // A plan and its page have them all.
    for (const [, person] of people) assert.ok(person.length > 0 && person.length <= 1000);
  });

  test('is not the group, nor in a notice about it', async () => {
    const android = [
      'Los mensajes y las llamadas están cifrados de extremo a extremo. Nadie fuera de este chat, ni WhatsApp, puede leerlos.',
      'Ana creó el grupo "Obras: portal 3"',
      'Ana te añadió.',
      'Ana cambió el nombre del grupo de "Obras: portal 3" a "Vecinos: todos"',
      'Ana cambió el nombre del grupo a “Vecinos: todos”',
      'Luis se unió usando el enlace de invitación de este grupo.',
      'Luis salió del grupo.',
      'Ahora eres admin. del grupo',
      'Llamada perdida',
      'Ana added Eva',
      'Eva left',
      'Ana changed the group name from "A: b" to "C: d"',
    ];
    const text = android.map((notice) => `15/3/24, 9:05 - ${notice}\n`).join('');
    assert.deepEqual(
      new Set(await read(`${text}15/3/24, 9:06 - Ana: hola\n`)),
      new Set(['notice', '2024-03-15T09:06 Ana: hola']),
    );

    const ios = await read(
      [
        '[15/3/24, 9:05:12] Vecinos: \u200eLos mensajes y las llamadas están cifrados de extremo a extremo.',
        '[15/3/24, 9:05:13] Vecinos: Ana creó este grupo',
        '[15/3/24, 9:05:14] Ana: \u200eAna cambió la descripción del grupo.',
        '[15/3/24, 9:05:15] Ana: Luis salió',
      ].join('\n'),
    );
    assert.deepEqual(ios, ['notice', 'notice', 'notice', '2024-03-15T09:05 Ana: Luis salió']);
  });
});

describe('the text of a message', () => {
  const bodies: [raw: string, becomes: string][] = [
    ['uno\n\n  dos\n', 'uno\n\n  dos'],
    ['hola @\u2068Luis Gil\u2069 \u200f!', 'hola @Luis Gil !'],
    ['hola <Se editó este mensaje.>', 'hola (edited)'],
    ['hola \u200e<This message was edited>', 'hola (edited)'],
    ['Eliminaste este mensaje', 'deleted'],
    ['\u200eSe eliminó este mensaje.', 'deleted'],
    ['This message was deleted', 'deleted'],
    ['Se eliminó este mensaje que puse ayer', 'Se eliminó este mensaje que puse ayer'],
    ['<Multimedia omitido>', 'omitted'],
    ['<Media omitted>', 'omitted'],
    ['<Multimedia omitido>\nel portal', 'el portal'],
    ['\u200eimagen omitida', 'omitted'],
    ['el portal \u200eimagen omitida', 'el portal'],
    ['hay un documento omitido', 'hay un documento omitido'],
    ['acta.pdf • \u200e3 páginas \u200edocumento omitido', 'omitted'],
    ['acta.pdf • \u200e3 páginas \u200e<adjunto: 0001-acta.pdf>', ' [0001-acta.pdf]'],
    ['acta.pdf \u200e<attached: 0001-acta.pdf>', ' [0001-acta.pdf]'],
    ['\u200eIMG-1.jpg (archivo adjunto)\nel portal', 'el portal [IMG-1.jpg]'],
    ['IMG-1.jpg (file attached)', ' [IMG-1.jpg]'],
    ['IMG-2.jpg (archivo adjunto)', 'missing'],
    ['../IMG-1.jpg (archivo adjunto)', 'missing'],
    ['Los mensajes y las llamadas están cifrados de extremo a extremo.', 'notice'],
    ['null', 'unreadable'],
    ['Esperando este mensaje. Esto puede tomar tiempo.', 'unreadable'],
    ['\u200b\u2800', 'unreadable'],
    ['\u200eLlamada de voz, \u200e4 min', 'call'],
    ['\u200eMissed video call, \u200eTap to call back', 'call'],
    ['Llamada perdida, ya te llamo', 'Llamada perdida, ya te llamo'],
    [
      '\u200eENCUESTA:\n¿Activamos los mensajes temporales?\n\u200eOPCIÓN: Nadie (\u200e3 votos)',
      'ENCUESTA:\n¿Activamos los mensajes temporales?\nOPCIÓN: Nadie (3 votos)',
    ],
    [
      '\u200eUbicación: https://maps.google.com/?q=1,2',
      'Ubicación: https://maps.google.com/?q=1,2',
    ],
    [`a${'\u0301'.repeat(200)}`, 'unreadable'],
  ];
  test('is what its author wrote, without what WhatsApp adds', async () => {
    const text = bodies.map(([raw]) => `[15/3/24, 9:05:12] Ana: ${raw}\n`).join('');
    const lines = await read(text, ['IMG-1.jpg', '0001-acta.pdf']);
    const becomes = lines.map((line) => line.replace('2024-03-15T09:05 Ana: ', ''));
    assert.deepEqual(
      becomes,
      bodies.map(([, expected]) => expected),
    );
  });

  test('is split where it is longer than a comment, and its end left out where it is longer than any message', async () => {
    const words = 'palabra '.repeat(3000).trim();
    const source = exportOf(
      `15/3/24, 9:05 - Ana: ${words}\n15/3/24, 9:06 - Ana: ${'a\n'.repeat(80_000)}`,
    );
    const chat = await openChat(source, nowMs);
    const items = await Array.fromAsync(chat.read());
    const texts = items.map((item) => ('leftOut' in item ? assert.fail() : item.text));
    assert.equal(texts.slice(0, 3).join(' '), words);
    for (const text of texts) assert.ok(text.length <= limits.commentChars);
    assert.ok(texts.join('').length <= words.length + longestText);
    const { split, cut } = await summarizeChat(chat, source);
    assert.deepEqual({ split, cut }, { split: 2, cut: 1 });
  });
});

test('a text without spaces is split between characters, wherever they are no longer than a part', () => {
  assert.deepEqual(splitText('ñ'.repeat(25), 10), ['ñ'.repeat(10), 'ñ'.repeat(10), 'ñ'.repeat(5)]);
  assert.deepEqual(splitText('🏴‍☠️'.repeat(3), 10), ['🏴‍☠️🏴‍☠️', '🏴‍☠️']);
  const chain = `${'👩\u200d'.repeat(9)}👩`;
  assert.equal(splitText(chain, 10).join(''), chain);
});

test('a summary counts what comes along and what does not', async () => {
  const source = exportOf(
    [
      '15/3/24, 9:05 - Ana creó el grupo "Vecinos"',
      '15/3/24, 9:05 - +34 600 12 34 56: IMG-1.jpg (archivo adjunto)',
      '15/3/24, 9:06 - ~ Ana: IMG-2.jpg (archivo adjunto)\nel portal',
      '16/3/24, 9:06 - Ana: <Multimedia omitido>',
      '16/3/24, 9:07 - Ana: hola',
      '17/3/24, 9:07 - Persona 1: hola',
      '17/3/24, 9:08 - +52 1 55 1234 5678: hola',
    ].join('\n'),
    'IMG-1.jpg',
    'IMG-9.jpg',
  );
  const summary = await summarizeChat(await openChat(source, nowMs), source);
  assert.deepEqual(summary, {
    name: '',
    dates: 'day-month',
    quoted: { count: 0, lines: [] },
    from: '2024-03-15T09:05:00',
    to: '2024-03-17T09:08:00',
    messages: 5,
    split: 0,
    cut: 0,
    people: [
      { source: '+34 600 12 34 56', name: 'Persona 2', messages: 1 },
      { source: '~ Ana', name: 'Ana 2', messages: 1 },
      { source: 'Ana', name: 'Ana', messages: 1 },
      { source: 'Persona 1', name: 'Persona 1', messages: 1 },
      { source: '+52 1 55 1234 5678', name: 'Persona 3', messages: 1 },
    ],
    attachments: { count: 1, bytes: 10 },
    leftOut: { notice: 1, call: 0, deleted: 0, omitted: 1, missing: 1, unreadable: 0 },
  });
});
