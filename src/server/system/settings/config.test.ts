import assert from 'node:assert/strict';
import path from 'node:path';
import { test } from 'node:test';
import { ConfigError, parseConfig } from './config.ts';

const wrongOf = (env: Record<string, string>) => {
  try {
    parseConfig(env);
  } catch (error) {
    assert.ok(error instanceof ConfigError);
    return error.wrong.map((line) => line.split(' ', 1)[0]);
  }
  return [];
};

test('uses the documented defaults without any setting', () => {
  const config = parseConfig({});
  assert.deepEqual(config, {
    host: '127.0.0.1',
    port: 3000,
    dataDir: path.resolve('data'),
    databaseUrl: undefined,
    s3: undefined,
    publicUrl: undefined,
    corsOrigins: [],
    trustProxy: 0,
    maxImageMb: 10,
    maxFileMb: 20,
    maxImportMb: 2000,
    accountQuotaMb: 500,
    sessionDays: 30,
    rateLimits: true,
    logLevel: 'info',
    backupKeep: 0,
    mail: undefined,
    alertTo: undefined,
    alertUrl: undefined,
    heartbeatUrl: undefined,
    releasesUrl: undefined,
    metrics: undefined,
    contact: undefined,
    socialLinks: undefined,
  });
});

test('names all wrong settings at once', () => {
  const wrong = wrongOf({
    PORT: '70000',
    DATABASE_URL: 'mysql://u:secreto@h/d',
    PUBLIC_URL: 'foro.example',
    CORS_ORIGINS: 'https://a.example,https://b.example/path',
    TRUST_PROXY: 'yes',
    MAX_IMAGE_MB: '0',
    SESSION_DAYS: '1.5',
    RATE_LIMITS: 'no',
    LOG_LEVEL: 'loud',
    CONTACT: 'Pregunta\nen recepción.',
    SOCIAL_LINKS: 'GitHub',
  });
  assert.deepEqual(wrong.sort(), [
    'CONTACT',
    'CORS_ORIGINS',
    'DATABASE_URL',
    'LOG_LEVEL',
    'MAX_IMAGE_MB',
    'PORT',
    'PUBLIC_URL',
    'RATE_LIMITS',
    'SESSION_DAYS',
    'SOCIAL_LINKS',
    'TRUST_PROXY',
  ]);
});

test('refuses a database URL that would be misread or names several hosts, and does not repeat it', () => {
  const wrong = [
    'mysql://u:secreto@h/d',
    'postgres:u:secreto@h/d',
    'postgres:/u:secreto@h/d',
    'postgres://u:12/secreto@h/d',
    'postgres://u:12?secreto@h/d',
    'postgres://u:12#secreto@h/d',
    'postgres://u:12?secreto@h/d?sslmode=require',
    'postgres://u/secreto@h/d',
  ];
  for (const url of wrong) {
    assert.throws(
      () => parseConfig({ DATABASE_URL: url }),
      ({ message }: Error) =>
        /DATABASE_URL must begin .*percent-encoded/.test(message) && !/secreto|12/.test(message),
      url,
    );
  }
  const several = [
    'postgres://u:secreto@uno,dos/d',
    'postgresql://u:secreto@uno:5432,dos:5432/d',
    'postgres://u:secreto@uno%2Cdos/d',
    'postgres:///d?user=u&password=secreto&host=uno,dos',
    'postgres://u:secreto@uno/d?sslmode=require&port=5432,5433',
  ];
  for (const url of several) {
    assert.throws(
      () => parseConfig({ DATABASE_URL: url }),
      ({ message }: Error) =>
        /DATABASE_URL names several hosts, and takes one: .*moves/.test(message) &&
        !/secreto|uno|dos/.test(message),
      url,
    );
  }
  for (const url of [
    'postgres://u:a@b@h/d',
    'POSTGRES://u:p@h/d',
    'postgres:///d?host=/run/postgresql&user=u@servidor',
    'postgres://u:a,b@h/d?options=-c%20search_path%3Da,b',
  ]) {
    assert.equal(parseConfig({ DATABASE_URL: url }).databaseUrl, url);
  }
});

test('names a wrong address without user and password', () => {
  for (const [name, address] of [
    ['ALERT_URL', 'ftp://secreto'],
    ['HEARTBEAT_URL', 'https://a:secreto@b.example'],
  ] as const) {
    assert.throws(
      () => parseConfig({ [name]: address }),
      ({ message }: Error) => message.includes(`${name} must`) && !/secreto/.test(message),
    );
  }
  for (const name of ['PUBLIC_URL', 'CORS_ORIGINS']) {
    assert.throws(
      () => parseConfig({ [name]: 'https://u:secre@to@foro.example' }),
      (error: Error) => /not "foro\.example"$/m.test(error.message) && !/secre/.test(error.message),
    );
  }
});

test('takes a feed of releases that nobody on the way can change, and does not repeat a wrong one', () => {
  for (const url of ['https://git.example/foro/releases.atom', 'http://127.0.0.1:3001/feed'])
    assert.equal(parseConfig({ RELEASES_URL: url }).releasesUrl, url);
  for (const url of ['http://git.example/a', 'https://a:secreto@git.example', 'secreto']) {
    assert.throws(
      () => parseConfig({ RELEASES_URL: url }),
      ({ message }: Error) => /RELEASES_URL must/.test(message) && !/secreto/.test(message),
    );
  }
});

const bucket = {
  S3_ENDPOINT: 'https://s3.example',
  S3_BUCKET: 'fotos',
  S3_ACCESS_KEY_ID: 'clave',
  S3_SECRET_ACCESS_KEY: 'secreto',
};

test('serves metrics on an address of their own', () => {
  const metrics = (env: Record<string, string>) => parseConfig({ METRICS: 'on', ...env }).metrics;
  assert.deepEqual(metrics({}), { host: '127.0.0.1', port: 9464 });
  const elsewhere = { METRICS_HOST: '10.0.0.1', METRICS_PORT: '9000' };
  assert.deepEqual(metrics(elsewhere), { host: '10.0.0.1', port: 9000 });
  assert.equal(metrics({ ...elsewhere, METRICS: 'off' }), undefined);
  assert.deepEqual(wrongOf({ METRICS_PORT: '-1' }), ['METRICS_PORT']);
  assert.deepEqual(wrongOf({ METRICS: 'on', METRICS_PORT: '3000' }), ['METRICS_PORT']);
  assert.equal(metrics({ PORT: '0', METRICS_PORT: '0' })?.port, 0);
});

test('parses the settings of a bucket, and names missing and wrong ones without their values', () => {
  assert.deepEqual(parseConfig(bucket).s3, {
    endpoint: 'https://s3.example',
    region: 'us-east-1',
    bucket: 'fotos',
    accessKeyId: 'clave',
    secretAccessKey: 'secreto',
  });
  const missing = ['S3_ENDPOINT', 'S3_ACCESS_KEY_ID'];
  assert.deepEqual(wrongOf({ S3_BUCKET: 'fotos', S3_SECRET_ACCESS_KEY: 'x' }), missing);
  assert.deepEqual(wrongOf({ S3_REGION: 'eu-west-1' }), Object.keys(bucket));
  const secret = 's3cr3t0';
  const wrong = {
    ...bucket,
    S3_ENDPOINT: `https://u:${secret}@s3.example`,
    S3_BUCKET: `a/${secret}`,
    S3_SECRET_ACCESS_KEY: secret,
  };
  assert.deepEqual(wrongOf(wrong), ['S3_ENDPOINT', 'S3_BUCKET']);
  assert.throws(
    () => parseConfig(wrong),
    (error: Error) => !error.message.includes(secret),
  );
});

const mail = {
  SMTP_URL: 'smtp://foro:p%40ss@mail.example',
  MAIL_FROM: 'foro@foro.example',
  PUBLIC_URL: 'https://foro.example',
};

test('parses the settings of mail', () => {
  assert.deepEqual(parseConfig(mail).mail, {
    host: 'mail.example',
    port: 587,
    isTls: false,
    user: 'foro',
    password: 'p@ss',
    from: { name: '', address: 'foro@foro.example' },
    dailyLimit: 1000,
  });
  const other = { ...mail, SMTP_URL: 'smtps://[::1]', MAIL_DAILY_LIMIT: '5' };
  const { host, port, isTls, dailyLimit } = parseConfig(other).mail ?? {};
  assert.deepEqual([host, port, isTls, dailyLimit], ['::1', 465, true, 5]);
});

test("accepts a name before the sender's address", () => {
  for (const [MAIL_FROM, name] of [
    ['Foro de barrio <foro@foro.example>', 'Foro de barrio'],
    ['"Foro, \\"el\\" de barrio" <foro@foro.example>', 'Foro, "el" de barrio'],
    ["Foro d'Horta (Barcelona)<foro@foro.example>", "Foro d'Horta (Barcelona)"],
    ['<foro@foro.example>', ''],
  ] as const) {
    const from = { name, address: 'foro@foro.example' };
    assert.deepEqual(parseConfig({ ...mail, MAIL_FROM }).mail?.from, from);
  }
});

test('names wrong and missing settings of mail, and does not repeat the password', () => {
  assert.deepEqual(wrongOf({ ...mail, PUBLIC_URL: '' }), ['PUBLIC_URL']);
  assert.deepEqual(wrongOf({ ...mail, MAIL_FROM: '' }), ['MAIL_FROM']);
  assert.deepEqual(wrongOf({ ...mail, SMTP_URL: '' }), ['SMTP_URL']);
  for (const MAIL_FROM of [
    ...[
      'a@b.es, c@d.es',
      'foro',
      'a@b.es\u202e',
      'Foro',
      'Foro <foro>',
      'Foro <a@b.es',
      'Foro a@b.es',
    ],
    ...[
      'Foro, barrio <a@b.es>',
      'Foro: a@b.es;',
      'Foro: barrio <a@b.es>',
      'Foro <a@b.es> <c@d.es>',
    ],
    ...['Foro <a@b.es>, c@d.es', 'a@b.es (Foro)', '"Foro <a@b.es>', '"Foro" "barrio" <a@b.es>'],
    ...['Foro <a@b.es>\nBcc: c@d.es', 'Foro\nBcc: c@d.es <a@b.es>', '"Foro\r\nBcc: c" <a@b.es>'],
  ]) {
    assert.deepEqual(wrongOf({ ...mail, MAIL_FROM }), ['MAIL_FROM'], MAIL_FROM);
  }
  for (const SMTP_URL of [
    'mail.example',
    'http://mail.example',
    'smtp://u:12/secreto@h',
    'smtp://',
  ]) {
    assert.throws(
      () => parseConfig({ ...mail, SMTP_URL }),
      (error: Error) => /SMTP_URL must be/.test(error.message) && !/secreto/.test(error.message),
      SMTP_URL,
    );
  }
  assert.deepEqual(wrongOf({ ...mail, MAIL_DAILY_LIMIT: '0' }), ['MAIL_DAILY_LIMIT']);
});

test('accepts an address or a sentence as contact', () => {
  for (const contact of ['hola@foro.example', 'Pregunta a Marta, en recepción.']) {
    assert.equal(parseConfig({ CONTACT: ` ${contact} ` }).contact, contact);
  }
  assert.deepEqual(wrongOf({ CONTACT: 'ñ'.repeat(200) }), []);
  assert.deepEqual(wrongOf({ CONTACT: 'ñ'.repeat(201) }), ['CONTACT']);
});

test('parses links, origins and proxies', () => {
  const config = parseConfig({
    SOCIAL_LINKS: 'A=https://a.example/?x=1, B=https://b.example, C=http://c.example',
    CORS_ORIGINS: 'https://a.example, http://localhost:5173',
    PUBLIC_URL: 'https://foro.example/',
    TRUST_PROXY: '2',
  });
  assert.deepEqual(config.socialLinks?.[0], { label: 'A', href: 'https://a.example/?x=1' });
  assert.deepEqual(config.corsOrigins, ['https://a.example', 'http://localhost:5173']);
  assert.equal(config.publicUrl, 'https://foro.example');
  assert.equal(config.trustProxy, 2);
  assert.deepEqual(wrongOf({ SOCIAL_LINKS: 'A=https://a.example' }), ['SOCIAL_LINKS']);
});
