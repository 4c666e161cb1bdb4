import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { SMTPServerOptions } from 'smtp-server';
import { MailServer, makeCertificate } from '../../../test/mail/mail-server.ts';
import { parseConfig } from '../system/settings/config.ts';
import { classifyFailure, describeFailure, openTransport } from './transport.ts';

/** A name of this machine that is not recognized as such, so that it is treated as another. */
const elsewhere = 'Localhost';
const message = { from: 'foro@foro.example', to: 'ana@ejemplo.es', text: 'Hola' };

let trusted: MailServer;
let untrusted: MailServer;
let plain: MailServer;
before(async () => {
  const auth: SMTPServerOptions = {
    onAuth: ({ username, password }, _session, done) => {
      if (username === 'foro' && password === 'p@ss') done(null, { user: 'foro' });
      else done(Object.assign(new Error('wrong password'), { responseCode: 535 }));
    },
  };
  trusted = await MailServer.start({ ...makeCertificate('localhost', true), ...auth });
  untrusted = await MailServer.start(makeCertificate('localhost', false));
  plain = await MailServer.start();
});
after(async () => {
  for (const server of [trusted, untrusted, plain]) await server?.stop();
});

const transportTo = async (url: string) => {
  const { mail } = parseConfig({
    ...{ SMTP_URL: url, MAIL_FROM: 'foro@foro.example', PUBLIC_URL: 'https://foro.example' },
  });
  assert.ok(mail);
  return openTransport(mail);
};
const failureOf = async (url: string) => {
  const transport = await transportTo(url);
  const error = await transport.sendMail(message).then(
    () => assert.fail('it was sent'),
    (error: unknown) => error,
  );
  return { kind: classifyFailure(error), text: describeFailure(error) };
};

test('sends to another machine with TLS and a valid certificate, and signs in', async () => {
  const url = `smtp://foro:p%40ss@${elsewhere}:${trusted.port}`;
  const transport = await transportTo(url);
  await transport.verify();
  await transport.sendMail(message);
  assert.deepEqual(trusted.take()[0]?.recipients, ['ana@ejemplo.es']);
});

test('sends nothing to another machine without TLS or with a wrong certificate', async () => {
  for (const server of [plain, untrusted]) {
    const { kind, text } = await failureOf(`smtp://${elsewhere}:${server.port}`);
    assert.equal(kind, 'server');
    assert.match(text, /TLS|certificate/i);
    assert.deepEqual(server.take(), []);
  }
});

test('does not use STARTTLS to this machine, whose certificate may be untrusted', async () => {
  for (const server of [plain, untrusted]) {
    await (await transportTo(`smtp://127.0.0.1:${server.port}`)).sendMail(message);
    assert.equal(server.take().length, 1);
  }
});

test('names a wrong password without repeating it', async () => {
  const { kind, text } = await failureOf(`smtp://foro:secreta@${elsewhere}:${trusted.port}`);
  assert.equal(kind, 'server');
  assert.match(text, /535/);
  assert.doesNotMatch(text, /secreta|c2VjcmV0YQ/);
});

test('distinguishes a recipient that is refused permanently, a mail that is refused for now, and a broken server', async () => {
  for (const [code, kind] of [
    [550, 'refused'],
    [450, 'later'],
    [421, 'server'],
  ] as const) {
    plain.refuse = () => ({ code, text: 'no' });
    assert.equal((await failureOf(`smtp://127.0.0.1:${plain.port}`)).kind, kind);
  }
});
