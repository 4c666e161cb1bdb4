import assert from 'node:assert/strict';
import { mkdtempDisposable, readdir, readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { test } from 'node:test';
import PostalMime from 'postal-mime';
import { apiRoutes } from '../../src/shared/api-routes.ts';
import type { NotificationSettings } from '../../src/shared/notification-settings.ts';
import { eventually } from '../eventually.ts';
import { Forum } from '../forum/forum.ts';
import { mailAll } from '../mail/mail-all.ts';
import { freePorts } from '../processes/free-ports.ts';
import { run, whyNoDebian } from './debian.ts';

/** Postfix delivers to users of its own system. */
const settings = [
  'myhostname = barrio.example',
  'mydestination = barrio.example',
  'mynetworks = 127.0.0.0/8',
  'inet_interfaces = 127.0.0.1',
  'home_mailbox = Maildir/',
  'maillog_file = /var/log/mail.log',
];

test('Postfix delivers a message into a Maildir, and an unknown address is stored as refused', {
  skip: whyNoDebian('chroot'),
  timeout: 600_000,
}, async () => {
  await using folder = await mkdtempDisposable(path.join(tmpdir(), 'tertulia-postfix-'));
  const root = path.join(folder.path, 'root');
  run('mmdebstrap', '--quiet', '--variant=minbase', '--include=postfix', 'bookworm', root);
  const inside = (...command: string[]) => run('chroot', root, ...command);
  const [port] = await freePorts(1);
  inside('useradd', '--create-home', 'vecina');
  inside('postconf', '-e', ...settings);
  inside('postconf', '-MX', 'smtp/inet');
  inside('postconf', '-M', `${port}/inet=${port} inet n - n - - smtpd`);
  // Only a start by systemd copies the files that a chrooted Postfix needs.
  inside('postconf', '-F', '*/*/chroot = n');
  await using stopped = new AsyncDisposableStack();
  inside('postfix', 'start');
  stopped.defer(() => void inside('postfix', 'stop'));

  const forum = await Forum.start('sqlite', {
    PUBLIC_URL: 'https://barrio.example',
    SMTP_URL: `smtp://127.0.0.1:${port}`,
    MAIL_FROM: 'foro@barrio.example',
  });
  stopped.defer(() => forum.stop());
  const [neighbour, nobody] = await Promise.all([
    forum.person('Ana Belén', 'vecina@barrio.example'),
    forum.person('Luis', 'nadie@barrio.example'),
  ]);
  await mailAll(forum.services);

  const maildir = path.join(root, 'home/vecina/Maildir/new');
  const delivered = () => readdir(maildir).catch(() => []);
  await eventually('it is delivered', async () => (await delivered()).length === 1, 30_000);
  const [file = ''] = await delivered();
  const mail = await PostalMime.parse(await readFile(path.join(maildir, file)));
  assert.equal(mail.subject, 'Confirma tu correo en tertulia');
  assert.deepEqual(mail.from, { name: 'tertulia', address: 'foro@barrio.example' });
  const [, token] = /\/confirm#(\S+)/.exec(mail.text ?? '') ?? [];
  await forum.json('POST', apiRoutes.confirmEmail, { body: { token } });

  const stateOf = async ({ token }: typeof neighbour) => {
    const settings = apiRoutes.notificationSettings;
    const { email } = await forum.json<NotificationSettings>('GET', settings, { token });
    return [email?.confirmed, email?.problem];
  };
  assert.deepEqual(await stateOf(neighbour), [true, null]);
  assert.deepEqual(await stateOf(nobody), [false, 'refused']);
});
