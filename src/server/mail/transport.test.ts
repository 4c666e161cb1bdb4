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
    SMTP_URL: url,
    MAIL_FROM: 'foro@foro.example',
    PUBLIC_URL: 'https://foro.example',
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

test('distinguishes a refused recipient from a mail that is refused for now, as for its sender, and from a broken server', async () => {
  for (const [kind, code, text] of [
    ['refused', 550, '5.1.1 no such user'],
    ['later', 500, 'no'],
    ['later', 450, '5.1.1 wait'],
    ['later', 554, '5.7.1 <ana@ejemplo.es>: Relay access denied'],
    ['later', 550, '5.1.8 Sender address rejected'],
    ['later', 550, '5.4.5 Daily sending limit exceeded'],
    ['server', 421, '4.7.0 <ana@ejemplo.es>: wait'],
  ] as const) {
    plain.refuse = () => ({ code, text });
    const failure = await failureOf(`smtp://127.0.0.1:${plain.port}`);
    assert.equal(failure.kind, kind, text);
    const [reason = ''] = text.split(' ').slice(-1);
    assert.ok(failure.text.includes(`${code}`) && failure.text.includes(reason), failure.text);
    assert.doesNotMatch(failure.text, /@/);
  }
});
